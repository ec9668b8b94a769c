import { startPeriodicLoop } from '@shopscope/async';
import { Cluster, type Redis as IoRedis } from 'ioredis';
import { connectionOptions, defaults, reconnectDelayMs } from './connection.ts';
import { createMetrics, fieldOf } from './metrics.ts';
import type { Redis, RedisAddress, RedisConnectionOptions } from './redis.ts';
import { clusterSlots, slotOf, tagOfSlot } from './slots.ts';

const slotsRefreshMs = 5_000;
const slotsRefreshTimeoutMs = 1_000;
/** While a slot moves, a command of several keys is redirected many times, and waits for its other keys. */
const maxRedirections = 20;
/** The part of a command's time limit that these waits may take. Past the time limit, the node would seem to be unavailable. */
const waitingShare = 0.8;
/** The pause after which a command is repeated whose node has just become known, and is not connected yet. */
const connectingMs = 10;

interface NodeState {
  id: string;
  isHealthy: boolean;
  readonly available: boolean;
}

/** Redis Cluster. A failing node affects its own slots only. */
export function openCluster(options: { cluster: readonly RedisAddress[] } & RedisConnectionOptions): Redis {
  const { logger, keyPrefix, heartbeatMs, memoryIntervalMs } = { ...defaults, ...options };
  const cluster = new Cluster([...options.cluster], {
    redisOptions: connectionOptions(options),
    keyPrefix,
    enableOfflineQueue: false,
    // Host names are not resolved here, because certificates contain host names.
    dnsLookup: (address, callback) => callback(null, address),
    clusterRetryStrategy: reconnectDelayMs,
    slotsRefreshInterval: slotsRefreshMs,
    slotsRefreshTimeout: slotsRefreshTimeoutMs,
    maxRedirections,
    retryDelayOnTryAgain: tryAgainMs(options.commandTimeoutMs ?? defaults.commandTimeoutMs),
    retryDelayOnFailover: connectingMs,
    retryDelayOnClusterDown: 0,
  });
  cluster.on('+node', failSentCommands);
  const metrics = createMetrics(options.registry, options.use ?? 'all');
  const states = new Map<string, NodeState>();
  let closed = false;

  const stateOf = (id: string): NodeState => {
    const state = states.get(id) ?? {
      id,
      isHealthy: false,
      get available() {
        return this.isHealthy && cluster.status === 'ready';
      },
    };
    states.set(id, state);
    return state;
  };
  const report = (id: string, isHealthy: boolean) => {
    const state = stateOf(id);
    if (isHealthy !== state.isHealthy && !closed) {
      logger[isHealthy ? 'info' : 'warn']({ node: id }, `redis ${isHealthy ? 'available' : 'unavailable'}`);
    }
    state.isHealthy = isHealthy;
    metrics.available(id, isHealthy);
  };
  const checkNodes = async () => {
    const owners = ownersOf(cluster.slots);
    for (const id of states.keys()) {
      if (owners.has(id)) continue;
      states.delete(id);
      metrics.forget(id);
    }
    // Only the primary of a slot answers commands about its keys.
    const check = ([id, slot]: [string, number]) =>
      cluster.exists(keyIn(slot, 'heartbeat')).then(
        () => report(id, true),
        () => report(id, false),
      );
    await Promise.all([...owners].map(check));
    if (![...states.values()].every(({ isHealthy }) => isHealthy)) cluster.refreshSlotsCache();
  };
  cluster.on('ready', () => void checkNodes());
  cluster.on('-node', ({ options: { host, port } }: IoRedis) => {
    if (states.has(`${host}:${port}`)) report(`${host}:${port}`, false);
  });
  cluster.on('error', (error: Error) => logger.debug({ err: error }, 'redis connection error'));
  cluster.on('node error', (error: Error) => logger.debug({ err: error }, 'redis connection error'));

  const heartbeat = startPeriodicLoop({
    intervalMs: heartbeatMs,
    async run() {
      if (cluster.status === 'ready') await checkNodes();
    },
    onError: (error) => logger.debug({ err: error }, 'the nodes of redis cannot be checked'),
  });
  const memory = startPeriodicLoop({
    intervalMs: memoryIntervalMs,
    async run() {
      if (cluster.status !== 'ready') return;
      const info = String(await cluster.cluster('INFO'));
      const isServing = fieldOf(info, 'cluster_state') === 'ok';
      metrics.unavailableSlots(clusterSlots - (isServing ? Number(fieldOf(info, 'cluster_slots_ok')) : 0));
      const read = async (node: IoRedis) =>
        metrics.memory(`${node.options.host}:${node.options.port}`, await node.info('memory'));
      await Promise.all(cluster.nodes('master').map(read));
    },
    onError: (error) => logger.debug({ err: error }, 'the memory of redis cannot be read'),
  });

  const prefixedSlotOf = (key: string) => slotOf(`${keyPrefix}${key}`);
  const unassigned = { id: 'unassigned', available: false };
  return {
    client: cluster as unknown as IoRedis,
    slots: clusterSlots,
    slotOf: prefixedSlotOf,
    keyIn,
    keysOfNodes: (name) => [...ownersOf(cluster.slots).values()].map((slot) => keyIn(slot, name)),
    nodeOf(key) {
      const id = cluster.slots[prefixedSlotOf(key)]?.[0];
      return id === undefined ? unassigned : stateOf(id);
    },
    get available() {
      return cluster.status === 'ready' && states.size > 0 && [...states.values()].every(({ available }) => available);
    },
    async close() {
      closed = true;
      await Promise.all([heartbeat.stop(), memory.stop()]);
      // The response to a PING comes after the responses to all earlier commands of its node, or at the time limit.
      if (cluster.status === 'ready') await Promise.allSettled(cluster.nodes('master').map((node) => node.ping()));
      cluster.disconnect();
    },
  };
}

/**
 * ioredis repeats a command that fails because a node is not connected. When a connection is closed, it fails the commands that were sent
 * in the same way, but their outcome is unknown. They therefore fail with another error before that.
 */
function failSentCommands(node: IoRedis): void {
  const { flushQueue } = node as unknown as { flushQueue(error: Error, queues: { offlineQueue: boolean }): void };
  node.on('connect', () => {
    const fail = () =>
      flushQueue.call(node, new Error('the connection was closed before the response'), { offlineQueue: false });
    node.stream.prependOnceListener('close', fail);
  });
}

const keyIn = (slot: number, name: string) => `${name}:{${tagOfSlot(slot)}}`;

/** The pause between two tries of such a command. All tries together stay below the time limit. */
const tryAgainMs = (commandTimeoutMs: number): number =>
  Math.floor((commandTimeoutMs * waitingShare) / maxRedirections);

/** The node that serves each slot, with one of its slots. */
function ownersOf(slots: readonly (readonly string[])[]): Map<string, number> {
  const owners = new Map<string, number>();
  for (const [slot, [id] = []] of slots.entries()) {
    if (id !== undefined && !owners.has(id)) owners.set(id, slot);
  }
  return owners;
}
