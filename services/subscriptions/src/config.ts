import {
  developmentClockRule,
  developmentClockSettings,
  type Environment,
  grpcTarget,
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
  z,
} from '@shopscope/config';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('subscriptions'),
  ...kafkaSettings,
  ...developmentClockSettings,
  KEYS_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  METERING_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  SEARCH_ADDRESS: grpcTarget(),
  ADMIN_PORT: port().default(9087),
  GRPC_PORT: port().default(50055),
  /** The shortest pause between two steps of jobs. It bounds the load on profiles and metering. */
  JOB_STEP_PAUSE_MS: integer({ min: 0, max: 60_000 }).default(200),
  /** The interval of the steps that depend only on time. */
  TICK_MS: integer({ min: 10, max: 60_000 }).default(1_000),
});

export type SubscriptionsConfig = z.output<typeof settings>;

/** Throws a ConfigError that lists every problem. */
export const loadConfig = (env: Environment): SubscriptionsConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('subscriptions'), developmentClockRule]);
