import { resolve } from 'node:path';
import { beginSlotMove, moveSlot, startTemporaryCluster } from '@shopscope/local-stack';
import { clusterSlots, createRedis, defineScript, type Redis } from '@shopscope/redis';
import { redisOptions, silentTelemetry, testNamespace, waitUntil } from '@shopscope/testing';
import type { Cluster, Redis as IoRedis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
let own: Awaited<ReturnType<typeof startTemporaryCluster>>;
let redis: Redis;
const { registry, logger } = silentTelemetry();
const countBoth = defineScript({
  name: 'count-both',
  lua: "return redis.call('INCR', KEYS[1]) + redis.call('INCR', KEYS[2])",
});
const both = (tag: string) => countBoth(redis, [`a:{${tag}}`, `b:{${tag}}`], []);
const nodeOf = (tag: string) => redis.nodeOf(`a:{${tag}}`);
/** Tags on each node, so that every node is used. */
const tags = Array.from({ length: 12 }, (_, n) => `tag-${n}`);

beforeAll(async () => {
  own = await startTemporaryCluster(cacheDir);
  const { url: _, ...options } = redisOptions(testNamespace('cluster'));
  redis = createRedis({ ...options, cluster: own.addresses, registry, logger, memoryIntervalMs: 50 });
  await waitUntil('Redis', () => redis.available);
});
afterAll(async () => {
  await redis?.close();
  await own?.stop();
});

it('the Redis client computes the slots of keys as Redis does, and a key in each slot', async () => {
  for (const key of ['plain', 'with {tag} and {another}', 'empty {} tag', 'open { tag', 'schlüssel', '']) {
    expect(redis.slotOf(key), key).toBe(
      Number(await redis.client.cluster('KEYSLOT', `${redis.client.options.keyPrefix}${key}`)),
    );
  }
  const slots = Array.from({ length: clusterSlots }, (_, slot) => redis.slotOf(redis.keyIn(slot, 'name')));
  expect(slots.every((slot, index) => slot === index)).toBe(true);
});

it('the Redis client sends a script to the node of its keys, and Redis refuses a script over two slots', async () => {
  expect(await Promise.all(tags.map(both))).toEqual(tags.map(() => 2));
  expect(new Set(tags.map((tag) => nodeOf(tag).id)).size).toBe(3);
  await expect(countBoth(redis, ['a:{1}', 'b:{2}'], [])).rejects.toThrow('CROSSSLOT');
});

it('the Redis client follows a slot that moves to another node', async () => {
  const tag = 'moving';
  expect(await both(tag)).toBe(2);
  const slot = redis.slotOf(`a:{${tag}}`);
  const move = await beginSlotMove({ ports: own.ports, slot });
  expect(await both(tag), 'before its keys move').toBe(4);
  await move.moveKeys();
  expect(await both(tag), 'after its keys have moved').toBe(6);
  await move.end();
  expect(await both(tag), 'at its new node').toBe(8);
  await waitUntil('the new node to be known', () => nodeOf(tag).id === `127.0.0.1:${move.target}`);
  await moveSlot({ ports: own.ports, slot });
  expect(await both(tag)).toBe(10);
});

it('a script of which only some keys have moved fails by the error of Redis, not by its time limit', async () => {
  const { url: _, ...options } = redisOptions(testNamespace('partly-moved'));
  const patient = createRedis({ ...options, cluster: own.addresses, commandTimeoutMs: 5_000 });
  await waitUntil('Redis', () => patient.available);
  await patient.client.set('a:{partly}', 1);
  const move = await beginSlotMove({ ports: own.ports, slot: patient.slotOf('a:{partly}') });
  await expect(countBoth(patient, ['a:{partly}', 'b:{partly}'], [])).rejects.toThrow('Too many Cluster redirections');
  await move.moveKeys();
  await move.end();
  expect(await countBoth(patient, ['a:{partly}', 'b:{partly}'], [])).toBe(3);
  await patient.close();
});

it('a script whose connection is closed before its response fails, and is executed once', async () => {
  const { url: _, ...options } = redisOptions(testNamespace('closed'));
  const patient = createRedis({ ...options, cluster: own.addresses, commandTimeoutMs: 5_000, heartbeatMs: 60_000 });
  await waitUntil('Redis', () => patient.available);
  const keys = ['a:{closed}', 'b:{closed}'];
  expect(await countBoth(patient, keys, [])).toBe(2);
  const [host, port] = patient.nodeOf('a:{closed}').id.split(':');
  const connection = (patient.client as unknown as Cluster)
    .nodes('master')
    .find((node) => node.options.host === host && node.options.port === Number(port)) as IoRedis;
  const { pid } = own.nodes.find((node) => node.port === Number(port)) as { pid: number };
  process.kill(pid, 'SIGSTOP');
  try {
    const refused = expect(countBoth(patient, keys, [])).rejects.toThrow('closed before the response');
    await waitUntil('the script to be sent', () => connection.stream.writableLength === 0);
    connection.stream.destroy();
    process.kill(pid, 'SIGCONT');
    await refused;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await waitUntil('the script to be executed', async () => (await patient.client.get('a:{closed}')) !== '1');
  expect(await countBoth(patient, keys, [])).toBe(6);
  await patient.close();
});

it('a killed node of a cluster fails only the commands for its own slots, until it is started again', {
  tags: ['wall-clock'],
}, async () => {
  const [killed] = own.nodes;
  const id = `127.0.0.1:${killed?.port}`;
  const [lost, kept] = [tags.filter((tag) => nodeOf(tag).id === id), tags.filter((tag) => nodeOf(tag).id !== id)];
  process.kill(killed?.pid as number, 'SIGKILL');
  await waitUntil('the node to be unavailable', () => !nodeOf(lost[0] as string).available);
  expect([redis.available, ...kept.map((tag) => nodeOf(tag).available)]).toEqual([false, ...kept.map(() => true)]);
  await Promise.all(kept.map(both));
  for (const tag of lost) await expect(both(tag)).rejects.toThrow();
  await killed?.start();
  await waitUntil('the cluster to be available', () => redis.available);
  await Promise.all(tags.map(both));
});

it('the Redis client reports the memory of every node and the slots that no node serves', async () => {
  const nodesOf = async (name: string) =>
    ((await registry.getSingleMetric(name)?.get())?.values ?? []).map(({ labels }) => labels.node).sort();
  const expected = own.ports.map((port) => `127.0.0.1:${port}`).sort();
  await waitUntil('the memory to be known', async () => (await nodesOf('redis_memory_used_bytes')).length === 3);
  expect([await nodesOf('redis_available'), await nodesOf('redis_memory_max_bytes')]).toEqual([expected, expected]);
  const slots = async () =>
    (await registry.getSingleMetric('redis_cluster_unavailable_slots')?.get())?.values[0]?.value;
  await waitUntil('all slots to be served', async () => (await slots()) === 0);
});
