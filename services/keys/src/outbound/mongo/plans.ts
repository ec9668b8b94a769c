import type { Tx } from '@shopscope/mongo';
import { isDuplicateKey } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { defaultQuotas, initialPlans, maxPlans, type Plan, type PlanChanges } from '../../domain/plan.ts';

interface PlanDocument extends Omit<Plan, 'slug' | 'quotas'> {
  _id: string;
  /** A plan that was stored before there were quotas has none, or those that an operator has set since. */
  quotas?: Partial<Plan['quotas']>;
  /** Each assignment of the plan increments it, so that a concurrent deletion conflicts. */
  assignments?: number;
}

interface MarkerDocument {
  _id: string;
  at?: Date;
  /** Each creation of a plan increments it, so that concurrent creations conflict. */
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
     * Adds the initial plans once in the life of a database. A marker records this, so that the next start does not add a deleted
     * plan again. Two concurrent first starts add the same documents.
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

    /** Creates or replaces the plan. Returns whether it is new. */
    async put({ slug, ...rest }: Plan, tx: Tx): Promise<boolean> {
      return (await collection.replaceOne({ _id: slug }, rest, { upsert: true, ...tx })).upsertedCount === 1;
    },

    /**
     * Counts the plans, in a transaction that has created one. Concurrent creations conflict, because all of them change the same
     * document. The second transaction is repeated and counts the plan of the first.
     */
    async countWithNew(tx: Tx): Promise<number> {
      await markers.updateOne({ _id: planCreated }, { $inc: { creations: 1 } }, { upsert: true, ...tx });
      return collection.countDocuments({}, tx);
    },

    /** Returns false if the slug exists. The server has then aborted the transaction, and the operation must throw. */
    async insert({ slug, ...rest }: Plan, tx: Tx): Promise<boolean> {
      try {
        await collection.insertOne({ _id: slug, ...rest }, tx);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Returns the plan as it is after this call, or null if there is none. */
    async change(slug: string, changes: PlanChanges, tx: Tx): Promise<Plan | null> {
      const { included = {}, quotas = {}, ...rest } = changes;
      const allowances = Object.entries(included).map(([unit, count]) => [`included.${unit}`, count] as const);
      const kept = Object.entries(quotas).map(([quota, count]) => [`quotas.${quota}`, count] as const);
      const members = [...Object.entries(rest), ...allowances, ...kept];
      const $set = Object.fromEntries(members.filter(([, value]) => value !== undefined));
      const found = await collection.findOneAndUpdate({ _id: slug }, { $set }, { ...tx, returnDocument: 'after' });
      return found && toPlan(found);
    },

    /**
     * Makes an assignment of the plan conflict with a concurrent deletion, because both change the document of the plan. The second
     * transaction is repeated and reads the result of the first. Returns false if there is no such plan.
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
      return (await collection.find({}, { maxTimeMS }).sort({ _id: 1 }).limit(maxPlans).toArray()).map(toPlan);
    },
  };
}

function toPlan({ _id, assignments: _, quotas, ...rest }: PlanDocument): Plan {
  return { slug: _id, ...rest, quotas: { ...defaultQuotas(_id), ...quotas } };
}
