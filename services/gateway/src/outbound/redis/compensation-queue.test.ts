import type { Redis } from '@shopscope/redis';
import { expect, it } from 'vitest';
import { createOwedWork } from './owed-work.ts';

const redis = {} as Redis;
const settled = () => new Promise(setImmediate);

it('what is owed is bounded by its number; the oldest is forgotten', async () => {
  const owed = createOwedWork(redis, { most: 3 });
  const done: number[] = [];
  for (const n of [1, 2, 3, 4, 5]) owed.add(async () => done.push(n));
  owed.settle();
  expect(done).toEqual([3, 4, 5]);
  owed.settle();
  await settled();
  expect(done, 'once done it is not owed any more').toEqual([3, 4, 5]);
});

it('work that Redis always refuses is tried ten times, and no more', async () => {
  const owed = createOwedWork(redis);
  let tries = 0;
  await owed.attempt(() => {
    tries++;
    return Promise.reject(new Error('WRONGTYPE'));
  });
  for (let i = 0; i < 20; i++) {
    owed.settle();
    await settled();
  }
  expect(tries).toBe(10);
});
