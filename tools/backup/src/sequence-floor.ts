import type { Db } from 'mongodb';

/** More than the visits of one domain in a millisecond. */
const sequencesPerMs = 2 ** 10;

/**
 * Makes every later sequence of scan-scheduler higher than those that it gave out before a restore, even when the same backup is
 * restored twice: the floor follows the time. It stays below 2^53 until the year 2248. Resolves to the new floor. It only inserts,
 * because the role restore has no other right to write.
 *
 * Without it a restored scan-scheduler repeats the sequences of scans since the backup, and profiles rejects their observations.
 */
export async function raiseSequenceFloor(db: Db, nowMs = Date.now()): Promise<number> {
  const floor = nowMs * sequencesPerMs;
  const writeConcern = { w: 'majority', journal: true } as const;
  await db.collection<{ _id: number }>('sequence_floors', { writeConcern }).insertOne({ _id: floor });
  return floor;
}
