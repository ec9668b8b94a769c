import { hourMs } from '@shopscope/clock';
import {
  developmentClockRule,
  developmentClockSettings,
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
  z,
} from '@shopscope/config';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('metering'),
  ...kafkaSettings,
  ...developmentClockSettings,
  ADMIN_PORT: port().default(9083),
  GRPC_PORT: port().default(50053),
  /** A request is billed or voided within 10.5 s. The remaining time is for clocks that differ between instances. */
  RESERVATION_TTL_MS: integer({ min: 11_000, max: 300_000 }).default(60_000),
  SWEEP_INTERVAL_MS: integer({ min: 100, max: 300_000 }).default(5_000),
  RECONCILE_INTERVAL_MS: integer({ min: 100, max: hourMs }).default(180_000),
});

export type MeteringConfig = z.output<typeof settings>;

/** Throws a ConfigError that lists all errors of the environment. */
export const loadConfig = (env: Environment): MeteringConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('metering'), developmentClockRule]);
