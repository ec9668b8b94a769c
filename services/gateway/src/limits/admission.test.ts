import { ManualClock, minuteMs } from '@shopscope/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../keys/caller.ts';
import type { RedisCircuitBreaker } from '../redis/redis-circuit-breaker.ts';
import { type Admission, createAdmission } from './admission.ts';
import { createLocalLimits } from './local-limits.ts';
import { createRedisLimits, type RedisLimits } from './redis-limits.ts';

const minute = 1_760_000_040_000;
const rpm = 60;
const caller = { keyId: 'key_1', plan: { rpm, concurrency: 4 } } as Caller;

describe('spent rates', () => {
  let clock: ManualClock;
  /** Time that a call takes to Redis and back. */
  let way: { thereMs: number; backMs: number };
  let calls: number;
  let decisions: string[];
  let admission: Admission;

  beforeEach(async () => {
    clock = new ManualClock(minute);
    way = { thereMs: 0, backMs: 0 };
    calls = 0;
    decisions = [];
    const used = new Map<number, number>();
    /** Counts by minutes of a clock that nobody sets. */
    const redis = {
      slots: 1,
      slotOf: () => 0,
      keyIn: () => 'limits-epoch',
      release: async () => {},
      async run() {
        calls += 1;
        clock.advance(way.thereMs);
        const nowMs = minute + clock.monotonicMs();
        const window = Math.floor(nowMs / minuteMs);
        const count = (used.get(window) ?? 0) + 1;
        used.set(window, count);
        clock.advance(way.backMs);
        return ['epoch', nowMs, count > rpm ? 1 : 0, Math.max(0, rpm - count)];
      },
    } as unknown as RedisCircuitBreaker;
    const shared = createRedisLimits(redis, clock);
    const local = createLocalLimits({
      now: () => clock.now() + shared.clockOffsetMs,
      monotonicMs: () => clock.monotonicMs(),
      replicas: 1,
    });
    admission = createAdmission({
      shared,
      local,
      onDecision: (_, outcome, by) => decisions.push(`${outcome} by ${by}`),
    });
    for (let n = 1; n < rpm; n++) (await admission.decide(caller)).release();
  });

  const spend = async () => (await admission.decide(caller)).release();

  it('a key whose rate is spent is refused for the rest of the minute without a call of Redis', async () => {
    await spend();
    expect(admission.spentSeconds(caller)).toBe(0);
    await admission.decide(caller);
    expect(admission.spentSeconds(caller)).toBe(60);
    clock.advance(59_000);
    const before = calls;
    expect(await admission.decide(caller)).toMatchObject({ outcome: 'rate_limited', remaining: 0, resetSeconds: 1 });
    expect(calls).toBe(before);
    clock.advance(1_000);
    expect(admission.spentSeconds(caller)).toBe(0);
    expect((await admission.decide(caller)).outcome).toBe('admitted');
    expect(decisions.slice(-3)).toEqual(['rate_limited by redis', 'rate_limited by memory', 'admitted by redis']);
  });

  it('a spent key is admitted in the next minute when the refusal arrives after the minute has ended', async () => {
    await spend();
    clock.advance(59_998);
    way = { thereMs: 1, backMs: 1 };
    expect(await admission.decide(caller)).toMatchObject({ outcome: 'rate_limited', resetSeconds: 1 });
    clock.advance(1_000);
    expect((await admission.decide(caller)).outcome).toBe('admitted');
  });

  it('a spent key is admitted in the next minute when the estimate of the time of Redis ran ahead of it', async () => {
    clock.advance(59_985);
    way = { thereMs: 12, backMs: 0 };
    expect((await admission.decide(caller)).outcome).toBe('admitted');
    way.thereMs = 0;
    clock.advance(1);
    expect((await admission.decide(caller)).outcome).toBe('rate_limited');
    clock.advance(1_000);
    expect((await admission.decide(caller)).outcome).toBe('admitted');
  });

  it('a spent key is admitted in the next minute although the clock of the gateway was set back', async () => {
    await spend();
    await admission.decide(caller);
    clock.advance(30_000);
    clock.setWall(minute + 5_000);
    clock.advance(30_000);
    expect((await admission.decide(caller)).outcome).toBe('admitted');
  });
});

it('a burst of a key is far from its limits only as long as the requests that are undecided fit into half of them', async () => {
  const plan = { rpm: 100, concurrency: 20 };
  const [busy, other] = ['key_1', 'key_2'].map((keyId) => ({ keyId, plan }) as Caller) as [Caller, Caller];
  const clock = new ManualClock(minute);
  const answers: (() => void)[] = [];
  const shared: Pick<RedisLimits, 'admit'> = {
    admit: () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ outcome: 'admitted', remaining: 90, resetSeconds: 20, release: () => {} }));
      }),
  };
  const local = createLocalLimits({ now: () => clock.now(), monotonicMs: () => clock.monotonicMs(), replicas: 1 });
  const admission = createAdmission({ shared, local });
  const first = admission.decide(busy);
  answers.shift()?.();
  (await first).release();
  const begun = Array.from({ length: 50 }, () => {
    void admission.decide(busy);
    return admission.isFarFromLimits(busy);
  });
  expect(begun.filter(Boolean)).toHaveLength(10);
  expect(admission.isFarFromLimits(other), 'nothing is known of it').toBe(false);
  const decided = admission.decide(busy);
  for (const answer of answers.splice(0)) answer();
  (await decided).release();
  void admission.decide(busy);
  expect(admission.isFarFromLimits(busy), 'fifty are in flight').toBe(false);
});
