import { withNamesAbove } from '@shopscope/domain-name';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { Collection, Db } from 'mongodb';
import type { OptOut, RemovalStep } from '../../domain/opt-out.ts';

/** It is never deleted, because a repeated event of an earlier change must change nothing. */
interface OptOutDocument extends Omit<OptOut, 'subject'> {
  _id: string;
  /** Present while stores of the entry are to be removed. */
  step?: RemovalStep;
  /** Present while an instance carries out the step. */
  claimedUntil?: Date;
  /** The request that changed the entry. */
  origin: Origin;
}

/** An entry whose stores one instance removes now. */
export type ClaimedOptOut = OptOut & { step: RemovalStep; origin: Origin };

export const optOutIndexes = [{ key: { 'step.at': 1 }, options: { sparse: true } }] as const;

export type OptOutStore = ReturnType<typeof createOptOutStore>;

export function createOptOutStore(db: Db) {
  const collection: Collection<OptOutDocument> = db.collection('opt_outs');

  return {
    /** Records a change with the first step of its removals. Returns false if this or a later change was recorded before. */
    async apply({ subject, ...entry }: OptOut, step: RemovalStep | null, origin: Origin, tx: Tx): Promise<boolean> {
      const before = await collection.findOne({ _id: subject }, { ...tx, projection: { changedAt: 1 } });
      if (before && before.changedAt >= entry.changedAt) return false;
      const document = { ...entry, origin, ...(step && { step }) };
      await collection.replaceOne({ _id: subject }, document, { ...tx, upsert: true });
      return true;
    },

    /** Returns those of the domains that an entry in force covers. */
    async covered(domains: readonly string[], tx: Tx): Promise<Set<string>> {
      const names = [...new Set(domains.flatMap(withNamesAbove))];
      const found = await collection
        .find({ _id: { $in: names }, isInForce: true }, { ...tx, projection: { _id: 1 } })
        .toArray();
      const subjects = new Set(found.map(({ _id }) => _id));
      return new Set(domains.filter((domain) => withNamesAbove(domain).some((name) => subjects.has(name))));
    },

    /** Whether the entry is still as it was claimed. */
    async isCurrent({ subject, changedAt }: ClaimedOptOut, tx: Tx): Promise<boolean> {
      return (await collection.countDocuments({ _id: subject, changedAt }, tx)) > 0;
    },

    /** Claims the entry whose step has been due longest. Another claim gets it if it is not moved until `claimedUntil`. */
    async claim(now: Date, claimedUntil: Date, maxTimeMS: number): Promise<ClaimedOptOut | undefined> {
      const isFree = { $or: [{ claimedUntil: { $exists: false } }, { claimedUntil: { $lte: now } }] };
      const found = await collection.findOneAndUpdate(
        { 'step.at': { $lte: now }, ...isFree },
        { $set: { claimedUntil } },
        { sort: { 'step.at': 1 }, maxTimeMS },
      );
      if (!found?.step) return undefined;
      const { _id: subject, isInForce, changedAt, step, origin } = found;
      return { subject, isInForce, changedAt, step, origin };
    },

    /** Stores the next step, or that no step is left. */
    async move({ subject, changedAt }: ClaimedOptOut, next: RemovalStep | null, maxTimeMS: number): Promise<void> {
      const ended = { claimedUntil: '' as const };
      const update = next ? { $set: { step: next }, $unset: ended } : { $unset: { step: '' as const, ...ended } };
      await collection.updateOne({ _id: subject, changedAt }, update, { maxTimeMS });
    },

    /** Returns since when each due step has been due, the oldest first. */
    async dueSteps(now: Date, maxTimeMS: number): Promise<Date[]> {
      const options = { sort: { 'step.at': 1 }, projection: { step: 1 }, maxTimeMS } as const;
      const found = await collection.find({ 'step.at': { $lte: now } }, options).toArray();
      return found.flatMap(({ step }) => step?.at ?? []);
    },
  };
}
