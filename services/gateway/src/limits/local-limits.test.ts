import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createLocalLimits } from './local-limits.ts';

const minute = Date.UTC(2026, 0, 15, 12);
const clockOf = (clock: ManualClock) => ({ now: () => clock.now(), monotonicMs: () => clock.monotonicMs() });

it('each gateway admits its share of the rate, and at least one request', async () => {
  const limits = createLocalLimits({ now: () => minute, monotonicMs: () => 0, replicas: 4 });
  const outcomes: string[] = [];
  for (let i = 0; i < 4; i++) outcomes.push((await limits.admit('key_1', { rpm: 10, concurrency: 100 })).outcome);
  expect(outcomes).toEqual(['admitted', 'admitted', 'rate_limited', 'rate_limited']);
  expect((await limits.admit('key_2', { rpm: 1, concurrency: 1 })).outcome).toBe('admitted');
});

it('a new minute begins on the wall clock', async () => {
  const clock = new ManualClock(minute + 59_000);
  const limits = createLocalLimits({ ...clockOf(clock), replicas: 1 });
  const plan = { rpm: 1, concurrency: 5 };
  expect(await limits.admit('key_1', plan)).toMatchObject({ outcome: 'admitted', remaining: 0, resetSeconds: 1 });
  expect((await limits.admit('key_1', plan)).outcome).toBe('rate_limited');
  clock.advance(1_000);
  expect(await limits.admit('key_1', plan)).toMatchObject({ outcome: 'admitted', resetSeconds: 60 });
});

it('a request releases its slot when it ends', async () => {
  const limits = createLocalLimits({ now: () => minute, monotonicMs: () => 0, replicas: 1 });
  const plan = { rpm: 100, concurrency: 2 };
  const first = await limits.admit('key_1', plan);
  await limits.admit('key_1', plan);
  expect((await limits.admit('key_1', plan)).outcome).toBe('concurrency_limited');
  first.release();
  expect((await limits.admit('key_1', plan)).outcome).toBe('admitted');
});

it('requests that Redis admitted in this minute count towards the share of the gateway', async () => {
  const clock = new ManualClock(minute);
  const limits = createLocalLimits({ ...clockOf(clock), replicas: 2 });
  const plan = { rpm: 6, concurrency: 4 };
  const outcome = async () => (await limits.admit('key_1', plan)).outcome;
  const admitted = { outcome: 'admitted', remaining: 4 } as const;
  const first = limits.record('key_1', plan, admitted);
  limits.record('key_1', plan, admitted);
  expect(await outcome()).toBe('concurrency_limited');
  first();
  expect(await outcome()).toBe('rate_limited');
  clock.advance(60_000);
  expect(await outcome()).toBe('admitted');
  expect(await outcome()).toBe('concurrency_limited');
});

it('a window starts once when the time steps back at a minute boundary, and again when the clock was set back', async () => {
  const clock = new ManualClock(minute);
  const limits = createLocalLimits({ ...clockOf(clock), replicas: 1 });
  const plan = { rpm: 2, concurrency: 10 };
  const outcomes: string[] = [];
  for (const at of [minute, minute - 1, minute, minute - 1]) {
    clock.setWall(at);
    outcomes.push((await limits.admit('key_1', plan)).outcome);
  }
  expect(outcomes).toEqual(['admitted', 'admitted', 'rate_limited', 'rate_limited']);
  clock.setWall(minute - 3_600_000);
  expect((await limits.admit('key_1', plan)).outcome).toBe('admitted');
});

it('a key is far from its limits while Redis leaves it more than half of its rate and this gateway more than half of its slots', () => {
  const clock = new ManualClock(minute);
  const limits = createLocalLimits({ ...clockOf(clock), replicas: 2 });
  const plan = { rpm: 10, concurrency: 8 };
  const isFar = (undecided = 0) => limits.isFarFromLimits('key_1', plan, undecided);
  const record = (remaining: number) => limits.record('key_1', plan, { outcome: 'admitted', remaining });
  expect(isFar()).toBe(false);
  const first = record(6);
  expect([isFar(), isFar(1)]).toEqual([true, false]);
  record(6);
  expect(isFar()).toBe(false);
  first();
  expect(isFar()).toBe(true);
  record(5)();
  expect(isFar()).toBe(false);
  clock.advance(60_000);
  expect(isFar()).toBe(false);
});

it.each(['rate_limited', 'concurrency_limited'] as const)(
  'a key that Redis refused (%s) is at its limits until it is admitted again',
  (outcome) => {
    const limits = createLocalLimits({ now: () => minute, monotonicMs: () => 0, replicas: 1 });
    const plan = { rpm: 10, concurrency: 8 };
    limits.record('key_1', plan, { outcome: 'admitted', remaining: 9 });
    limits.record('key_1', plan, { outcome, remaining: 8 })();
    expect(limits.isFarFromLimits('key_1', plan, 0)).toBe(false);
    limits.record('key_1', plan, { outcome: 'admitted', remaining: 7 });
    expect(limits.isFarFromLimits('key_1', plan, 0)).toBe(true);
  },
);

it('a key that Redis refused because of its rate is refused here until the minute ends or its rate is raised', () => {
  const clock = new ManualClock(minute + 15_000);
  const limits = createLocalLimits({ ...clockOf(clock), replicas: 2 });
  const plan = { rpm: 10, concurrency: 8 };
  const refusal = (rpm = plan.rpm) => limits.refusalOf('key_1', { ...plan, rpm });
  const lastsUntilMs = clock.monotonicMs() + 45_000;
  limits.record('key_1', plan, { outcome: 'concurrency_limited', remaining: 8, lastsUntilMs });
  expect(refusal()).toBeUndefined();
  limits.record('key_1', plan, { outcome: 'rate_limited', remaining: 0, lastsUntilMs });
  expect(refusal()).toMatchObject({ outcome: 'rate_limited', remaining: 0, resetSeconds: 45 });
  expect(refusal(9)).toBeDefined();
  expect(refusal(11)).toBeUndefined();
  expect(limits.refusalOf('key_2', plan)).toBeUndefined();
  clock.advance(45_000);
  expect(refusal()).toBeUndefined();
});
