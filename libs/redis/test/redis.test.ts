import { createRedis, defineScript, type Redis } from '@shopscope/redis';
import { redisOptions, startTcpProxy, type TcpProxy, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

const addUp = defineScript({
  name: 'add-up',
  lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
});
const commandTimeoutMs = 200;

describe('the Redis client', () => {
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

  it('loads a script into a server without it, and runs it once', async () => {
    const unheard = defineScript({
      name: `unheard-${namespace.id}`,
      lua: "return redis.call('INCR', KEYS[1])",
    });
    expect(await unheard(redis, ['once'], [])).toBe(1);
    expect(await unheard(redis, ['once'], [])).toBe(2);
  });

  it('prefixes the keys of scripts like those of commands', async () => {
    await addUp(redis, ['sum'], [41]);
    await addUp(redis, ['sum'], [1]);
    expect(await redis.client.get('sum')).toBe('42');
  });

  it('returns to each of many scripts of one event-loop turn its own result', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => addUp(redis, ['turn'], [1])));
    expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it('fails a command within its time limit when the server does not respond, reports itself unavailable, and recovers by itself', {
    tags: ['wall-clock'],
  }, async () => {
    proxy.freeze();
    const startedAtMs = performance.now();
    await expect(addUp(redis, ['frozen'], [1])).rejects.toThrow();
    await expect(redis.client.get('frozen')).rejects.toThrow();
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    await available(false);
    // The client detected missing replies. The connection is still open.
    expect([redis.client.status, proxy.connections]).toEqual(['ready', 1]);
    proxy.thaw();
    await available(true);
    expect(await redis.client.ping()).toBe('PONG');
  });

  it('fails a command at once while the connection is down, and reconnects by itself', async () => {
    await proxy.refuse();
    await available(false);
    const startedAtMs = performance.now();
    await expect(addUp(redis, ['down'], [1])).rejects.toThrow();
    expect(performance.now() - startedAtMs).toBeLessThan(commandTimeoutMs);
    await proxy.accept();
    await available(true);
    expect(await addUp(redis, ['down'], [1])).toBe(1);
  });

  it('replaces a connection that stays without replies', { tags: ['wall-clock'] }, async () => {
    proxy.freeze();
    await available(false);
    const connections = proxy.connections;
    await waitUntil('a new connection', () => proxy.connections > connections);
  });

  it('completes commands in flight before it closes', async () => {
    const under = addUp(redis, ['closing'], [1]);
    await redis.close();
    expect(await under).toBe(1);
  });
});
