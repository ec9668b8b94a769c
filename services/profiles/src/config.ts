import {
  type Environment,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  kafkaRules,
  kafkaSettings,
  mongoRules,
  mongoSettings,
  port,
  readConfig,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';

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
  /** Base URL of the pages about stores and technologies. Store bodies and vocabulary entries link to them. */
  PUBLIC_SITE_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** Retention of observations. Deduplication of scans ends with it. */
  OBSERVATION_RETENTION_DAYS: retentionDays(),
  SIGNAL_RETENTION_DAYS: retentionDays(),
});

export type ProfilesConfig = z.output<typeof settings>;

/** Throws a ConfigError that lists every invalid setting. */
export const loadConfig = (env: Environment): ProfilesConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('profiles')]);
