import { hash } from 'node:crypto';
import { seededRandom } from '@shopscope/testing/random';

/** Random numbers that a text reproduces. */
export interface Random {
  /** min ≤ x < max. */
  within(min: number, max: number): number;
}

export function createRandom(seed: string): Random {
  const next = seededRandom(hash('sha256', seed, 'buffer').readUInt32LE(0));
  return { within: (min, max) => min + next() * (max - min) };
}
