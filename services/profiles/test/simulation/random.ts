/** Numbers from 0 to 1. */
export type Random = () => number;

export const exponential = (random: Random, mean: number): number => -Math.log(1 - random()) * mean;

/** A whole number from `least` to `most`. */
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));
