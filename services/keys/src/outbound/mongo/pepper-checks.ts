import type { Collection, Db } from 'mongodb';

interface PepperCheckDocument {
  _id: string;
  check: string;
  at: Date;
}

export type PepperCheckStore = ReturnType<typeof createPepperCheckStore>;

/** Stores one check value for each pepper id that an instance has started with. */
export function createPepperCheckStore(db: Db) {
  const collection: Collection<PepperCheckDocument> = db.collection('pepper_checks');

  return {
    /** Stores the check value if the id is new. Returns the stored value. Two concurrent first starts get the same value. */
    async putIfAbsent(id: string, check: string, at: Date): Promise<string> {
      const $setOnInsert = { check, at };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const found = await collection.findOneAndUpdate({ _id: id }, { $setOnInsert }, options);
      return found?.check ?? check;
    },
  };
}
