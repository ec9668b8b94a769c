import { ManualClock } from '@shopscope/clock';
import type { Redis } from '@shopscope/redis';
import { expect, it } from 'vitest';
import {
  createRedisCircuitBreaker,
  type RedisCircuitBreaker,
  RedisUnavailableError,
} from '../redis/redis-circuit-breaker.ts';
import { createIdempotencyStore, lockMs, responseTtlMs } from './redis-store.ts';
import { defaultLimits } from './stored-bytes.ts';

const oneSlot = { slots: 1, slotOf: () => 0, keyIn: (_slot: number, name: string) => name };

/** Records the arguments of the scripts that a store runs. */
function recordingRedis() {
  const calls: { keys: unknown[]; args: unknown[] }[] = [];
  const client = {
    evalsha: async (_sha: string, count: number, ...rest: unknown[]) => {
      calls.push({ keys: rest.slice(0, count), args: rest.slice(count) });
      return 'stored';
    },
  };
  const redis: RedisCircuitBreaker = {
    ...oneSlot,
    run: (_key, work) => work({ client } as unknown as Redis),
    release: async () => {},
  };
  return { calls, store: createIdempotencyStore(redis, new ManualClock()) };
}

const execution = { workspaceId: 'ws_1', name: 'chg_1', token: 'token', fingerprint: 'ab' };

it('a response is stored for 24 hours', async () => {
  const { calls, store } = recordingRedis();
  await store.finish(execution, { status: 200, headers: {}, body: Buffer.from('x'), encoding: 'identity' });
  expect(responseTtlMs).toBe(24 * 60 * 60 * 1000);
  expect(calls[0]?.args.at(4)).toBe(responseTtlMs);
});

it('a lock expires after 15 s; a workspace stores at most 512 MiB, and all of them 2 GiB and a reserve of a quarter', async () => {
  const { calls, store } = recordingRedis();
  await store.begin(execution);
  const { workspaceBytes, totalBytes } = defaultLimits;
  expect(calls[0]?.args.slice(2)).toEqual([lockMs, workspaceBytes, totalBytes, 1.25 * totalBytes, 0]);
  expect([lockMs, workspaceBytes, totalBytes]).toEqual([15_000, 512 * 1024 ** 2, 2 * 1024 ** 3]);
});

it('the names of the keys in Redis stay, so that an instance of another release finds the stored responses', async () => {
  const { calls, store } = recordingRedis();
  await store.begin(execution);
  const keys = ['idem:{ws_1}:chg_1', 'idem:{ws_1}:chg_1:lock', 'idem:{ws_1}:bytes'];
  expect(calls[0]?.keys).toEqual([...keys, 'idem:bytes']);
});

it('a Redis that refuses writes refuses new keys and does not store, and stored responses still replay', async () => {
  const refusal = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
  const client = {
    evalsha: () => Promise.reject(refusal),
    hmgetBuffer: async () => [Buffer.from('{"status":200,"headers":{},"encoding":"identity"}'), Buffer.from('body')],
  };
  const breaker = createRedisCircuitBreaker(
    { ...oneSlot, client, nodeOf: () => ({ id: 'primary', available: true }) } as unknown as Redis,
    new ManualClock(),
  );
  const store = createIdempotencyStore(breaker, new ManualClock());
  await expect(store.begin(execution)).rejects.toThrow(RedisUnavailableError);
  expect(await store.read(execution)).toMatchObject({ status: 200, body: Buffer.from('body') });
  await expect(
    store.finish(execution, { status: 200, headers: {}, body: Buffer.from('x'), encoding: 'identity' }),
  ).rejects.toThrow(RedisUnavailableError);
  expect(await store.read(execution)).toMatchObject({ status: 200 });
});
