import type { Tx } from '@shopscope/mongo';
import { isDuplicateKey } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { initialPlans, type Plan, type PlanChanges, plansMax } from '../../domain/plan.ts';

interface PlanDocument extends Omit<Plan, 'slug'> {
  _id: string;
  /** Changed by every assignment of the plan, so that a concurrent deletion meets a write conflict. */
  assignments?: number;
}

interface MarkerDocument {
  _id: string;
  at?: Date;
  /** Every creation of a plan changes it, so that concurrent creations conflict. */
  creations?: number;
}

const initialPlansAdded = 'initial_plans_added';
const planCreated = 'plan_created';

export type PlanStore = ReturnType<typeof createPlanStore>;

export function createPlanStore(db: Db) {
  const collection: Collection<PlanDocument> = db.collection('plans');
  const markers: Collection<MarkerDocument> = db.collection('markers');

  return {
    /**
     * Adds the initial plans once in the life of a database. A marker says that it happened, so that a deleted plan does
     * not come back with the next start. Two first starts at once add the same documents.
     */
    async seed(at: Date): Promise<void> {
      if (await markers.findOne({ _id: initialPlansAdded })) return;
      await collection.bulkWrite(
        initialPlans.map(({ slug, ...rest }) => ({
          updateOne: { filter: { _id: slug }, update: { $setOnInsert: rest }, upsert: true },
        })),
      );
      await markers.updateOne({ _id: initialPlansAdded }, { $setOnInsert: { at } }, { upsert: true });
    },

    /** True when the plan is new. */
    async put({ slug, ...rest }: Plan, tx: Tx): Promise<boolean> {
      return (await collection.replaceOne({ _id: slug }, rest, { upsert: true, ...tx })).upsertedCount === 1;
    },

    /**
     * For the transaction that has created a plan: the number of plans with it. It changes one document. Of two concurrent creations,
     * one is therefore repeated, and it counts the plan of the other.
     */
    async countWithNew(tx: Tx): Promise<number> {
      await markers.updateOne({ _id: planCreated }, { $inc: { creations: 1 } }, { upsert: true, ...tx });
      return collection.countDocuments({}, tx);
    },

    /** False when the slug exists: the server has then ended the transaction, and the caller throws. */
    async insert({ slug, ...rest }: Plan, tx: Tx): Promise<boolean> {
      try {
        await collection.insertOne({ _id: slug, ...rest }, tx);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** The plan as it is after this call, or null when there is none. */
    async change(slug: string, changes: PlanChanges, tx: Tx): Promise<Plan | null> {
      const { included = {}, ...rest } = changes;
      const allowances = Object.entries(included).map(([unit, count]) => [`included.${unit}`, count] as const);
      const $set = Object.fromEntries(
        [...Object.entries(rest), ...allowances].filter(([, value]) => value !== undefined),
      );
      const found = await collection.findOneAndUpdate({ _id: slug }, { $set }, { ...tx, returnDocument: 'after' });
      return found && toPlan(found);
    },

    /**
     * For whoever assigns the plan in this transaction: false when there is no such plan. It changes the plan's document, so that
     * of an assignment and a deletion at the same time one is repeated and sees what the other did.
     */
    async holdForAssignment(slug: string, tx: Tx): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ _id: slug }, { $inc: { assignments: 1 } }, tx);
      return matchedCount === 1;
    },

    async delete(slug: string, tx: Tx): Promise<boolean> {
      return (await collection.deleteOne({ _id: slug }, tx)).deletedCount === 1;
    },

    async find(slug: string, maxTimeMS: number): Promise<Plan | null> {
      const found = await collection.findOne({ _id: slug }, { maxTimeMS });
      return found && toPlan(found);
    },

    async list(maxTimeMS: number): Promise<Plan[]> {
      return (await collection.find({}, { maxTimeMS }).sort({ _id: 1 }).limit(plansMax).toArray()).map(toPlan);
    },
  };
}

function toPlan({ _id, assignments: _, ...rest }: PlanDocument): Plan {
  return { slug: _id, ...rest };
}
