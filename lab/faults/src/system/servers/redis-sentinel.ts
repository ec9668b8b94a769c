import { withRedis } from '@shopscope/local-stack';
import { instantOf, nodeAt, type ServerNode } from './server-node.ts';

/** The name of the primary in the configuration of the sentinels. */
const primaryName = 'shopscope';

/** Asks the sentinels for the primary, and sends commands to the primary or to a sentinel. */
export function createRedisWithSentinel(nodes: readonly ServerNode[]) {
  const sentinels = nodes.filter(({ name }) => name.startsWith('sentinel-'));
  const servers = nodes.filter((node) => !sentinels.includes(node));
  const askSentinels = <T>(...command: [string, ...string[]]) =>
    Promise.any(sentinels.map(({ port }) => withRedis(port, (redis) => redis.call(...command) as Promise<T>)));
  const primary = async (): Promise<ServerNode> => {
    const [, port] = await askSentinels<[string, string]>('SENTINEL', 'get-master-addr-by-name', primaryName);
    return nodeAt(servers, Number(port));
  };
  const askPrimary = async <T>(...command: [string, ...string[]]) =>
    withRedis((await primary()).port, (redis) => redis.call(...command) as Promise<T>);
  return {
    /** Resolves to the name of the primary. */
    primary: async (): Promise<string> => (await primary()).name,
    /** Lets the sentinels promote the replica. */
    failOver: () => askSentinels('SENTINEL', 'FAILOVER', primaryName),
    /** Makes the primary a replica of its replica. The primary then refuses writes, and keeps the connections of its clients. */
    handOver: () => askPrimary('FAILOVER'),
    /** Resolves to the instant at which the primary that the sentinels name accepts a write. */
    untilWritable: (without = '') =>
      instantOf('a writable primary', async () => {
        const { name, port } = await primary();
        if (name === without) return undefined;
        return withRedis(port, (redis) => redis.set('faults:probe', '1'));
      }),
    /** Resolves to the instant at which the replica follows the primary, and the sentinels know both. */
    untilWhole: () =>
      instantOf('a replica that follows the primary', async () => {
        const info = String(await askPrimary('INFO', 'replication'));
        return (/^role:master/m.test(info) && /^slave0:.*state=online/m.test(info)) || undefined;
      }),
  };
}
