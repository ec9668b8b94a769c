import {
  type Environment,
  grpcTarget,
  integer,
  kafkaRules,
  kafkaSettings,
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
  /** Between not ready and refusing: how long balancers may take to notice. */
  DRAIN_DELAY_MS: integer({ min: 0, max: 60_000 }).optional(),
  KEY_CACHE_MAX: integer({ min: 100, max: 10_000_000 }).default(100_000),
  /** Kept idempotent answers of one workspace, compressed. */
  IDEMPOTENCY_MAX_BYTES: integer({ min: 1, max: 100_000_000_000 }).default(512 * 1024 * 1024),
  /** Successful requests logged at info, in percent; the rest are logged at debug. */
  LOG_SUCCESS_PERCENT: integer({ min: 0, max: 100 }).default(0),
});

export type GatewayConfig = z.output<typeof settings>;

/** Throws ConfigError with every fault at once. */
export function loadConfig(env: Environment): GatewayConfig {
  return readConfig(settings, env, [kafkaRules, redisRules]);
}

/** Production balancers need some seconds; elsewhere nobody balances. */
export function drainDelayMs(config: Pick<GatewayConfig, 'DRAIN_DELAY_MS' | 'SHOPSCOPE_ENV'>): number {
  return config.DRAIN_DELAY_MS ?? (config.SHOPSCOPE_ENV === 'production' ? 5_000 : 0);
}
