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

/** As far as the longest plan's history reaches. */
const longestHistoryDays = 1_825;
const retentionDays = () => integer({ min: 1, max: 36_500 }).default(longestHistoryDays);

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('profiles'),
  ...kafkaSettings,
  ADMIN_PORT: port().default(9082),
  GRPC_PORT: port().default(50052),
  /** Where people read about stores and technologies; store bodies and vocabulary entries link there. */
  PUBLIC_SITE_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** How long an observation, and with it the memory that its scan was merged, is kept. */
  OBSERVATION_RETENTION_DAYS: retentionDays(),
  SIGNAL_RETENTION_DAYS: retentionDays(),
});

export type ProfilesConfig = z.output<typeof settings>;

/** Throws ConfigError with every fault. */
export const loadConfig = (env: Environment): ProfilesConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('profiles')]);
