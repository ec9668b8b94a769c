import type { Redis } from 'ioredis';
import { nativeNodes } from './native-nodes.ts';
import type { StackPart } from './part.ts';
import { withRedis } from './redis-connection.ts';
import { type RedisNodesOptions, redisNode, serverConfig } from './redis-node.ts';

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
  return nativeNodes({
    name: 'redis',
    url: `redis+cluster://${hosts}`,
    nodes,
    readyTimeoutMs: 60_000,
    abort,
    async probe() {
      await introduce(ports);
      await requireComplete(ports);
    },
  });
}

const clusterInfo = async (redis: Redis) => {
  const text = String(await redis.call('CLUSTER', 'INFO'));
  return (name: string) => new RegExp(`^${name}:(\\w+)`, 'm').exec(text)?.[1];
};

/** Whether the node knows this address of another node. */
const isKnownIn = (nodes: unknown, { redis, bus }: RedisClusterOptions['ports'][number]) =>
  String(nodes).includes(`:${redis}@${bus}`);

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
      const known = await redis.call('CLUSTER', 'NODES');
      for (const other of ports.slice(0, index).filter((each) => !isKnownIn(known, each))) {
        await redis.call('CLUSTER', 'MEET', '127.0.0.1', other.redis, other.bus);
      }
    });
  }
}

/** Rejects until every node serves the cluster and knows the current address of each node. */
async function requireComplete(ports: RedisClusterOptions['ports']): Promise<void> {
  for (const { redis: port } of ports) {
    await withRedis(port, async (redis) => {
      const info = await clusterInfo(redis);
      const known = await redis.call('CLUSTER', 'NODES');
      const isKnown = ports.every((each) => isKnownIn(known, each));
      const isServing = info('cluster_state') === 'ok' && info('cluster_slots_ok') === String(slots);
      if (!(isKnown && isServing)) throw new Error(`the node at port ${port} does not serve the whole cluster`);
    });
  }
}
