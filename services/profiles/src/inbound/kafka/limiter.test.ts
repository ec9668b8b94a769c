import { describe, expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

describe('the limiter', () => {
  it('never exceeds its concurrency, starts work in order, and continues after failures', async () => {
    const limit = createLimiter(3);
    const started: number[] = [];
    let running = 0;
    let maxRunning = 0;
    const work = async (n: number) => {
      started.push(n);
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise(setImmediate);
      running -= 1;
      if (n % 4 === 0) throw new Error('failed');
      return n;
    };
    const runs = Array.from({ length: 20 }, async (_, n) => {
      for (let turn = 0; turn < n % 5; turn++) await new Promise(setImmediate);
      return limit(() => work(n));
    });
    const results = await Promise.allSettled(runs);
    expect(maxRunning).toBe(3);
    expect(started.slice(0, 4)).toEqual([0, 5, 10, 15]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect(await limit(() => work(1))).toBe(1);
  });
});
