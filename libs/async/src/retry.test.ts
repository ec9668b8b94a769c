import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createDeadline } from './deadline.ts';
import { exponentialBackoff, retry } from './retry.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(failures: number) {
  const clock = new ManualClock();
  let attempts = 0;
  const attempt = async (number: number) => {
    attempts += 1;
    if (number <= failures) throw new Error(`attempt ${number}`);
    return number;
  };
  const advance = async (ms: number) => {
    await turn();
    clock.advance(ms);
    await turn();
  };
  return { clock, attempt, advance, attempts: () => attempts };
}

it('a retry repeats attempts after their pauses until one succeeds', async () => {
  const { clock, attempt, advance, attempts } = setUp(2);
  const failures: number[] = [];
  const result = retry(attempt, { clock, pauseMs: (n) => n * 100, onFailure: (_, n) => failures.push(n) });
  await advance(100);
  expect(attempts()).toBe(2);
  await advance(199);
  expect(attempts()).toBe(2);
  await advance(1);
  expect(await result).toBe(3);
  expect(failures).toEqual([1, 2]);
});

it('the last attempt’s error is the outcome of a retry when no further attempt follows', async () => {
  const { attempt, attempts, clock } = setUp(5);
  await expect(retry(attempt, { clock, pauseMs: () => undefined })).rejects.toThrow('attempt 1');
  expect(attempts()).toBe(1);
});

it('a retry begins no pause that would end after the deadline', async () => {
  const { attempt, attempts, clock } = setUp(5);
  const deadline = createDeadline(100, { clock });
  await expect(retry(attempt, { clock, deadline, pauseMs: () => 100 })).rejects.toThrow('attempt 1');
  expect(attempts()).toBe(1);
});

it('an abort ends the pause of a retry with its reason', async () => {
  const { attempt, attempts, clock } = setUp(5);
  const controller = new AbortController();
  const result = retry(attempt, { clock, abort: controller.signal, pauseMs: () => 100 });
  await turn();
  controller.abort(new Error('stopping'));
  await expect(result).rejects.toThrow('stopping');
  expect(attempts()).toBe(1);
});

it('the back-off of a retry doubles up to its maximum, give or take a half', () => {
  for (const [attempt, middleMs] of [
    [1, 50],
    [2, 100],
    [3, 200],
    [20, 1_000],
  ] as const) {
    const pauseMs = exponentialBackoff(attempt, { firstMs: 50, maxMs: 1_000 });
    expect(pauseMs).toBeGreaterThanOrEqual(middleMs * 0.5);
    expect(pauseMs).toBeLessThan(middleMs * 1.5);
  }
});
