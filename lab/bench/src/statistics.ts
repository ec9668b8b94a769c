export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns the smallest value that this share of the values does not exceed, or 0 if there is no value. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
