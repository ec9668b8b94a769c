/** A UTC month as `2026-11`. Only billed look-ups show exact times, because they tell a caller whether a look-up would return new facts. */
export type MonthOfScan = string;

export const monthOf = (ms: number): MonthOfScan => new Date(ms).toISOString().slice(0, 'yyyy-mm'.length);
