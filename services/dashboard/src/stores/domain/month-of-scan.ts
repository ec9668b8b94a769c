/** A UTC month as `2026-11`. Exact times are paid, because they show whether the store was read since a caller's last look-up. */
export type MonthOfScan = string;

export const monthOf = (ms: number): MonthOfScan => new Date(ms).toISOString().slice(0, 'yyyy-mm'.length);
