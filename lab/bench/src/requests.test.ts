import { expect, it } from 'vitest';
import { createRandom } from './random.ts';
import { lookUpsByEach, lookUpsInTurn, randomEnriches, randomLookUps } from './requests.ts';

const domainsOf = (next: () => { body?: unknown }) => JSON.parse(String(next().body)).domains as string[];

it('random requests look up only the given number of first stores, another one in each request', () => {
  const next = randomLookUps(createRandom(1), 50, (random) => `key-${random(3)}`);
  const requests = Array.from({ length: 500 }, next);
  const numbers = requests.map(({ path }) => Number(/^\/v1\/stores\/bench-(\d+)\.example$/.exec(path ?? '')?.[1]));
  expect(new Set(numbers).size).toBe(50);
  expect(numbers.every((number) => number < 50)).toBe(true);
  expect(new Set(requests.map(({ headers }) => headers?.authorization)).size).toBe(3);
});

it('a random batch has a hundred different stores, or all stores of a smaller corpus', () => {
  const next = randomEnriches(createRandom(1), 1_000, () => 'key');
  const [first, second] = [domainsOf(next), domainsOf(next)];
  expect([new Set(first).size, first.length]).toEqual([100, 100]);
  expect(second).not.toEqual(first);
  expect(domainsOf(randomEnriches(createRandom(1), 7, () => 'key'))).toHaveLength(7);
});

it('each key of a row looks one store up', () => {
  const requests = Array.from({ length: 3 }, lookUpsByEach(['a', 'b', 'c'], 2));
  expect(requests.map(({ path }) => path)).toEqual([0, 1, 0].map((n) => `/v1/stores/bench-${n}.example`));
  expect(requests.map(({ headers }) => headers?.authorization)).toEqual(['Bearer a', 'Bearer b', 'Bearer c']);
});

it('look-ups in turn reach every store and every key, whichever are more', () => {
  const gets = [{ path: '/1' }, { path: '/2' }, { path: '/3' }];
  expect(lookUpsInTurn(gets, ['a', 'b']).map(({ path }) => path)).toEqual(['/1', '/2', '/3']);
  const many = lookUpsInTurn(gets, ['a', 'b', 'c', 'd']);
  expect(many.map(({ headers }) => headers?.authorization)).toEqual(['a', 'b', 'c', 'd'].map((key) => `Bearer ${key}`));
});
