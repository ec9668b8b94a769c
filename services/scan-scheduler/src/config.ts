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
  type Rule,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';
import { developmentSigningKey, isDevelopmentKey, parseSigningKey } from '@shopscope/ids';

const hourMs = 60 * 60 * 1000;
const duration = (min = 0) => integer({ min, max: hourMs });

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('scan_scheduler'),
  ...kafkaSettings,
  ADMIN_PORT: port().default(9084),
  GRPC_PORT: port().default(50054),
  /** A lease without a renewal for this time is lost. */
  LEASE_MS: duration(1_000).default(30_000),
  /**
   * Time from a durable observation until this service looks whether profiles has read it, and from there until the update
   * counts as missing. Then the domain is scanned again.
   */
  MERGE_WAIT_MS: duration(1_000).default(120_000),
  /** Number of observations that profiles has not read yet, above which leasing slows down. */
  MERGE_LAG_MAX: integer({ min: 1, max: 1_000_000 }).default(500),
  /** Longest time from a claim to its scan request; afterwards the claim may be dropped. */
  CLAIM_WAIT_MS: duration(1_000).default(60_000),
  /** Pause between two visits of a domain. Default 30 s; 1 s outside production. */
  VISIT_INTERVAL_MS: duration().optional(),
  /** Pause after the first failed attempt; doubles with each further one. */
  RETRY_BACKOFF_MS: duration().default(2_000),
  /** Up to this age of a scan, interruptions of this system (scanner stops, Kafka unavailable) cost no attempt. */
  INTERRUPTION_GRACE_MS: duration().default(1_800_000),
  /**
   * Longest time from a job's claim to its end while no observation of it exists. A minute below an hour, so that the tick
   * ends every job within the hour.
   */
  JOB_TIME_LIMIT_MS: integer({ min: 60_000, max: 24 * hourMs }).default(hourMs - 60_000),
  /** Interval at which the lease wait queue searches for work of other instances. */
  LEASE_POLL_MS: integer({ min: 10, max: 10_000 }).default(250),
  TICK_MS: integer({ min: 50, max: 60_000 }).default(1_000),
  /** The key that signs the permits of leases, as `id:key`. profiles has its public key. */
  PERMIT_SIGNING_KEY: z
    .string()
    .transform((text, context) => {
      const parsed = parseSigningKey(text);
      if ('key' in parsed) return parsed.key;
      context.addIssue({ code: 'custom', message: parsed.problem });
      return z.NEVER;
    })
    .optional(),
  /** Retention of ended jobs and scans. */
  JOB_RETENTION_DAYS: integer({ min: 1, max: 3_660 }).default(90),
});

export type ScanSchedulerConfig = z.output<typeof settings>;

/** Production has a key of its own. Other systems have one that everybody can compute. */
const permitRule: Rule = ({ PERMIT_SIGNING_KEY, SHOPSCOPE_ENV = 'production' }) => {
  if (SHOPSCOPE_ENV !== 'production') return [];
  if (!PERMIT_SIGNING_KEY) return ['PERMIT_SIGNING_KEY: is required in production'];
  const parsed = parseSigningKey(PERMIT_SIGNING_KEY);
  return 'key' in parsed && isDevelopmentKey(parsed.key.privateKey)
    ? ['PERMIT_SIGNING_KEY: is the key of development systems, which production refuses']
    : [];
};

export const permitSigningKey = ({ PERMIT_SIGNING_KEY }: Pick<ScanSchedulerConfig, 'PERMIT_SIGNING_KEY'>) =>
  PERMIT_SIGNING_KEY ?? developmentSigningKey('scan-scheduler');

/** Throws ConfigError with all errors of the environment. */
export const loadConfig = (env: Environment): ScanSchedulerConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('scan-scheduler'), permitRule]);

/** The default is short outside production, so that tests and demo stores do not wait. */
export function visitIntervalMs(config: Pick<ScanSchedulerConfig, 'VISIT_INTERVAL_MS' | 'SHOPSCOPE_ENV'>): number {
  return config.VISIT_INTERVAL_MS ?? (config.SHOPSCOPE_ENV === 'production' ? 30_000 : 1_000);
}
