import type { Redis } from '@shopscope/redis';
import { expect, it } from 'vitest';
import { createIdempotencyStore, lockMs, maxStoredBytes, responseTtlMs } from './idempotency.ts';
import type { RedisCircuitBreaker } from './redis-circuit-breaker.ts';

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
    run: (work) => work({ client, available: true, close: async () => {} } as unknown as Redis),
    release: async () => {},
    available: true,
  };
  return { calls, store: createIdempotencyStore(redis) };
}

const execution = { workspaceId: 'ws_1', name: 'chg_1', token: 'token', fingerprint: 'ab' };

it('a response is stored for 24 hours', async () => {
  const { calls, store } = recordingRedis();
  await store.finish(execution, { status: 200, headers: {}, body: Buffer.from('x'), encoding: 'identity' });
  expect(responseTtlMs).toBe(24 * 60 * 60 * 1000);
  expect(calls[0]?.args.at(-1)).toBe(responseTtlMs);
});

it('a lock expires after 15 s, and a workspace stores at most 512 MiB', async () => {
  const { calls, store } = recordingRedis();
  await store.begin(execution);
  expect(calls[0]?.args.slice(2)).toEqual([lockMs, maxStoredBytes]);
  expect([lockMs, maxStoredBytes]).toEqual([15_000, 512 * 1024 * 1024]);
});

it('all Redis keys of a workspace have the same hash tag', async () => {
  const { calls, store } = recordingRedis();
  await store.begin(execution);
  expect(calls[0]?.keys).toEqual(['idem:{ws_1}:chg_1', 'idem:{ws_1}:chg_1:lock', 'idem:{ws_1}:bytes']);
});
