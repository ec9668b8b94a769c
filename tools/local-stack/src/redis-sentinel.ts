import { rm } from 'node:fs/promises';
import { nativeNodes } from './native-nodes.ts';
import type { StackPart } from './part.ts';
import { withRedis } from './redis-connection.ts';
import {
  configFile,
  processConfig,
  type RedisNodesOptions,
  readConfig,
  redisNode,
  serverConfig,
} from './redis-node.ts';

export interface RedisSentinelOptions extends RedisNodesOptions {
  /** Two servers, and three Sentinels. */
  ports: { redis: readonly [number, number]; sentinel: readonly [number, number, number] };
}

const primaryName = 'shopscope';
const quorum = 2;
const downAfterMs = 2_000;

/**
 * A primary, a replica and three Sentinels, of which two agree on a failover.
 *
 * - The primary ends -> the replica is the primary a few seconds later, unless the primary is started again before.
 * - A server starts while the other one is the primary -> it is a replica.
 * - The stack starts again, also on other ports -> the last primary is the primary.
 */
export function nativeRedisSentinel(options: RedisSentinelOptions): StackPart {
  const { stateDir, ports, abort } = options;
  const names = ports.redis.map((_, index) => `redis-${index + 1}`);
  const sentinelNames = ports.sentinel.map((_, index) => `sentinel-${index + 1}`);
  let firstPrimary = 0;
  const servers = ports.redis.map((port, index) =>
    redisNode({
      ...options,
      name: names[index] as string,
      ports: [port],
      async config({ directory, previous }) {
        const other = ports.redis[1 - index] as number;
        const replica = `replicaof 127.0.0.1 ${other}`;
        if (previous === '') return [...serverConfig(port, directory), ...(index === firstPrimary ? [] : [replica])];
        const kept = previous.split('\n');
        return (await isPrimary(other)) ? [...kept.filter((line) => !line.startsWith('replicaof')), replica] : kept;
      },
    }),
  );
  const sentinels = ports.sentinel.map((port, index) =>
    redisNode({
      ...options,
      name: sentinelNames[index] as string,
      ports: [port],
      isSentinel: true,
      config: ({ directory, previous }) =>
        previous === ''
          ? [
              ...processConfig(port, directory),
              `sentinel monitor ${primaryName} 127.0.0.1 ${ports.redis[firstPrimary]} ${quorum}`,
              `sentinel down-after-milliseconds ${primaryName} ${downAfterMs}`,
              `sentinel failover-timeout ${primaryName} 10000`,
            ]
          : previous.split('\n'),
    }),
  );
  const hosts = ports.sentinel.map((port) => `127.0.0.1:${port}`).join(',');
  const part = nativeNodes({
    name: 'redis',
    url: `redis+sentinel://${hosts}/${primaryName}`,
    nodes: [...servers, ...sentinels],
    readyTimeoutMs: 60_000,
    abort,
    probe: () => requireComplete(ports.sentinel),
  });
  return {
    ...part,
    async start() {
      // The stored addresses may no longer hold, so every configuration is written anew.
      firstPrimary = await lastPrimary(stateDir, names, sentinelNames);
      for (const name of [...names, ...sentinelNames]) await rm(configFile(stateDir, name), { force: true });
      await part.start();
    },
  };
}

/** The index of the last primary. Right after a failover only the servers know it, and while the old primary is down only the Sentinels. */
async function lastPrimary(stateDir: string, names: readonly string[], sentinels: readonly string[]): Promise<number> {
  const configs = await Promise.all(names.map((name) => readConfig(stateDir, name)));
  const primaries = configs.filter((text) => !/^replicaof /m.test(text));
  if (primaries.length === 1) return configs.indexOf(primaries[0] as string);
  const views = await Promise.all(
    sentinels.map(async (name) => {
      const text = await readConfig(stateDir, name);
      const epoch = Number(/^sentinel config-epoch \S+ (\d+)/m.exec(text)?.[1] ?? -1);
      return { epoch, port: /^sentinel monitor \S+ \S+ (\d+)/m.exec(text)?.[1] };
    }),
  );
  const { port } = views.reduce((best, each) => (each.epoch > best.epoch ? each : best));
  return Math.max(
    0,
    configs.findIndex((text) => text.includes(`\nport ${port}\n`)),
  );
}

const isPrimary = (port: number): Promise<boolean> =>
  withRedis(port, async (redis) => (await redis.role())[0] === 'master').catch(() => false);

/** Rejects until every Sentinel knows the others and a replica, so that a failover can succeed. */
async function requireComplete(sentinels: readonly number[]): Promise<void> {
  for (const port of sentinels) {
    const [others, replicas] = await withRedis(
      port,
      (redis) =>
        Promise.all([
          redis.call('SENTINEL', 'SENTINELS', primaryName),
          redis.call('SENTINEL', 'REPLICAS', primaryName),
        ]) as Promise<[unknown[], string[][]]>,
    );
    if (others.length === sentinels.length - 1 && replicas.some((fields) => fields.includes('ok'))) continue;
    throw new Error(`the Sentinel at port ${port} does not know all others and a replica`);
  }
}
