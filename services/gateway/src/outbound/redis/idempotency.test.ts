import type { Redis } from '@shopscope/redis';
import { expect, it } from 'vitest';
import { createIdempotencyStore, keepMs, keptBytesMax, lockMs } from './idempotency.ts';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.ts';

/** The arguments of the scripts that a store runs. */
function recordingRedis() {
  const calls: { keys: unknown[]; args: unknown[] }[] = [];
  const client = {
    evalsha: async (_sha: string, count: number, ...rest: unknown[]) => {
      calls.push({ keys: rest.slice(0, count), args: rest.slice(count) });
      return 'kept';
    },
  };
  const redis: RedisCircuitBreaker = {
    run: (work) => work({ client, available: true, close: async () => {} } as unknown as Redis),
    release: async () => {},
    available: true,
  };
  return { calls, store: createIdempotencyStore(redis) };
}

const at = { workspaceId: 'ws_1', name: 'chg_1', token: 'token', fingerprint: 'ab' };

it('answers are kept for 24 hours', async () => {
  const { calls, store } = recordingRedis();
  await store.finish(at, { status: 200, headers: {}, body: Buffer.from('x'), encoding: 'identity' });
  expect(keepMs).toBe(24 * 60 * 60 * 1000);
  expect(calls[0]?.args.at(-1)).toBe(keepMs);
});

it('a lock outlives any request and ends in 15 s; a workspace keeps at most 512 MiB', async () => {
  const { calls, store } = recordingRedis();
  await store.begin(at);
  expect(calls[0]?.args.slice(2)).toEqual([lockMs, keptBytesMax]);
  expect([lockMs, keptBytesMax]).toEqual([15_000, 512 * 1024 * 1024]);
});

it('all keys of a workspace stand on one shard', async () => {
  const { calls, store } = recordingRedis();
  await store.begin(at);
  expect(calls[0]?.keys).toEqual(['idem:{ws_1}:chg_1', 'idem:{ws_1}:chg_1:lock', 'idem:{ws_1}:bytes']);
});
