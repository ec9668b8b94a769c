/** A share with its 95 % interval. All three numbers are null if there is no case. */
export interface Share {
  share: number | null;
  low: number | null;
  high: number | null;
}

const z = 1.96;

/** Uses the interval of Wilson, which stays between 0 and 1 and is valid for few cases and for shares of 0 and 1. */
export function shareOf(hits: number, cases: number): Share {
  if (cases === 0) return { share: null, low: null, high: null };
  const share = hits / cases;
  const square = z ** 2 / cases;
  const middle = (share + square / 2) / (1 + square);
  const half = (z * Math.sqrt((share * (1 - share)) / cases + square / cases / 4)) / (1 + square);
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Returns the smallest value that at least the share `quantile` of the values does not exceed, or 0 if there is no value. */
export function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * quantile) - 1)] ?? 0;
}

export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
