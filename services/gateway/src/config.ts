import { isAddressOrRange } from '@shopscope/client-address';
import {
  type Environment,
  flag,
  grpcTarget,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  kafkaRules,
  kafkaSettings,
  list,
  port,
  readConfig,
  redisRules,
  redisSettings,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ADMIN_PORT: port().default(9080),
  HTTP_PORT: port().default(8080),
  /** Only the dashboard connects to it, and only with its own keys. */
  INTERNAL_PORT: port().default(8081),
  ...kafkaSettings,
  ...redisSettings,
  KEYS_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  METERING_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  PUBLIC_API_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  PUBLIC_SITE_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** The secret that signs page cursors. It is the same for all gateways. */
  CURSOR_SECRET: z.string().min(32, 'must have at least 32 characters'),
  /** The number of gateways that share the limits of a key while Redis is unavailable. */
  REPLICAS: integer({ min: 1, max: 1_000 }).default(1),
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is used. By default none, because every caller can send it. */
  TRUSTED_PROXIES: list()
    .refine((ranges) => ranges.every(isAddressOrRange), 'must be a list of addresses or CIDR ranges')
    .default([]),
  /**
   * Different refused keys per minute and client address, before unfamiliar keys of the address get one look-up per second.
   * 60 is more than the broken keys of an office, and too few to guess keys or to overload the keys service.
   */
  AUTH_FAILURES_PER_MINUTE: integer({ min: 1, max: 1_000_000 }).default(60),
  KEY_CACHE_MAX: integer({ min: 100, max: 10_000_000 }).default(100_000),
  /** Compressed bytes of the stored responses of one workspace. */
  IDEMPOTENCY_MAX_BYTES: integer({ min: 1, max: 100_000_000_000 }).default(512 * 1024 * 1024),
  /** Publishes the requests of each workspace for the request log of the dashboard. */
  REQUEST_LOG: flag().default(true),
  /** Percentage of free successes that are logged at info; the rest is at debug. Billed requests are always at info. */
  LOG_SUCCESS_PERCENT: integer({ min: 0, max: 100 }).default(0),
});

export type GatewayConfig = z.output<typeof settings>;

/** Throws ConfigError with all faults. */
export function loadConfig(env: Environment): GatewayConfig {
  return readConfig(settings, env, [kafkaRules, redisRules, grpcTlsRule('gateway')]);
}
