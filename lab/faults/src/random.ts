import { seededRandom } from '@shopscope/testing/random';

/** Random numbers that depend only on the seed. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  /** Returns true with the probability `share`. */
  chance(share: number): boolean;
  /** Returns random numbers for one part of a run. How many of them that part uses has no effect on the numbers of other parts. */
  fork(name: string): Random;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const random: Random = {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (from) => {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
    chance: (share) => next() < share,
    fork: (name) => createRandom(hashOf(`${seed}/${name}`)),
  };
  return random;
}

/** Returns the FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
