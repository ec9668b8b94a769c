import { dayMs, hourMs } from '@shopscope/clock';
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
  type Rule,
  readConfig,
  serviceSettings,
  signingKey,
  signingKeyRule,
  z,
} from '@shopscope/config';
import { developmentSigningKey } from '@shopscope/ids';
import { chargeRetentionMs } from '@shopscope/proto';

import { parseNetwork } from './domain/address.ts';
import type { PacingLimits, Platform } from './domain/pacing.ts';
import type { RefreshPolicy } from './domain/refresh.ts';

const defaultRefreshesPerDay = 1_000;
const duration = (min = 0) => integer({ min, max: hourMs });

/** The lower bound is 0.01: with a slower target a visit would take longer than the documents of targets are kept. */
const requestsPerSecond = () =>
  z.number('must be a number').min(0.01, 'must be at least 0.01').max(1_000_000, 'must be at most 1,000,000');

const platformSchema = z.strictObject({
  name: z.string('must be a name').regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be of a-z, 0-9, - and _'),
  addresses: z
    .array(
      z.string('must be a network').transform((text, context) => {
        const network = parseNetwork(text);
        if (!network) context.addIssue({ code: 'custom', message: 'must be a network such as 203.0.113.0/24' });
        return network ?? z.NEVER;
      }),
      'must be a list of networks',
    )
    .min(1, 'must have an entry'),
  requests_per_second: requestsPerSecond(),
  domain_requests_per_second: requestsPerSecond().optional(),
});

const platforms = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .transform((value, context): Platform[] => {
    const parsed = z.array(platformSchema, 'must be a list').max(100, 'must have at most 100 entries').safeParse(value);
    for (const { path, message } of parsed.error?.issues ?? []) {
      context.addIssue({ code: 'custom', message: path.length > 0 ? `[${path.join('][')}] ${message}` : message });
    }
    const entries = parsed.data ?? [];
    if (new Set(entries.map(({ name }) => name)).size < entries.length) {
      context.addIssue({ code: 'custom', message: 'two entries have the same name' });
    }
    return entries.map((entry) => ({
      name: entry.name,
      networks: entry.addresses,
      requestsPerSecond: entry.requests_per_second,
      domainRequestsPerSecond: entry.domain_requests_per_second,
    }));
  });

const rate = (text: string) => Number(text);

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('scan_scheduler'),
  ...kafkaSettings,
  ADMIN_PORT: port().default(9084),
  GRPC_PORT: port().default(50054),
  /** A lease that is not renewed for this time is lost. */
  LEASE_MS: duration(1_000).default(30_000),
  /**
   * The time from a durable observation until this service checks whether profiles has read it, and from then until the update counts as
   * missing. Then the domain is scanned again.
   */
  MERGE_WAIT_MS: duration(1_000).default(120_000),
  /** Leasing slows down when profiles has not yet read more than this number of observations. */
  MERGE_LAG_MAX: integer({ min: 1, max: 1_000_000 }).default(500),
  /** The maximum time from a claim to its scan request. Afterwards the claim may be dropped. */
  CLAIM_WAIT_MS: duration(1_000).default(60_000),
  /** The pause between two visits of a domain. Default 30 s; 1 s outside production. */
  VISIT_INTERVAL_MS: duration().optional(),
  /** The pause after the first failed attempt. It doubles with each further failed attempt. */
  RETRY_BACKOFF_MS: duration().default(2_000),
  /** Up to this age of a scan, interruptions of this system (a scanner stops, Kafka is unavailable) cost no attempt. */
  INTERRUPTION_GRACE_MS: duration().default(1_800_000),
  /**
   * The maximum time from a job's claim to its end while no observation of it exists. The default is a minute below an hour, so that the
   * tick ends every job within the hour.
   */
  JOB_TIME_LIMIT_MS: integer({ min: 60_000, max: 24 * hourMs }).default(hourMs - 60_000),
  /** The interval at which the lease wait queue searches for work that arrived at other instances. */
  LEASE_POLL_MS: integer({ min: 10, max: 10_000 }).default(250),
  /** The maximum rate of requests to a registrable domain, over all scanners. */
  PACING_DOMAIN_REQUESTS_PER_SECOND: z.string().transform(rate).pipe(requestsPerSecond()).default(4),
  /** The maximum rate of requests to an address that belongs to no platform, over all scanners. */
  PACING_ADDRESS_REQUESTS_PER_SECOND: z.string().transform(rate).pipe(requestsPerSecond()).default(5),
  /** Networks with their own limits. The default is none; outside production it is the private networks, with high limits. */
  PACING_PLATFORMS: platforms.optional(),
  TICK_MS: integer({ min: 50, max: 60_000 }).default(1_000),
  /** The key that signs the permits of leases, as `id:key`. profiles has the public key. */
  PERMIT_SIGNING_KEY: signingKey().optional(),
  /** The age from which profiles are refreshed without a request. If not set, profiles are scanned only on request. */
  REFRESH_AFTER_DAYS: integer({ min: 1, max: 3_660 }).optional(),
  /** The maximum number of refreshes of all instances in a day (UTC). */
  REFRESHES_PER_DAY: integer({ min: 1, max: 1_000_000 }).default(defaultRefreshesPerDay),
  /** How long ended jobs and scans are kept. A retry of a permanent charge finds its jobs for as long as metering knows the charge. */
  JOB_RETENTION_DAYS: integer({ min: chargeRetentionMs / dayMs, max: 3_660 }).default(90),
});

export type ScanSchedulerConfig = z.output<typeof settings>;

/** Production requires its own key. Other systems use one that everybody can compute. */
const permitRule: Rule = (given) =>
  isProduction(given) && !given.PERMIT_SIGNING_KEY ? ['PERMIT_SIGNING_KEY: is required in production'] : [];

export const permitSigningKey = ({ PERMIT_SIGNING_KEY }: Pick<ScanSchedulerConfig, 'PERMIT_SIGNING_KEY'>) =>
  PERMIT_SIGNING_KEY ?? developmentSigningKey('scan-scheduler');

/** A budget without an age would look as if refreshes were enabled. */
const refreshRule: Rule = ({ REFRESH_AFTER_DAYS, REFRESHES_PER_DAY }) =>
  REFRESHES_PER_DAY && !REFRESH_AFTER_DAYS ? ['REFRESHES_PER_DAY: has no effect without REFRESH_AFTER_DAYS'] : [];

/** Returns the policy for the background refresh of stale profiles. Undefined when it is disabled. */
export function refreshPolicy({
  REFRESH_AFTER_DAYS: days,
  REFRESHES_PER_DAY: perDay,
}: Pick<ScanSchedulerConfig, 'REFRESH_AFTER_DAYS' | 'REFRESHES_PER_DAY'>): RefreshPolicy | undefined {
  return days === undefined ? undefined : { afterMs: days * dayMs, perDay };
}

export const loadConfig = (env: Environment): ScanSchedulerConfig =>
  readConfig(settings, env, [
    mongoRules,
    kafkaRules,
    grpcTlsRule('scan-scheduler'),
    permitRule,
    signingKeyRule('PERMIT_SIGNING_KEY'),
    refreshRule,
  ]);

/** The default is short outside production, so that tests and demo stores do not have to wait. */
export function visitIntervalMs(config: Pick<ScanSchedulerConfig, 'VISIT_INTERVAL_MS' | 'SHOPSCOPE_ENV'>): number {
  return config.VISIT_INTERVAL_MS ?? (config.SHOPSCOPE_ENV === 'production' ? 30_000 : 1_000);
}

/**
 * The addresses of test hosts, for systems outside production. The scanner never connects to such an address for a name of public DNS. No
 * server of anybody else therefore needs these pauses.
 */
const privateNetworks: Platform = {
  name: 'private',
  networks: ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7'].flatMap(
    (text) => parseNetwork(text) ?? [],
  ),
  requestsPerSecond: 100_000,
  domainRequestsPerSecond: 100_000,
};

export function pacingLimits(
  config: Pick<
    ScanSchedulerConfig,
    'PACING_DOMAIN_REQUESTS_PER_SECOND' | 'PACING_ADDRESS_REQUESTS_PER_SECOND' | 'PACING_PLATFORMS' | 'SHOPSCOPE_ENV'
  >,
): PacingLimits {
  return {
    domainRequestsPerSecond: config.PACING_DOMAIN_REQUESTS_PER_SECOND,
    addressRequestsPerSecond: config.PACING_ADDRESS_REQUESTS_PER_SECOND,
    platforms: config.PACING_PLATFORMS ?? (config.SHOPSCOPE_ENV === 'production' ? [] : [privateNetworks]),
  };
}
