/** A choice with its weight. */
export type Weighted<Value> = readonly (readonly [value: Value, weight: number])[];

export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns an integer of a range. Both ends are inclusive. */
  integer(from: number, to: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  pick<Value>(choices: Weighted<Value>): Value;
}

/** Returns a generator whose numbers depend only on the seed (mulberry32 after FNV-1a). */
export function randomOf(seed: string): Random {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return (choices.at(-1) as (typeof choices)[number])[0];
    },
  };
}
