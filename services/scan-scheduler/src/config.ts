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
  z,
} from '@shopscope/config';

const hourMs = 60 * 60 * 1000;
const duration = (min = 0) => integer({ min, max: hourMs });

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('scan_scheduler'),
  ...kafkaSettings,
  ADMIN_PORT: port().default(9084),
  GRPC_PORT: port().default(50054),
  /** A lease that is not renewed for so long is lost. */
  LEASE_MS: duration(1_000).default(30_000),
  /** How long an observation may take from durable to merged before the scan is done again. */
  MERGE_WAIT_MS: duration(1_000).default(120_000),
  /** How long a claim waits for its scan request before it may be dropped. */
  CLAIM_WAIT_MS: duration(1_000).default(60_000),
  /** Politeness: between the end of one visit of a domain and the start of the next. Default 30 s; 1 s outside production. */
  VISIT_INTERVAL_MS: duration().optional(),
  /** Wait after a first failed attempt; doubles with each further one. */
  RETRY_BACKOFF_MS: duration().default(2_000),
  /** Age of a scan up to which interruptions on our side (scanner stopping, Kafka away) cost no attempt. */
  INTERRUPTION_GRACE_MS: duration().default(1_800_000),
  /** How often waiting scanners look for work that other instances queued. */
  LEASE_POLL_MS: integer({ min: 10, max: 10_000 }).default(250),
  TICK_MS: integer({ min: 50, max: 60_000 }).default(1_000),
  /** How long ended jobs and scans are kept. */
  JOB_RETENTION_DAYS: integer({ min: 1, max: 3_660 }).default(90),
});

export type ScanSchedulerConfig = z.output<typeof settings>;

/** Throws ConfigError with every fault. */
export const loadConfig = (env: Environment): ScanSchedulerConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('scan-scheduler')]);

/** Stores are visited politely in production; elsewhere they are our own. */
export function visitIntervalMs(config: Pick<ScanSchedulerConfig, 'VISIT_INTERVAL_MS' | 'SHOPSCOPE_ENV'>): number {
  return config.VISIT_INTERVAL_MS ?? (config.SHOPSCOPE_ENV === 'production' ? 30_000 : 1_000);
}
