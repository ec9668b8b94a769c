import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { OutcomeUnknownError } from '../domain/outcome-unknown-error.ts';
import { createRequestDeadline } from '../domain/request-deadline.ts';
import type { IdempotencyStore, StoredResponse } from '../outbound/redis/idempotency.ts';
import { type Answer, createRunOnce, fingerprintOf } from './run-once.ts';

/** A store in memory with the semantics of the Lua scripts; `lock` and `kept` are open to the tests' meddling. */
function memoryStore() {
  const state = {
    lock: undefined as { token: string; fingerprint: string } | undefined,
    kept: undefined as { answer: StoredResponse; fingerprint: string } | undefined,
    down: false,
    beginDown: false,
    readNothing: false,
  };
  const store: IdempotencyStore = {
    async begin({ token, fingerprint }) {
      if (state.down || state.beginDown) throw new Error('away');
      if (state.kept) return state.kept.fingerprint === fingerprint ? 'stored' : 'conflict';
      if (state.lock) return state.lock.fingerprint === fingerprint ? 'busy' : 'conflict';
      state.lock = { token, fingerprint };
      return 'acquired';
    },
    async finish({ token, fingerprint }, answer) {
      if (state.down) throw new Error('away');
      if (state.lock?.token !== token) return state.kept ? 'stored' : 'lost';
      state.kept = { answer, fingerprint };
      state.lock = undefined;
      return 'kept';
    },
    read: async () => (state.readNothing ? undefined : state.kept?.answer),
    async abandon({ token }) {
      if (state.lock?.token === token) state.lock = undefined;
    },
  };
  return { state, store };
}

function setUp() {
  const clock = new ManualClock();
  const { state, store } = memoryStore();
  const runOnce = createRunOnce({ store, clock });
  let undone = 0;
  const answer: Answer = {
    status: 200,
    headers: { 'X-Usage-Remaining': '5' },
    body: Buffer.from('{"first":true}'),
    undo: async () => {
      undone++;
    },
  };
  const run = (execute: () => Promise<Answer> = async () => answer) =>
    runOnce(
      {
        workspaceId: 'ws_1',
        chargeId: 'chg_1',
        fingerprint: fingerprintOf({ a: 1 }),
        deadline: createRequestDeadline(clock),
      },
      execute,
    );
  return { clock, state, run, answer, undone: () => undone };
}

/** Lets the waiting poll of another execution go on. */
async function elapse(clock: ManualClock, ms: number) {
  for (let passed = 0; passed < ms; passed += 20) {
    await new Promise(setImmediate);
    clock.advance(20);
  }
  await new Promise(setImmediate);
}

const kept = (fingerprint: string): { answer: StoredResponse; fingerprint: string } => ({
  fingerprint,
  answer: { status: 200, headers: {}, body: Buffer.from('{"twin":true}'), encoding: 'identity' },
});
const fingerprint = fingerprintOf({ a: 1 }).toString('hex');

describe('running once', () => {
  it('repeats the kept answer and does not execute again', async () => {
    const { run, answer } = setUp();
    expect((await run()).replayed).toBe(false);
    const again = await run(async () => {
      throw new Error('executed twice');
    });
    expect(again).toMatchObject({ replayed: true, status: 200, headers: answer.headers, body: answer.body });
  });

  it('a twin waits for the first and repeats its answer', async () => {
    const { run, clock, answer } = setUp();
    const first = Promise.withResolvers<Answer>();
    const running = run(() => first.promise);
    const twin = run(async () => {
      throw new Error('executed twice');
    });
    await elapse(clock, 500);
    first.resolve(answer);
    await running;
    await elapse(clock, 200);
    expect((await twin).replayed).toBe(true);
  });

  it('a twin whose wait ends without an answer is unavailable', async () => {
    const { run, clock } = setUp();
    void run(() => new Promise(() => {}));
    const twin = run();
    const outcome = expect(twin).rejects.toMatchObject({ code: 'unavailable' });
    await elapse(clock, 10_000);
    await outcome;
  });

  it('a twin of a failed first executes itself', async () => {
    const { run, clock } = setUp();
    const first = Promise.withResolvers<Answer>();
    const running = run(() => first.promise);
    const twin = run();
    await elapse(clock, 100);
    first.reject(new AppError('payment_required', 'spent'));
    await expect(running).rejects.toMatchObject({ code: 'payment_required' });
    await elapse(clock, 300);
    expect((await twin).replayed).toBe(false);
  });

  it('without Redis is unavailable before anything happens', async () => {
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

  it('sends the answer all the same when Redis fails after the charge', async () => {
    const { run, state, answer, undone } = setUp();
    const result = await run(async () => {
      state.down = true;
      return answer;
    });
    expect([result.status, undone()]).toEqual([200, 0]);
  });
});

describe('an execution that lost its lock', () => {
  it('sends the kept answer of the execution that took over, and takes nothing back', async () => {
    const { run, state, answer, undone } = setUp();
    const result = await run(async () => {
      state.lock = undefined;
      state.kept = kept(fingerprint);
      return answer;
    });
    expect([result.body.toString(), result.replayed, undone()]).toEqual(['{"twin":true}', true, 0]);
  });

  it('whose lock nobody holds takes its charge back, says unavailable, and leaves no lock', async () => {
    const { run, state, answer, undone } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      return answer;
    });
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    expect([undone(), state.lock, state.kept]).toEqual([1, undefined, undefined]);
  });

  it('waits for the execution that holds it, and repeats its answer', async () => {
    const { run, state, clock, answer, undone } = setUp();
    const attempt = run(async () => {
      state.lock = { token: 'another', fingerprint };
      return answer;
    });
    await elapse(clock, 300);
    state.lock = undefined;
    state.kept = kept(fingerprint);
    await elapse(clock, 300);
    expect([(await attempt).body.toString(), undone()]).toEqual(['{"twin":true}', 0]);
  });

  it('withholds its answer when that one never ends: it may be answering with the same charge', async () => {
    const { run, state, clock, answer, undone } = setUp();
    const attempt = run(async () => {
      state.lock = { token: 'another', fingerprint };
      return answer;
    });
    const outcome = expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
    await elapse(clock, 10_000);
    await outcome;
    expect(undone()).toBe(0);
  });

  it('withholds its answer when the kept one ends before it is read: that one was billed', async () => {
    const { run, state, answer, undone } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      state.kept = kept(fingerprint);
      state.readNothing = true;
      return answer;
    });
    await expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(undone()).toBe(0);
  });

  it('withholds its answer when Redis fails before it knows who holds the lock', async () => {
    const { run, state, answer, undone } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      state.beginDown = true;
      return answer;
    });
    await expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(undone()).toBe(0);
  });

  it('whose charge cannot be taken back withholds its answer', async () => {
    const { run, state, answer } = setUp();
    const attempt = run(async () => {
      state.lock = undefined;
      return { ...answer, undo: () => Promise.reject(new OutcomeUnknownError(new Error('away'))) };
    });
    await expect(attempt).rejects.toBeInstanceOf(OutcomeUnknownError);
  });
});
