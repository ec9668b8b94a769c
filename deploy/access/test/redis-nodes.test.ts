import { resolve } from 'node:path';
import { beginSlotMove, type StackNode, startTemporaryCluster, startTemporarySentinel } from '@shopscope/local-stack';
import { createRedis, defineScript } from '@shopscope/redis';
import { silentTelemetry, waitUntil } from '@shopscope/testing';
import { Redis as IoRedis } from 'ioredis';
import { expect, it } from 'vitest';
import { redisAcl, redisUsers } from '../src/redis.ts';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const [gateway] = redisUsers as [(typeof redisUsers)[number]];
const credentials = { username: gateway.user, password: 'a password' };
const options = { credentials, keyPrefix: gateway.keyPrefix, ...silentTelemetry() };
const write = defineScript({ name: 'write', lua: "return redis.call('INCR', KEYS[1])" });

/** Adds a user by its line of the ACL file. */
async function addUser({ port }: Pick<StackNode, 'port'>, line: string) {
  const admin = new IoRedis(port);
  const [, name = '', ...rules] = line.split(' ');
  const password = rules.findIndex((rule) => rule.startsWith('>'));
  // A password may have spaces here, but not in a file.
  await admin
    .call('ACL', 'SETUSER', name, ...rules.with(password, `>${credentials.password}`))
    .finally(() => admin.disconnect());
}

it('the user of the gateway reads and writes in Redis Cluster, also while a slot moves, and sees no other keys', async () => {
  const own = await startTemporaryCluster(cacheDir);
  const redis = createRedis({ ...options, cluster: own.addresses });
  try {
    for (const node of own.nodes) await addUser(node, redisAcl(gateway, '>password'));
    await waitUntil('Redis', () => redis.available);
    for (let n = 0; n < 12; n++) expect(await write(redis, [`key:{${n}}`], [])).toBe(1);
    const move = await beginSlotMove({ ports: own.ports, slot: redis.slotOf('key:{1}') });
    await move.moveKeys();
    expect(await write(redis, ['key:{1}'], [])).toBe(2);
    await move.end();
    expect(await write(redis, ['key:{1}'], [])).toBe(3);
    await expect(redis.client.cluster('RESET')).rejects.toThrow('NOPERM');
    await expect(
      redis.client.call('EVAL', "return redis.call('GET', 'dashboard:a')", 1, 'dashboard:a'),
    ).rejects.toThrow('No permissions');
  } finally {
    await redis.close();
    await own.stop();
  }
});

it('the user of the gateway finds the primary through Sentinels with a user that may ask for nothing else', async () => {
  const own = await startTemporarySentinel(cacheDir);
  for (const node of own.nodes.slice(0, 2)) await addUser(node, redisAcl(gateway, '>password'));
  const line = 'user gateway reset on >password -@all +@connection +sentinel|get-master-addr-by-name';
  for (const sentinel of own.sentinels) await addUser(sentinel, line);
  const servers = { sentinels: own.sentinels, primaryName: 'shopscope', sentinelCredentials: credentials };
  const redis = createRedis({ ...options, ...servers });
  try {
    await waitUntil('Redis', () => redis.available);
    expect(await write(redis, ['key'], [])).toBe(1);
  } finally {
    await redis.close();
    await own.stop();
  }
});
