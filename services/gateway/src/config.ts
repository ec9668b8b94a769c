import {
  type Environment,
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
import { isAddressRange } from './domain/client-address.ts';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ADMIN_PORT: port().default(9080),
  HTTP_PORT: port().default(8080),
  ...kafkaSettings,
  ...redisSettings,
  KEYS_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  METERING_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  PUBLIC_API_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  PUBLIC_SITE_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** Signs page cursors; the same for all gateways. */
  CURSOR_SECRET: z.string().min(32, 'must have at least 32 characters'),
  /** Gateways that share a key's limits while Redis is away. */
  REPLICAS: integer({ min: 1, max: 1_000 }).default(1),
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed; none unless said, for anybody can write that header. */
  TRUSTED_PROXIES: list()
    .refine((ranges) => ranges.every(isAddressRange), 'must be a list of addresses or CIDR ranges')
    .default([]),
  /**
   * Different refused keys per minute and client address before unfamiliar ones from there get one look-up a second. 60 is
   * more than an office has broken at once, and too few to be of use to a guesser or a burden to keys.
   */
  AUTH_FAILURES_PER_MINUTE: integer({ min: 1, max: 1_000_000 }).default(60),
  KEY_CACHE_MAX: integer({ min: 100, max: 10_000_000 }).default(100_000),
  /** Kept idempotent answers of one workspace, compressed. */
  IDEMPOTENCY_MAX_BYTES: integer({ min: 1, max: 100_000_000_000 }).default(512 * 1024 * 1024),
  /** Successful requests that bill nothing: logged at info, in percent; the rest at debug. Those that bill are all logged at info. */
  LOG_SUCCESS_PERCENT: integer({ min: 0, max: 100 }).default(0),
});

export type GatewayConfig = z.output<typeof settings>;

/** Throws ConfigError with every fault at once. */
export function loadConfig(env: Environment): GatewayConfig {
  return readConfig(settings, env, [kafkaRules, redisRules, grpcTlsRule('gateway')]);
}
