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
  secondRedisRules,
  secondRedisSettings,
  secret,
  secretRule,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';
import { defaultLimits } from './idempotency/stored-bytes.ts';

/** The prefix of the settings of the Redis for stored responses. */
export const idempotencyRedis = 'IDEMPOTENCY_REDIS';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ADMIN_PORT: port().default(9080),
  HTTP_PORT: port().default(8080),
  /** The port of the internal listener. Only the dashboard connects to it, and only with its own keys. */
  INTERNAL_PORT: port().default(8081),
  ...kafkaSettings,
  ...redisSettings,
  KEYS_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  METERING_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  SUBSCRIPTIONS_ADDRESS: grpcTarget(),
  WEBHOOKS_ADDRESS: grpcTarget(),
  SEARCH_ADDRESS: grpcTarget(),
  PUBLIC_API_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  PUBLIC_SITE_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** The secret that signs page cursors and entity tags. It is the same for all gateways. */
  CURSOR_SECRET: secret(),
  /** The number of gateways that share the limits of a key while Redis is unavailable. */
  REPLICAS: integer({ min: 1, max: 1_000 }).default(1),
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is used. By default there are none, because every caller can send it. */
  TRUSTED_PROXIES: list()
    .refine((ranges) => ranges.every(isAddressOrRange), 'must be a list of addresses or CIDR ranges')
    .default([]),
  /**
   * The number of different refused keys per minute and client address. Above it, unfamiliar keys of the address get one look-up per
   * second. 60 is more than the broken keys of an office, and too few to guess keys or to overload the keys service.
   */
  AUTH_FAILURES_PER_MINUTE: integer({ min: 1, max: 1_000_000 }).default(60),
  /** The number of connections whose latest request was not admitted. Above it, the address with most of them loses its oldest one. */
  ANONYMOUS_CONNECTIONS_MAX: integer({ min: 10, max: 1_000_000 }).default(2_000),
  ANONYMOUS_CONNECTIONS_PER_ADDRESS: integer({ min: 1, max: 1_000_000 }).default(500),
  /** The number of requests without a key per minute, client address and gateway. It suffices for a monitor that asks every second. */
  PUBLIC_REQUESTS_PER_MINUTE: integer({ min: 1, max: 10_000_000 }).default(300),
  KEY_CACHE_MAX: integer({ min: 100, max: 10_000_000 }).default(100_000),
  /** Bytes of Redis for the stored responses of one workspace. */
  IDEMPOTENCY_MAX_BYTES: integer({ min: 1, max: 100_000_000_000 }).default(defaultLimits.workspaceBytes),
  /** Bytes of Redis for the stored responses of all workspaces. Light workspaces may use a quarter more. */
  IDEMPOTENCY_TOTAL_MAX_BYTES: integer({ min: 1, max: 999_999_999_999 }).default(defaultLimits.totalBytes),
  /** The Redis of stored responses. The default is the Redis of REDIS_URL. */
  ...secondRedisSettings(idempotencyRedis),
  /** Whether the requests of each workspace are published for the request log of the dashboard. */
  REQUEST_LOG: flag().default(true),
  /** The percentage of free successes that are logged at info. The rest is logged at debug. Billed requests are always logged at info. */
  LOG_SUCCESS_PERCENT: integer({ min: 0, max: 100 }).default(0),
});

export type GatewayConfig = z.output<typeof settings>;

/** Throws ConfigError with all invalid settings. */
export function loadConfig(env: Environment): GatewayConfig {
  return readConfig(settings, env, [
    kafkaRules,
    redisRules,
    secondRedisRules(idempotencyRedis),
    secretRule('CURSOR_SECRET'),
    grpcTlsRule('gateway'),
  ]);
}
