import { type Environment, nameIn } from '@shopscope/environment';
import { fromMongo } from '@shopscope/mongo';
import type { Collection, Db, ObjectId } from 'mongodb';

/** Announces a transaction that may commit signals with the time `recordedAt`. */
interface OpenRecord {
  _id: ObjectId;
  recordedAt: Date;
}

export type OpenRecordId = ObjectId;

const keptSeconds = 600;
const timeoutMs = 5_000;

/** MongoDB deletes what killed processes have left. */
export const openRecordIndexes = [{ key: { recordedAt: 1 }, options: { expireAfterSeconds: keptSeconds } }] as const;

export type OpenRecordStore = ReturnType<typeof createOpenRecordStore>;

/** The transactions that record signals now. These commands are outside of the transactions, and have majority concerns. */
export function createOpenRecordStore(db: Db, environment: Environment) {
  const collection: Collection<Omit<OpenRecord, '_id'>> = db.collection(nameIn(environment, 'open_records', '_'));
  const translated = (error: unknown): never => {
    throw fromMongo(error);
  };

  return {
    /** Resolves once every reader sees the transaction. */
    async open(recordedAt: Date): Promise<OpenRecordId> {
      const { insertedId } = await collection.insertOne({ recordedAt }, { maxTimeMS: timeoutMs }).catch(translated);
      return insertedId;
    },

    async close(id: OpenRecordId): Promise<void> {
      await collection.deleteOne({ _id: id }, { maxTimeMS: timeoutMs }).catch(translated);
    },

    /** Returns the earliest time of the open transactions that is later than `after`. */
    async earliest(after: Date, timeoutMs: number): Promise<Date | undefined> {
      const query = collection.find({ recordedAt: { $gt: after } }, { maxTimeMS: Math.max(1, Math.floor(timeoutMs)) });
      const [first] = await query.sort({ recordedAt: 1 }).limit(1).toArray().catch(translated);
      return first?.recordedAt;
    },
  };
}
