import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';
import { nativeRedisCluster } from './redis-cluster.ts';
import { nativeRedisSentinel } from './redis-sentinel.ts';

const report = () => {};

/** Native servers of Redis for one test file. Their data are deleted when they stop. */
function temporaryServers(cacheDir: string) {
  const stateDir = mkdtempSync(join(tmpdir(), 'redis-'));
  return { cacheDir, report, stateDir, remove: () => rmSync(stateDir, { recursive: true, force: true }) };
}

export async function startTemporaryRedis(cacheDir: string) {
  const { remove, ...own } = temporaryServers(cacheDir);
  const part = nativeRedis({ ...own, port: await freePort() });
  await part.start();
  return { url: part.url, nodes: part.nodes, stop: () => part.stop().finally(remove) };
}

export async function startTemporarySentinel(cacheDir: string) {
  const { remove, ...own } = temporaryServers(cacheDir);
  const ports = {
    redis: [await freePort(), await freePort()],
    sentinel: [await freePort(), await freePort(), await freePort()],
  } as const;
  const part = nativeRedisSentinel({ ...own, ports });
  await part.start();
  return {
    nodes: part.nodes,
    sentinels: ports.sentinel.map((port) => ({ host: '127.0.0.1', port })),
    stop: () => part.stop().finally(remove),
  };
}

export async function startTemporaryCluster(cacheDir: string) {
  const { remove, ...own } = temporaryServers(cacheDir);
  const ports = await Promise.all([1, 2, 3].map(async () => ({ redis: await freePort(), bus: await freePort() })));
  const part = nativeRedisCluster({ ...own, ports });
  await part.start();
  return {
    nodes: part.nodes,
    ports: ports.map(({ redis }) => redis),
    addresses: ports.map(({ redis: port }) => ({ host: '127.0.0.1', port })),
    stop: () => part.stop().finally(remove),
  };
}
