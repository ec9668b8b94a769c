import type { RedisConnectionOptions } from './redis.ts';

export const defaults = { commandTimeoutMs: 500, heartbeatMs: 1_000, memoryIntervalMs: 10_000 } as const;

const maxReconnectMs = 1_000;
/** A connection is replaced if commands wait and no response arrives for this long. */
const maxSilenceMs = 3_000;
export const connectTimeoutMs = 1_000;

export const reconnectDelayMs = (attempt: number): number => Math.min(maxReconnectMs, 50 * 2 ** attempt);

/** The options of each connection to a server, whatever the form of Redis. */
export const connectionOptions = (options: RedisConnectionOptions) => ({
  ...options.credentials,
  ...(options.tls && { tls: options.tls }),
  maxRetriesPerRequest: 0,
  connectTimeout: connectTimeoutMs,
  commandTimeout: options.commandTimeoutMs ?? defaults.commandTimeoutMs,
  socketTimeout: maxSilenceMs,
});
