import type { Collection, Db } from 'mongodb';

interface MigrationDocument {
  _id: string;
  completedAt: Date;
}

export type MigrationStore = ReturnType<typeof createMigrationStore>;

/** Which migrations of the data are complete. An entry never means more than that: a migration may run again. */
export function createMigrationStore(db: Db) {
  const collection: Collection<MigrationDocument> = db.collection('migrations');

  return {
    isComplete: async (name: string, maxTimeMS: number): Promise<boolean> =>
      (await collection.findOne({ _id: name }, { maxTimeMS })) !== null,

    async complete(name: string, completedAt: Date): Promise<void> {
      await collection.replaceOne({ _id: name }, { completedAt }, { upsert: true });
    },

    async forget(name: string): Promise<void> {
      await collection.deleteOne({ _id: name });
    },
  };
}
