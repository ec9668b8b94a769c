import type { IndexDefinition } from '@shopscope/mongo';
import type { Db } from 'mongodb';

interface SecondFactorDocument {
  _id: string;
  userId: string;
  /** False until a code has confirmed the secret. */
  verified: boolean;
  /** Added by this service: the time when the set-up began. */
  begunAt?: Date;
  /** Added by this service: the latest time step of an accepted code. */
  usedStep?: number;
}

/** A set-up that no code has confirmed ends after this time. */
const setUpSeconds = 15 * 60;

/** MongoDB deletes secrets that no code has confirmed. */
export const secondFactorIndexes: readonly IndexDefinition[] = [
  { key: { userId: 1 }, options: { unique: true } },
  { key: { begunAt: 1 }, options: { expireAfterSeconds: setUpSeconds, partialFilterExpression: { verified: false } } },
];

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;

/** Matches a set-up that has begun and has not yet ended. */
const begun = (userId: string, now: Date) => ({
  userId,
  verified: false,
  begunAt: { $gt: new Date(now.getTime() - setUpSeconds * 1_000) },
});

/** The set-up of a second factor. better-auth stores its secret. */
export function createSecondFactorStore(db: Db) {
  const collection = db.collection<SecondFactorDocument>('twoFactor');
  return {
    /** Starts the time limit of the set-up. Before this call, the set-up does not count as begun. */
    async begin(userId: string, now: Date): Promise<void> {
      await collection.updateOne({ userId, verified: false }, { $set: { begunAt: now } });
    },
    /**
     * Takes the set-up for the confirmation by a code, so that neither a cancellation nor the time limit deletes its secret meanwhile.
     * Returns the time when it began; undefined if there is none.
     */
    async take(userId: string, now: Date): Promise<Date | undefined> {
      const unset = { $unset: { begunAt: '' } } as const;
      return (await collection.findOneAndUpdate(begun(userId, now), unset, { returnDocument: 'before' }))?.begunAt;
    },
    async isBegun(userId: string, now: Date): Promise<boolean> {
      return (await collection.findOne(begun(userId, now))) !== null;
    },
    /** Deletes a secret that no code has confirmed. */
    async cancel(userId: string): Promise<void> {
      await collection.deleteOne({ userId, verified: false, begunAt: { $exists: true } });
    },
    /**
     * Marks a time step as used. Resolves to false if it or a later step was used before. Of two concurrent uses of one
     * step, one resolves to true.
     */
    async useTimeStep(twoFactorId: string, step: number): Promise<boolean> {
      const unused = { $or: [{ usedStep: { $exists: false } }, { usedStep: { $lt: step } }] };
      const used = await collection.updateOne({ _id: twoFactorId, ...unused }, { $set: { usedStep: step } });
      return used.modifiedCount === 1;
    },
  };
}
