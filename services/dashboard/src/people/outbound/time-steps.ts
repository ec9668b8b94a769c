import type { Db } from 'mongodb';

/**
 * Remembers the latest used time step of a person's second factor. Resolves to false when this step or a later one was
 * used before. Of two concurrent uses of one step, one gets true.
 */
export function createTimeStepStore(db: Db): (twoFactorId: string, step: number) => Promise<boolean> {
  const collection = db.collection<{ _id: string; usedStep?: number }>('twoFactor');
  return async (twoFactorId, step) => {
    const unused = { $or: [{ usedStep: { $exists: false } }, { usedStep: { $lt: step } }] };
    const { modifiedCount } = await collection.updateOne({ _id: twoFactorId, ...unused }, { $set: { usedStep: step } });
    return modifiedCount === 1;
  };
}
