import { seededRandom } from '@shopscope/testing/random';

/** A whole number from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** Random numbers that depend on the seed alone, so that two rows ask in the same order. */
export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}
