import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort, nativeRedisCluster, nativeRedisSentinel, startStack } from '@shopscope/local-stack';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const report = () => {};

/** Servers of Redis that only one test file uses. */
function ownServers() {
  const stateDir = mkdtempSync(join(tmpdir(), 'own-redis-'));
  return { cacheDir, report, stateDir, remove: () => rmSync(stateDir, { recursive: true, force: true }) };
}

export async function startOwnRedis() {
  const { remove, ...own } = ownServers();
  // Only Redis is started. The names of the other servers are not used.
  const env = { SHOPSCOPE_STACK: 'native', SHOPSCOPE_MONGODB_URL: 'unused', SHOPSCOPE_KAFKA_BROKERS: 'unused' };
  const stack = await startStack({ ...own, env });
  return { url: stack.redis.url, stop: () => stack.stop().finally(remove) };
}

export async function startOwnSentinel() {
  const { remove, ...own } = ownServers();
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

export async function startOwnCluster() {
  const { remove, ...own } = ownServers();
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
