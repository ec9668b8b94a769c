import { seededRandom } from '@shopscope/testing/random';

/** Returns a whole number from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** Creates random numbers that depend only on the seed, so that two rows send their requests in the same order. */
export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}
