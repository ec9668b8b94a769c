import { startPeriodicLoop } from '@shopscope/async';
import { Redis as IoRedis } from 'ioredis';
import { connectionOptions, connectTimeoutMs, defaults, reconnectDelayMs } from './connection.ts';
import { createMetrics, fieldOf } from './metrics.ts';
import type { Redis, RedisConnectionOptions, RedisServers } from './redis.ts';

type Servers = Exclude<RedisServers, { cluster: unknown }>;

const id = 'primary';

/** One server, or the primary that Sentinels name. */
export function openServer(options: Servers & RedisConnectionOptions): Redis {
  const { logger, heartbeatMs, memoryIntervalMs } = { ...defaults, ...options };
  const client = connect(options);
  const metrics = createMetrics(options.registry, options.use ?? 'all');
  let available = false;
  let closed = false;
  let history: string | undefined;
  const report = (state: boolean) => {
    if (state !== available && !closed) logger[state ? 'info' : 'warn'](`redis ${state ? 'available' : 'unavailable'}`);
    available = state;
    metrics.available(id, state);
  };
  report(false);
  /** A PING would succeed on a replica, which refuses all writes. */
  const isPrimary = async (): Promise<boolean> => {
    const info = await client.info('replication');
    const isReplica = fieldOf(info, 'role') !== 'master';
    metrics.replica(id, isReplica);
    report(!isReplica && client.status === 'ready');
    const current = fieldOf(info, 'master_replid');
    if (!isReplica && history !== current) {
      if (history !== undefined) metrics.primaryChanged();
      history = current;
    }
    return !isReplica;
  };
  client.on('ready', () => void isPrimary().catch(() => report(false)));
  client.on('close', () => report(false));
  client.on('error', (error: Error) => logger.debug({ err: error }, 'redis connection error'));

  const heartbeat = startPeriodicLoop({
    intervalMs: heartbeatMs,
    async run() {
      if (client.status !== 'ready' || (await isPrimary())) return;
      logger.debug('redis is a replica, so it is connected anew');
      client.disconnect(true);
    },
    onError: () => report(false),
  });
  const memory = startPeriodicLoop({
    intervalMs: memoryIntervalMs,
    async run() {
      if (client.status === 'ready') metrics.memory(id, await client.info('memory'));
    },
    onError: (error) => logger.debug({ err: error }, 'the memory of redis cannot be read'),
  });

  const node = {
    id,
    get available() {
      return available && client.status === 'ready';
    },
  };
  return {
    client,
    slots: 1,
    slotOf: () => 0,
    keyIn: (_slot, name) => name,
    keysOfNodes: (name) => [name],
    nodeOf: () => node,
    get available() {
      return node.available;
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

function connect(options: Servers & RedisConnectionOptions): IoRedis {
  const common = {
    ...connectionOptions(options),
    keyPrefix: options.keyPrefix,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    retryStrategy: reconnectDelayMs,
    // The server has become a replica. A new connection reaches the primary, by the name of the server or through the Sentinels. When a script
    // is refused, the word is not the first one of the error.
    reconnectOnError: ({ message }: Error) => /\bREADONLY\b/.test(message),
  };
  if ('url' in options) return new IoRedis(options.url, common);
  const { username, password } = options.sentinelCredentials ?? {};
  return new IoRedis({
    ...common,
    sentinels: [...options.sentinels],
    name: options.primaryName,
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(options.tls && { sentinelTLS: options.tls, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: connectTimeoutMs,
    sentinelRetryStrategy: reconnectDelayMs,
    // The addresses that Sentinels know of each other may be unreachable from here, or absent from their certificates.
    updateSentinels: false,
  });
}
