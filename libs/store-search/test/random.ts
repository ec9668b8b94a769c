import { seededRandom } from '@shopscope/testing/random';

/** Random choices that a seed reproduces. */
export type Random = ReturnType<typeof randomOf>;

export function randomOf(seed: number) {
  const next = seededRandom(seed);
  const below = (end: number) => Math.floor(next() * end);
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  return {
    below,
    oneOf,
    chance: (probability: number) => next() < probability,
    /** Returns from `min` to `max` values, with repetitions. */
    some: <Value>(values: readonly Value[], min: number, max: number): Value[] =>
      Array.from({ length: min + below(max - min + 1) }, () => oneOf(values)),
    /** Returns each value with this probability. */
    subset: <Value>(values: readonly Value[], probability: number): Value[] =>
      values.filter(() => next() < probability),
  };
}
