import { hash } from 'node:crypto';

/** Random numbers that a text reproduces. */
export interface Random {
  /** min ≤ x < max. */
  within(min: number, max: number): number;
}

/** Mulberry32, by Tommy Ettinger: 32 bits of state, uniform enough for amounts and instants. */
export function createRandom(seed: string): Random {
  let state = hash('sha256', seed, 'buffer').readUInt32LE(0);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { within: (min, max) => min + next() * (max - min) };
}
