import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createLocalLimits } from './local-limits.ts';

const minute = Date.UTC(2026, 0, 15, 12);

it('each gateway allows its share of the rate, and never less than one', async () => {
  const limits = createLocalLimits({ clock: new ManualClock(minute), replicas: 4 });
  const outcomes: string[] = [];
  for (let i = 0; i < 4; i++) outcomes.push((await limits.admit('key_1', { rpm: 10, concurrency: 100 })).outcome);
  expect(outcomes).toEqual(['admitted', 'admitted', 'rate_limited', 'rate_limited']);
  expect((await limits.admit('key_2', { rpm: 1, concurrency: 1 })).outcome).toBe('admitted');
});

it('a new minute begins on the wall clock', async () => {
  const clock = new ManualClock(minute + 59_000);
  const limits = createLocalLimits({ clock, replicas: 1 });
  const plan = { rpm: 1, concurrency: 5 };
  expect(await limits.admit('key_1', plan)).toMatchObject({ outcome: 'admitted', remaining: 0, resetSeconds: 1 });
  expect((await limits.admit('key_1', plan)).outcome).toBe('rate_limited');
  clock.advance(1_000);
  expect(await limits.admit('key_1', plan)).toMatchObject({ outcome: 'admitted', resetSeconds: 60 });
});

it('slots come back when requests end', async () => {
  const limits = createLocalLimits({ clock: new ManualClock(minute), replicas: 1 });
  const plan = { rpm: 100, concurrency: 2 };
  const first = await limits.admit('key_1', plan);
  await limits.admit('key_1', plan);
  expect((await limits.admit('key_1', plan)).outcome).toBe('concurrency_limited');
  first.release();
  expect((await limits.admit('key_1', plan)).outcome).toBe('admitted');
});
