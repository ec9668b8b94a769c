import { startPeriodicLoop } from '@shopscope/async';
import { Gauge, type Logger, type Registry } from '@shopscope/telemetry';
import { Redis as IoRedis } from 'ioredis';

/**
 * A connection to Redis that fails fast. Each service decides what it does without Redis.
 *
 * - Commands of one event-loop turn are sent in one pipeline.
 * - No connection -> commands fail at once. There is no offline queue and no hidden retry.
 * - The server does not respond -> a command fails after `commandTimeoutMs`, and may have been executed. A heartbeat sets
 *   {@link Redis.available} to false within two seconds.
 * - The server has to keep an append-only file and to evict no keys.
 */
export interface Redis {
  client: IoRedis;
  /** False while there is no connection or heartbeats fail. */
  readonly available: boolean;
  /** Waits for commands in progress, at most their time limit, and disconnects. */
  close(): Promise<void>;
}

export interface RedisOptions {
  url: string;
  /** Instead of credentials in the URL. */
  credentials?: { username?: string; password: string };
  /** For a rediss:// URL, as PEM: the trusted CA and, for servers that require it, this client's certificate. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Prefix of every key in commands and scripts of this connection. */
  keyPrefix: string;
  logger: Logger;
  registry: Registry;
  /** Default 500 ms. */
  commandTimeoutMs?: number;
  /** Default 1,000 ms. */
  heartbeatMs?: number;
}

const maxReconnectMs = 1_000;
/** A connection without any response for this time, while commands wait, is replaced. */
const socketTimeoutMs = 3_000;

export function createRedis(options: RedisOptions): Redis {
  const { logger, commandTimeoutMs = 500, heartbeatMs = 1_000 } = options;
  const client = new IoRedis(options.url, {
    ...options.credentials,
    ...(options.tls && { tls: options.tls }),
    keyPrefix: options.keyPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: commandTimeoutMs,
    socketTimeout: socketTimeoutMs,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(maxReconnectMs, 50 * 2 ** attempt),
  });
  let available = false;
  let closed = false;
  const gauge = new Gauge({ name: 'redis_available', help: '1 while Redis responds', registers: [options.registry] });
  gauge.set(0);
  const report = (state: boolean) => {
    if (state !== available && !closed) logger[state ? 'info' : 'warn'](`redis ${state ? 'available' : 'unavailable'}`);
    available = state;
    gauge.set(state ? 1 : 0);
  };
  client.on('ready', () => report(true));
  client.on('close', () => report(false));
  client.on('error', (error: Error) => logger.debug({ err: error }, 'redis connection error'));

  const heartbeat = startPeriodicLoop({
    intervalMs: heartbeatMs,
    async run() {
      if (client.status !== 'ready') return;
      await client.ping();
      report(client.status === 'ready');
    },
    onError: () => report(false),
  });

  return {
    client,
    get available() {
      return available && client.status === 'ready';
    },
    async close() {
      closed = true;
      await heartbeat.stop();
      // The response to this ping follows the responses to all earlier commands.
      if (client.status === 'ready') await client.ping().catch(() => {});
      client.disconnect();
    },
  };
}
