import { createRedis, defineScript, type Redis } from '@shopscope/redis';
import { redisOptions, startTcpProxy, type TcpProxy, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

const addUp = defineScript({
  name: 'add-up',
  lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
});
const commandTimeoutMs = 200;

describe('Redis client', () => {
  const namespace = testNamespace('redis');
  let proxy: TcpProxy;
  let redis: Redis;
  const available = (state: boolean) =>
    waitUntil(`redis.available to be ${state}`, () => redis.available === state, { intervalMs: 5 });

  beforeEach(async () => {
    proxy = await startTcpProxy(new URL(namespace.redisUrl));
    redis = createRedis({
      ...redisOptions(namespace),
      url: `redis://127.0.0.1:${proxy.port}`,
      commandTimeoutMs,
      heartbeatMs: 50,
    });
    await available(true);
  });
  afterEach(async () => {
    await redis.close();
    await proxy.close();
  });
  afterAll(() => namespace.cleanup());

  it('the Redis client sends the text of a script that the server does not know, and runs it once', async () => {
    const unknown = defineScript({
      name: `unknown-${namespace.id}`,
      lua: "return redis.call('INCR', KEYS[1])",
    });
    expect(await unknown(redis, ['once'], [])).toBe(1);
    expect(await unknown(redis, ['once'], [])).toBe(2);
  });

  it('the Redis client prefixes the keys of scripts and of commands in the same way', async () => {
    await addUp(redis, ['sum'], [41]);
    await addUp(redis, ['sum'], [1]);
    expect(await redis.client.get('sum')).toBe('42');
  });

  it('the Redis client runs all scripts of one event-loop turn in their order', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => addUp(redis, ['turn'], [1])));
    expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it('a Redis command fails within its time limit when the server does not respond; the client is unavailable and recovers', {
    tags: ['wall-clock'],
  }, async () => {
    // The proxy stays frozen, so that only a time limit ends a command.
    proxy.freeze();
    await expect(addUp(redis, ['frozen'], [1])).rejects.toThrow('Command timed out');
    await expect(redis.client.get('frozen')).rejects.toThrow('Command timed out');
    await available(false);
    // The heartbeat detected it; the connection still exists.
    expect([redis.client.status, proxy.connections]).toEqual(['ready', 1]);
    proxy.thaw();
    await available(true);
    expect(await redis.client.ping()).toBe('PONG');
  });

  it('the Redis client fails commands at once while there is no connection, and reconnects by itself', async () => {
    await proxy.refuse();
    await available(false);
    // Neither its time limit nor the end of a connection attempt: the command is not queued.
    await expect(addUp(redis, ['down'], [1])).rejects.toThrow('enableOfflineQueue');
    await proxy.accept();
    await available(true);
    expect(await addUp(redis, ['down'], [1])).toBe(1);
  });

  it('the Redis client replaces a connection that does not respond', { tags: ['wall-clock'] }, async () => {
    proxy.freeze();
    await available(false);
    const connections = proxy.connections;
    await waitUntil('a new connection', () => proxy.connections > connections);
  });

  it('the Redis client reports the memory of the server and its limit, by the use of the connection', async () => {
    const { logger, registry } = redisOptions(namespace);
    const uses = ['limits', 'idempotency'];
    const both = uses.map((use) =>
      createRedis({ ...redisOptions(namespace), logger, registry, use, memoryIntervalMs: 20 }),
    );
    // By use: the connections' first answers set the order of the series.
    const values = async (name: string) =>
      Object.fromEntries(
        ((await registry.getSingleMetric(name)?.get())?.values ?? []).map(({ labels, value }) => [labels.use, value]),
      );
    const known = async () =>
      Object.values(await values('redis_memory_used_bytes')).filter((bytes) => Number(bytes) > 100_000);
    await waitUntil('the memory to be known', async () => (await known()).length === uses.length);
    expect(await values('redis_memory_max_bytes')).toEqual({ limits: 0, idempotency: 0 });
    expect(await values('redis_available')).toEqual({ limits: 1, idempotency: 1 });
    await Promise.all(both.map((each) => each.close()));
  });

  it('the Redis client waits for commands in progress before it closes', async () => {
    const running = addUp(redis, ['closing'], [1]);
    await redis.close();
    expect(await running).toBe(1);
  });
});
