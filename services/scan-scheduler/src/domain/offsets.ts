/**
 * Positions in a topic: the offset of the next record, by partition (-1 where a group has committed nothing). A mark
 * taken from the end of a topic is passed once the consumer has committed as far in every partition: all that was
 * published before it is then done.
 */
export type Offsets = ReadonlyMap<number, bigint>;

export function hasPassed(committed: Offsets, mark: Offsets): boolean {
  for (const [partition, end] of mark) {
    const done = committed.get(partition) ?? 0n;
    if (end > (done < 0n ? 0n : done)) return false;
  }
  return true;
}
