import { startPeriodicLoop } from '@shopscope/async';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import { Redis as IoRedis } from 'ioredis';

/**
 * One connection to Redis that fails fast. The service decides what it does without Redis.
 *
 * - No offline queue, no hidden retries, a time limit per command.
 * - Commands of one event-loop turn are pipelined.
 * - Connection lost -> commands fail at once; {@link Redis.available} is false.
 * - The server is silent -> commands fail after their time limit; a heartbeat sets `available` to false within two
 *   seconds.
 * - A command fails by its time limit -> its outcome is unknown: it may have been executed.
 * - Memory of the server: read every 10 s for the metrics. It cannot be read -> the metrics keep their last value.
 * - Required of the server: an append-only file and no eviction.
 */
export interface Redis {
  client: IoRedis;
  /** False while the connection is down or heartbeats fail. */
  readonly available: boolean;
  /** Waits for commands in progress, within their time limit, and disconnects. */
  close(): Promise<void>;
}

export interface RedisOptions {
  url: string;
  /** Alternative to credentials in the URL. */
  credentials?: { username?: string; password: string };
  /** For a rediss:// URL: the trusted authorities and, for servers that request it, the client certificate, as PEM. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Prefix of every key in scripts and commands. */
  keyPrefix: string;
  /** What the connection is for: the label `use` of its metrics. Required of a second connection of a process. */
  use?: string;
  logger: Logger;
  registry: Registry;
  /** Default 500 ms. */
  commandTimeoutMs?: number;
  /** Default 1,000 ms. */
  heartbeatMs?: number;
  /** Default 10,000 ms. */
  memoryIntervalMs?: number;
}

const maxReconnectMs = 1_000;
/** A connection without a response for this long, while commands wait, is replaced. */
const maxSilenceMs = 3_000;

export function createRedis(options: RedisOptions): Redis {
  const { logger, commandTimeoutMs = 500, heartbeatMs = 1_000, memoryIntervalMs = 10_000 } = options;
  const client = new IoRedis(options.url, {
    ...options.credentials,
    ...(options.tls && { tls: options.tls }),
    keyPrefix: options.keyPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: commandTimeoutMs,
    socketTimeout: maxSilenceMs,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(maxReconnectMs, 50 * 2 ** attempt),
  });
  let available = false;
  let closed = false;
  const metrics = createMetrics(options.registry, options.use ?? 'all');
  metrics.available.set(0);
  const report = (state: boolean) => {
    if (state !== available && !closed) logger[state ? 'info' : 'warn'](`redis ${state ? 'available' : 'unavailable'}`);
    available = state;
    metrics.available.set(state ? 1 : 0);
  };
  const readMemory = async () => {
    const { usedBytes, maxBytes } = parseMemory(await client.info('memory'));
    metrics.usedBytes.set(usedBytes);
    metrics.maxBytes.set(maxBytes);
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
  const memory = startPeriodicLoop({
    intervalMs: memoryIntervalMs,
    async run() {
      if (client.status === 'ready') await readMemory();
    },
    onError: (error) => logger.debug({ err: error }, 'the memory of redis cannot be read'),
  });

  return {
    client,
    get available() {
      return available && client.status === 'ready';
    },
    async close() {
      closed = true;
      await Promise.all([heartbeat.stop(), memory.stop()]);
      // The response to this PING comes after the responses to all earlier commands, or at the time limit.
      if (client.status === 'ready') await client.ping().catch(() => {});
      client.disconnect();
    },
  };
}

/** The text of INFO memory. A `maxmemory` of 0 means no limit. */
function parseMemory(text: string): { usedBytes: number; maxBytes: number } {
  const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { usedBytes: numberOf('used_memory'), maxBytes: numberOf('maxmemory') };
}

/** The metrics of one connection. Connections of one process share them and differ in `use`. */
function createMetrics(registry: Registry, use: string) {
  const gauge = (name: string, help: string) => metricsOf(registry).gauge(name, help, ['use']).labels({ use });
  return {
    available: gauge('redis_available', '1 while Redis responds'),
    usedBytes: gauge('redis_memory_used_bytes', 'Memory that Redis uses'),
    maxBytes: gauge('redis_memory_max_bytes', 'The setting maxmemory of Redis; 0 without a limit'),
  };
}
