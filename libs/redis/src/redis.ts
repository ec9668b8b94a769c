import { startPeriodicLoop } from '@shopscope/async';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import { Redis as IoRedis } from 'ioredis';

/**
 * One connection to Redis that fails fast. The service decides how it works without Redis.
 *
 * - There is no offline queue and no hidden retry. Each command has a time limit.
 * - The commands of one event-loop turn are pipelined.
 * - The connection is lost -> commands fail at once; {@link Redis.available} is false.
 * - The server sends nothing -> commands fail after their time limit; a heartbeat sets `available` to false within two
 *   seconds.
 * - A command exceeds its time limit -> its outcome is unknown: it may have been executed.
 * - The memory of the server is read every 10 s for the metrics. If it cannot be read, the metrics keep their last value.
 * - The server must have an append-only file and no eviction.
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
  /** An alternative to credentials in the URL. */
  credentials?: { username?: string; password: string };
  /** For a rediss:// URL: the trusted authorities, and the client certificate for servers that request it, as PEM. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Prefix of every key in scripts and commands. */
  keyPrefix: string;
  /** The purpose of the connection: the label `use` of its metrics. A second connection of a process needs it. */
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
/** A connection is replaced if commands wait and no response arrives for this long. */
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

/** Parses the text of INFO memory. A `maxmemory` of 0 means no limit. */
function parseMemory(text: string): { usedBytes: number; maxBytes: number } {
  const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { usedBytes: numberOf('used_memory'), maxBytes: numberOf('maxmemory') };
}

/** The metrics of one connection. All connections of a process share them, with different values of `use`. */
function createMetrics(registry: Registry, use: string) {
  const gauge = (name: string, help: string) => metricsOf(registry).gauge(name, help, ['use']).labels({ use });
  return {
    available: gauge('redis_available', '1 while Redis responds'),
    usedBytes: gauge('redis_memory_used_bytes', 'Memory that Redis uses'),
    maxBytes: gauge('redis_memory_max_bytes', 'The setting maxmemory of Redis; 0 without a limit'),
  };
}
