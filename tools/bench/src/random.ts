/** A whole number from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** Random numbers that depend on the seed alone, so that two rows ask in the same order (mulberry32). No secrets. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
