import type { Redis } from '@shopscope/redis';
import { expect, it } from 'vitest';
import { createCompensationQueue } from './compensation-queue.ts';

const redis = {} as Redis;
const settled = () => new Promise(setImmediate);

it('the number of queued commands is bounded, and the oldest is dropped first', async () => {
  const queue = createCompensationQueue(redis, { maxSize: 3 });
  const done: number[] = [];
  for (const n of [1, 2, 3, 4, 5]) queue.add(async () => done.push(n));
  queue.flush();
  expect(done).toEqual([3, 4, 5]);
  queue.flush();
  await settled();
  expect(done, 'a command that succeeded is not queued again').toEqual([3, 4, 5]);
});

it('a command that Redis always refuses is attempted ten times', async () => {
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
