import type { Redis } from '@shopscope/redis';
import { expect, it } from 'vitest';
import { createCompensationQueue } from './compensation-queue.ts';

const redis = {} as Redis;
const settled = () => new Promise(setImmediate);

it('the number of queued releases is bounded; the oldest is dropped', async () => {
  const queue = createCompensationQueue(redis, { maxSize: 3 });
  const done: number[] = [];
  for (const n of [1, 2, 3, 4, 5]) queue.add(async () => done.push(n));
  queue.flush();
  expect(done).toEqual([3, 4, 5]);
  queue.flush();
  await settled();
  expect(done, 'once done it is not queued any more').toEqual([3, 4, 5]);
});

it('work that Redis always refuses is tried ten times, and no more', async () => {
  const queue = createCompensationQueue(redis);
  let tries = 0;
  await queue.attempt(() => {
    tries++;
    return Promise.reject(new Error('WRONGTYPE'));
  });
  for (let i = 0; i < 20; i++) {
    queue.flush();
    await settled();
  }
  expect(tries).toBe(10);
});
