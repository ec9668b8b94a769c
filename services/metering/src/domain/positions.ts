/** Offsets by partition. */
export type Offsets = ReadonlyMap<number, bigint>;

/** True when everything before `ends` has been consumed. A partition that was never committed counts as unread. */
export function hasPassed(consumed: Offsets, ends: Offsets): boolean {
  if (ends.size === 0) return false;
  return [...ends].every(([partition, end]) => end === 0n || (consumed.get(partition) ?? -1n) >= end);
}
