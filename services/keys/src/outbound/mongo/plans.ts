import type { ClientSession, Collection, Db } from 'mongodb';
import { initialPlans, type Plan } from '../../domain/plan.ts';

type PlanDocument = Omit<Plan, 'slug'> & { _id: string };

export type PlanStore = ReturnType<typeof createPlanStore>;

export function createPlanStore(db: Db) {
  const collection: Collection<PlanDocument> = db.collection('plans');

  return {
    /** Adds the initial plans that are missing; those that an operator changed stay as they are. */
    async seed(): Promise<void> {
      await collection.bulkWrite(
        initialPlans.map(({ slug, ...rest }) => ({
          updateOne: { filter: { _id: slug }, update: { $setOnInsert: rest }, upsert: true },
        })),
      );
    },

    async put({ slug, ...rest }: Plan, session: ClientSession): Promise<void> {
      await collection.replaceOne({ _id: slug }, rest, { upsert: true, session });
    },

    async find(slug: string, maxTimeMS: number): Promise<Plan | null> {
      const found = await collection.findOne({ _id: slug }, { maxTimeMS });
      return found && toPlan(found);
    },

    async list(maxTimeMS: number): Promise<Plan[]> {
      return (await collection.find({}, { maxTimeMS }).sort({ _id: 1 }).limit(200).toArray()).map(toPlan);
    },
  };
}

function toPlan({ _id, ...rest }: PlanDocument): Plan {
  return { slug: _id, ...rest };
}
