import { startPeriodicLoop } from '@shopscope/async';
import { Gauge, type Logger, type Registry } from '@shopscope/telemetry';
import { Redis as IoRedis } from 'ioredis';

/**
 * One connection to Redis that answers quickly or not at all: no queue while it is away, no retries behind the caller's
 * back, a time bound per command. Commands of one event-loop turn travel together. What a service does without Redis is
 * the service's decision; {@link Redis.available} tells it: a heartbeat notices within two seconds a server that holds
 * the connection and does not answer. A command that fails by its bound may have been executed.
 *
 * The server is expected to keep an append-only file and to evict nothing.
 */
export interface Redis {
  client: IoRedis;
  /** False while the connection is down or heartbeats go unanswered. */
  readonly available: boolean;
  /** Waits for commands under way, within their bound, and disconnects. */
  close(): Promise<void>;
}

export interface RedisOptions {
  url: string;
  /** In place of credentials in the URL. */
  credentials?: { username?: string; password: string };
  /** For a rediss:// URL: what is trusted and, for servers that ask, this client's own certificate, as PEM. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Before every key that scripts and commands of this connection name. */
  keyPrefix: string;
  logger: Logger;
  registry: Registry;
  /** Default 500 ms. */
  commandTimeoutMs?: number;
  /** Default 1,000 ms. */
  heartbeatMs?: number;
}

const reconnectMaxMs = 1_000;
/** A connection that stays silent this long while commands wait is given up, and a new one is made. */
const silenceMs = 3_000;

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
    socketTimeout: silenceMs,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(reconnectMaxMs, 50 * 2 ** attempt),
  });
  let available = false;
  let closed = false;
  const gauge = new Gauge({ name: 'redis_available', help: '1 while Redis answers', registers: [options.registry] });
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
      // Answered after everything before it, or by its bound; without a connection there is nothing to wait for.
      if (client.status === 'ready') await client.ping().catch(() => {});
      client.disconnect();
    },
  };
}
