import { hourMs } from '@shopscope/clock';
import {
  type Environment,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  isProduction,
  kafkaRules,
  kafkaSettings,
  mongoRules,
  mongoSettings,
  port,
  publicKeys,
  publicKeysRule,
  type Rule,
  readConfig,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';
import { developmentPublicKeys } from '@shopscope/ids';

/** The history period of the largest plan. */
const longestHistoryDays = 1_825;
const retentionDays = () => integer({ min: 1, max: 36_500 }).default(longestHistoryDays);

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('profiles'),
  ...kafkaSettings,
  ADMIN_PORT: port().default(9082),
  GRPC_PORT: port().default(50052),
  /** The base URL of the pages about stores and technologies. Store bodies and vocabulary entries link to them. */
  PUBLIC_SITE_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** The retention of observations. Scans are deduplicated only during this time. */
  OBSERVATION_RETENTION_DAYS: retentionDays(),
  SIGNAL_RETENTION_DAYS: retentionDays(),
  /** The public keys of the principals that may permit observations, as `principal:id:key` entries. */
  PERMIT_PUBLIC_KEYS: publicKeys()
    .refine((keys) => keys.some(({ principal }) => principal === 'scan-scheduler'), 'must have a key of scan-scheduler')
    .optional(),
  /** The age at which one of the instances counts the corpus again. The alert on old counts allows for the maximum. */
  CORPUS_COUNT_INTERVAL_MS: integer({ min: 1_000, max: 4 * hourMs }).default(hourMs),
});

export type ProfilesConfig = z.output<typeof settings>;

/** Production needs its own keys. Other systems have keys that anyone can compute. */
const permitRule: Rule = (given) =>
  isProduction(given) && !given.PERMIT_PUBLIC_KEYS ? ['PERMIT_PUBLIC_KEYS: is required in production'] : [];

export const permitPublicKeys = ({ PERMIT_PUBLIC_KEYS }: Pick<ProfilesConfig, 'PERMIT_PUBLIC_KEYS'>) =>
  PERMIT_PUBLIC_KEYS ?? developmentPublicKeys();

/** Throws a ConfigError that lists every invalid setting. */
export const loadConfig = (env: Environment): ProfilesConfig =>
  readConfig(settings, env, [
    mongoRules,
    kafkaRules,
    grpcTlsRule('profiles'),
    permitRule,
    publicKeysRule('PERMIT_PUBLIC_KEYS'),
  ]);
