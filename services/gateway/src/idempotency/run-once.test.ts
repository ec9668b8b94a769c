import type { Deadline } from '@shopscope/async';
import { createRequestDeadline, OutcomeUnknownError } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { RedisUnavailableError } from '../redis/redis-circuit-breaker.ts';
import type { StoredResponse } from './redis-store.ts';
import { fingerprintOf, type IdempotentResponse, type RunOnceDependencies, runOnce } from './run-once.ts';

/** An in-memory store that behaves like the Lua scripts. Tests change `lock` and `stored`. */
function memoryStore() {
  const state = {
    lock: undefined as { token: string; fingerprint: string } | undefined,
    stored: undefined as { response: StoredResponse; fingerprint: string } | undefined,
    down: false,
    beginDown: false,
    moving: false,
    readNothing: false,
  };
  const store: RunOnceDependencies['responses'] = {
    async begin({ token, fingerprint }) {
      if (state.down || state.beginDown) throw new Error('unavailable');
      if (state.moving) throw new RedisUnavailableError({ cause: new Error('TRYAGAIN Multiple keys request') });
      if (state.stored) return state.stored.fingerprint === fingerprint ? 'stored' : 'conflict';
      if (state.lock) return state.lock.fingerprint === fingerprint ? 'busy' : 'conflict';
      state.lock = { token, fingerprint };
      return 'acquired';
    },
    async finish({ token, fingerprint }, response) {
      if (state.down) throw new Error('unavailable');
      if (state.lock?.token !== token) return state.stored ? 'stored_by_other' : 'lost';
      state.stored = { response, fingerprint };
      state.lock = undefined;
      return 'stored';
    },
    read: async () => (state.readNothing ? undefined : state.stored?.response),
    async abandon({ token }) {
      if (state.lock?.token === token) state.lock = undefined;
    },
  };
  return { state, store };
}

function setUp() {
  const clock = new ManualClock();
  const { state, store: responses } = memoryStore();
  const deps = { responses, clock, onIdempotentRequest: () => {} };
  let voided = 0;
  const response: IdempotentResponse = {
    status: 200,
    headers: { 'X-Usage-Remaining': '5' },
    body: Buffer.from('{"first":true}'),
    voidCharge: async () => {
      voided++;
    },
  };
  const run = (
    execute: () => Promise<IdempotentResponse> = async () => response,
    deadline: Deadline = createRequestDeadline(clock),
  ) =>
    runOnce(deps, { workspaceId: 'ws_1', chargeId: 'chg_1', fingerprint: fingerprintOf({ a: 1 }), deadline }, execute);
  return { clock, state, run, response, voided: () => voided };
}

/** Advances the clock in steps of a poll interval. */
async function elapse(clock: ManualClock, ms: number) {
  for (let passed = 0; passed < ms; passed += 20) {
    await new Promise(setImmediate);
    clock.advance(20);
  }
  await new Promise(setImmediate);
}

const otherResponse = (fingerprint: string): { response: StoredResponse; fingerprint: string } => ({
  fingerprint,
  response: { status: 200, headers: {}, body: Buffer.from('{"other":true}'), encoding: 'identity' },
});
const fingerprint = fingerprintOf({ a: 1 }).toString('hex');

describe('runOnce', () => {
  it('a request with an Idempotency-Key replays the stored response and does not execute again', async () => {
    const { run, response } = setUp();
    expect((await run()).replayed).toBe(false);
    const again = await run(async () => {
      throw new Error('executed twice');
    });
    expect(again).toMatchObject({ replayed: true, status: 200, headers: response.headers, body: response.body });
  });

  it('a request with an Idempotency-Key waits for an execution in progress and replays its response', async () => {
    const { run, clock, response } = setUp();
    const first = Promise.withResolvers<IdempotentResponse>();
    const running = run(() => first.promise);
    const second = run(async () => {
      throw new Error('executed twice');
    });
    await elapse(clock, 500);
    first.resolve(response);
    await running;
    await elapse(clock, 200);
    expect((await second).replayed).toBe(true);
  });

  it('a request with an Idempotency-Key is unavailable when the execution in progress does not end in time', async () => {
    const { run, clock } = setUp();
    void run(() => new Promise(() => {}));
    const second = run();
    const outcome = expect(second).rejects.toMatchObject({ code: 'unavailable' });
    await elapse(clock, 10_000);
    await outcome;
  });

  it('a request with an Idempotency-Key executes when the execution in progress has failed', async () => {
    const { run, clock } = setUp();
    const first = Promise.withResolvers<IdempotentResponse>();
    const running = run(() => first.promise);
    const second = run();
    await elapse(clock, 100);
    first.reject(new AppError('payment_required', 'spent'));
    await expect(running).rejects.toMatchObject({ code: 'payment_required' });
    await elapse(clock, 300);
    expect((await second).replayed).toBe(false);
  });

  it('a request with an Idempotency-Key is unavailable without Redis, before anything happens', async () => {
    const { run, state } = setUp();
    state.down = true;
    let executed = false;
    const attempt = run(async () => {
      executed = true;
      throw new Error('never');
    });
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    expect(executed).toBe(false);
  });

  it('a request with an Idempotency-Key waits while the slot of its key moves to another node', async () => {
    const { clock, state, run } = setUp();
    state.moving = true;
    const moved = run();
    await elapse(clock, 2_000);
    state.moving = false;
    await elapse(clock, 200);
    expect(await moved).toMatchObject({ status: 200, replayed: false });
  });

  it('a request with an Idempotency-Key is unavailable when the slot of its key does not move in time', async () => {
    const { clock, state, run } = setUp();
    state.moving = true;
    const refused = expect(run()).rejects.toMatchObject({ code: 'unavailable' });
    await elapse(clock, 10_000);
    await refused;
  });

  it('a request with an Idempotency-Key sends its response when Redis fails after the charge', async () => {
    const { run, state, response, voided } = setUp();
    const result = await run(async () => {
      state.down = true;
      return response;
    });
    expect([result.status, voided()]).toEqual([200, 0]);
  });
});

describe('executions that lost their lock', () => {
  it("an execution that lost its lock sends the stored response of the lock's holder, and does not void its charge", async () => {
    const { run, state, response, voided } = setUp();
    const result = await run(async () => {
      state.lock = undefined;
      state.stored = otherResponse(fingerprint);
      return response;
    });
    expect([result.body.toString(), result.replayed, voided()]).toEqual(['{"other":true}', true, 0]);
  });

  it('an execution that lost its lock takes a free one again, voids its charge, responds unavailable, and releases it', async () => {
    const { run, state, response, voided } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      return response;
    });
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    expect([voided(), state.lock, state.stored]).toEqual([1, undefined, undefined]);
  });

  it('an execution that lost its lock waits for the execution that holds it, and replays its response', async () => {
    const { run, state, clock, response, voided } = setUp();
    const attempt = run(async () => {
      state.lock = { token: 'another', fingerprint };
      return response;
    });
    await elapse(clock, 300);
    state.lock = undefined;
    state.stored = otherResponse(fingerprint);
    await elapse(clock, 300);
    expect([(await attempt).body.toString(), voided()]).toEqual(['{"other":true}', 0]);
  });

  it('an execution that lost its lock voids its charge when its caller disconnects and nobody holds the lock at the end', async () => {
    const { run, state, clock, response, voided } = setUp();
    const deadline = createRequestDeadline(clock);
    const attempt = run(async () => {
      state.lock = { token: 'another', fingerprint };
      deadline.cancel();
      return response;
    }, deadline);
    const refused = expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    await elapse(clock, 300);
    state.lock = undefined;
    await elapse(clock, 300);
    await refused;
    expect([voided(), state.lock]).toEqual([1, undefined]);
  });

  it('an execution that lost its lock withholds its response when the holder of the lock does not end in time', async () => {
    const { run, state, clock, response, voided } = setUp();
    const attempt = run(async () => {
      state.lock = { token: 'another', fingerprint };
      return response;
    });
    const outcome = expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
    await elapse(clock, 10_000);
    await outcome;
    expect(voided()).toBe(0);
  });

  it('an execution that lost its lock withholds its response when the stored response expires before it is read', async () => {
    const { run, state, response, voided } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      state.stored = otherResponse(fingerprint);
      state.readNothing = true;
      return response;
    });
    await expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(voided()).toBe(0);
  });

  it('an execution that lost its lock withholds its response when Redis fails before the holder is known', async () => {
    const { run, state, response, voided } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      state.beginDown = true;
      return response;
    });
    await expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(voided()).toBe(0);
  });

  it('an execution that lost its lock withholds its response when its charge cannot be voided', async () => {
    const { run, state, response } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      return { ...response, voidCharge: () => Promise.reject(new OutcomeUnknownError(new Error('unavailable'))) };
    });
    await expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
  });
});
