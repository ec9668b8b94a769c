import { createDeadline } from '@shopscope/async';
import { createBalanceCache } from '@shopscope/charging';
import { systemClock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import { unitsOf } from '@shopscope/proto';
import type { Redis } from '@shopscope/redis';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reset } from '../../src/endpoints/test-tenant/test-tenant.ts';
import { createIdempotencyStore } from '../../src/idempotency/redis-store.ts';
import { runIdempotently, unchargedReply } from '../../src/idempotency/run-idempotently.ts';
import { createTestResets } from '../../src/idempotency/test-resets.ts';
import { createRedisCircuitBreaker } from '../../src/redis/redis-circuit-breaker.ts';
import { openTestRedis } from './support/gateway.ts';

const namespace = testNamespace('gw');
let redis: Redis;

beforeAll(async () => {
  redis = await openTestRedis(namespace);
});
afterAll(async () => {
  await redis.close();
  await namespace.cleanup();
});

function setUp(keyEnvironment: Environment = 'test') {
  const breaker = createRedisCircuitBreaker(redis, systemClock);
  const state = { executions: 0, used: 3 };
  const origin = { requestId: '', traceparent: '', environment: keyEnvironment };
  const plan = { included: unitsOf({ lookupCached: 10 }) };
  const caller = { workspaceId: newId('ws'), keyEnvironment, plan };
  const balanceOf = () => {
    const used = unitsOf({ lookupCached: state.used });
    return { periodStartMs: 0, periodEndMs: Number.MAX_SAFE_INTEGER, used, reserved: unitsOf({}), taken: used };
  };
  const deps = {
    clock: systemClock,
    responses: createIdempotencyStore(breaker, systemClock),
    resets: createTestResets(breaker),
    onIdempotentRequest: () => {},
    balances: createBalanceCache({ metering: { getBalance: async () => balanceOf() }, clock: systemClock }),
    testTenant: {
      reset: async () => {
        state.used = 0;
      },
    } as never,
  };
  const requestOf = (operation: string) =>
    ({
      caller,
      origin,
      billing: {},
      operation: { id: operation },
      headers: { 'idempotency-key': 'the-same-key' },
      deadline: createDeadline(10_000),
    }) as never;
  const run = (operation: string, options = {}) =>
    runIdempotently(
      deps,
      requestOf(operation),
      {},
      async () => unchargedReply(200, { executions: ++state.executions }),
      options,
    );
  const isReplayed = async (operation: string, options = {}) =>
    'Idempotent-Replayed' in (await run(operation, options)).headers;
  return { deps, state, isReplayed, caller, origin, reset: () => reset(deps, requestOf('resetTestTenant')) };
}

describe('a reset of the test tenant', () => {
  it('a response that was kept before a reset is not replayed after it, and one that is kept afterwards is', async () => {
    const { isReplayed, reset } = setUp();
    expect([await isReplayed('enrichStores'), await isReplayed('enrichStores')]).toEqual([false, true]);
    await reset();
    expect([await isReplayed('enrichStores'), await isReplayed('enrichStores')]).toEqual([false, true]);
    await reset();
    expect(await isReplayed('enrichStores')).toBe(false);
  });

  it('the response of the reset itself is replayed, so that a retry resets once', async () => {
    const { isReplayed, reset } = setUp();
    const asked = () => isReplayed('resetTestTenant', { outlivesReset: true });
    expect(await asked()).toBe(false);
    await reset();
    expect(await asked()).toBe(true);
  });

  it('the responses of live keys of the same workspace stay', async () => {
    const { isReplayed, reset } = setUp('live');
    expect(await isReplayed('enrichStores')).toBe(false);
    await reset();
    expect(await isReplayed('enrichStores')).toBe(true);
  });

  it('a response after the reset shows the balance of the reset workspace', async () => {
    const { deps, caller, origin, reset } = setUp();
    const remaining = () => deps.balances.remaining(caller as never, origin);
    expect(await remaining()).toBe(7);
    await reset();
    expect(await remaining()).toBe(10);
  });
});
