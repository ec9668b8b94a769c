import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisBinary } from './artifacts.ts';
import { type NativeNode, type NativeServerOptions, nativeNode } from './native.ts';
import { withRedis } from './redis-connection.ts';

export type RedisNodesOptions = Omit<NativeServerOptions, 'port' | 'isTemporary'>;

export interface RedisNodeOptions extends RedisNodesOptions {
  name: string;
  /** Ports that must be free. The first is for clients. */
  ports: readonly [number, ...number[]];
  isSentinel?: boolean;
  /** Returns the lines of the next configuration file. `previous` is the last one, which the server may have changed, or empty at the first start. */
  config(node: { directory: string; previous: string }): Promise<readonly string[]> | readonly string[];
}

/** Returns one of several `redis-server` processes: a server or a Sentinel. Its directory has its configuration file and its data. */
export function redisNode(options: RedisNodeOptions): NativeNode {
  const { name, ports, isSentinel, stateDir, cacheDir, report, abort } = options;
  const named = (port: number) => ({ port, variable: 'SHOPSCOPE_REDIS_PORT' });
  const [port, ...others] = ports;
  return nativeNode({
    name,
    ports: [named(port), ...others.map(named)],
    stateDir,
    abort,
    readyTimeoutMs: 60_000,
    async command() {
      const command = await redisBinary({ cacheDir, report, abort });
      const directory = nodeDirectory(stateDir, name);
      const previous = await readConfig(stateDir, name);
      await mkdir(directory, { recursive: true });
      const lines = await options.config({ directory, previous });
      await writeFile(configFile(stateDir, name), `${lines.join('\n')}\n`);
      return { command, args: [configFile(stateDir, name), ...(isSentinel ? ['--sentinel'] : [])] };
    },
    probe: () => withRedis(port, (redis) => redis.ping()),
  });
}

const nodeDirectory = (stateDir: string, name: string) => join(stateDir, 'data', name);
export const configFile = (stateDir: string, name: string) => join(nodeDirectory(stateDir, name), 'redis.conf');

/** The configuration file of a node, or an empty text if there is none. */
export const readConfig = (stateDir: string, name: string): Promise<string> =>
  readFile(configFile(stateDir, name), 'utf8').catch(() => '');

/** The settings of every process. A process title would hide the command line, by which a later start identifies leftover processes. */
export const processConfig = (port: number, directory: string): string[] => [
  'bind 127.0.0.1',
  `port ${port}`,
  `dir ${directory}`,
  'set-proc-title no',
];

/** The settings of every server. As the single server, it has an append-only file and no eviction. */
export const serverConfig = (port: number, directory: string): string[] => [
  ...processConfig(port, directory),
  'appendonly yes',
  'appendfsync everysec',
  'save ""',
  'maxmemory-policy noeviction',
];
