import { seededRandom } from '@shopscope/testing/random';

/** Random numbers that a seed reproduces. Each part of a run uses a fork, so its draws do not shift another part's numbers. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  /** True with probability `share`. */
  chance(share: number): boolean;
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

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
