import type { Collection, Db } from 'mongodb';

interface PepperCheckDocument {
  _id: string;
  check: string;
  at: Date;
}

export type PepperCheckStore = ReturnType<typeof createPepperCheckStore>;

/** The check value of each pepper id that an instance has started with. */
export function createPepperCheckStore(db: Db) {
  const collection: Collection<PepperCheckDocument> = db.collection('pepper_checks');

  return {
    /** The check value that the id has: the given one when the id is new. Two first starts at once get the same. */
    async claim(id: string, check: string, at: Date): Promise<string> {
      const $setOnInsert = { check, at };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const found = await collection.findOneAndUpdate({ _id: id }, { $setOnInsert }, options);
      return found?.check ?? check;
    },
  };
}
