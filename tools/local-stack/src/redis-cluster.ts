import type { Redis } from 'ioredis';
import type { StackPart } from './part.ts';
import { partOf, type RedisNodesOptions, redisNode, serverConfig, withRedis } from './redis-node.ts';

export interface RedisClusterOptions extends RedisNodesOptions {
  /** Of each node: its port for clients and its port for the other nodes. */
  ports: readonly { redis: number; bus: number }[];
}

const slots = 16_384;
const nodeTimeoutMs = 2_000;

/**
 * Redis Cluster of primaries without replicas. Each has an equal share of the slots.
 *
 * - A node ends -> its slots are unavailable until it is started again, and the other slots stay available.
 * - The stack starts again, also on other ports -> the nodes keep their slots and learn the new addresses.
 */
export function nativeRedisCluster(options: RedisClusterOptions): StackPart {
  const { ports, abort } = options;
  const nodes = ports.map(({ redis: port, bus }, index) =>
    redisNode({
      ...options,
      name: `redis-${index + 1}`,
      ports: [port, bus],
      config: ({ directory }) => [
        ...serverConfig(port, directory),
        'cluster-enabled yes',
        `cluster-port ${bus}`,
        `cluster-node-timeout ${nodeTimeoutMs}`,
        'cluster-require-full-coverage no',
      ],
    }),
  );
  const hosts = ports.map((each) => `127.0.0.1:${each.redis}`).join(',');
  return partOf({
    nodes,
    url: `redis+cluster://${hosts}`,
    introduce: () => introduce(ports),
    isComplete: () => isComplete(ports),
    abort,
  });
}

const clusterInfo = async (redis: Redis) => {
  const text = String(await redis.call('CLUSTER', 'INFO'));
  return (name: string) => new RegExp(`^${name}:(\\w+)`, 'm').exec(text)?.[1];
};

/** At the first start the nodes get their slots. Later they only learn each other's addresses. */
async function introduce(ports: RedisClusterOptions['ports']): Promise<void> {
  const share = Math.ceil(slots / ports.length);
  for (const [index, { redis: port }] of ports.entries()) {
    await withRedis(port, async (redis) => {
      const isNew = (await clusterInfo(redis))('cluster_slots_assigned') === '0';
      if (isNew) {
        // Without an epoch of its own a node would have to agree on one first, and the cluster would be unavailable meanwhile.
        await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
        await redis.call('CLUSTER', 'ADDSLOTSRANGE', index * share, Math.min(slots, (index + 1) * share) - 1);
      }
      for (const other of ports.slice(0, index)) {
        await redis.call('CLUSTER', 'MEET', '127.0.0.1', other.redis, other.bus);
      }
    });
  }
}

/** Whether every node serves the cluster and knows the current address of each node. */
async function isComplete(ports: RedisClusterOptions['ports']): Promise<boolean> {
  const states = await Promise.all(
    ports.map(({ redis: port }) =>
      withRedis(port, async (redis) => {
        const info = await clusterInfo(redis);
        const nodes = String(await redis.call('CLUSTER', 'NODES'));
        const isKnown = ports.every((each) => nodes.includes(`:${each.redis}@${each.bus}`));
        return isKnown && info('cluster_state') === 'ok' && info('cluster_slots_ok') === String(slots);
      }).catch(() => false),
    ),
  );
  return states.every(Boolean);
}
