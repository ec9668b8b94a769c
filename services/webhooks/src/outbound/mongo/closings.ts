import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db } from 'mongodb';
import type { EndpointRef } from '../../domain/endpoint.ts';

/** An endpoint that was deleted or disabled, and whose open deliveries are being ended. */
interface ClosingDocument {
  /** The endpoint. */
  _id: string;
  workspaceId: string;
  since: Date;
  /** Counts the batches of deliveries, so that each batch conflicts with the deletion of this document. */
  batches?: number;
}

export const closingCollection = {
  indexes: [
    { key: { workspaceId: 1, _id: 1 }, options: {} },
    { key: { since: 1 }, options: {} },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'endpoint ids are random',
  scatters: {
    'find *': 'the timer looks for closings',
  },
} as const satisfies CollectionDefinition;

export type ClosingStore<E extends Environment> = Handles<E> & ReturnType<typeof closingStore<E>>;

/** Every command has the shard key, except for the search of the timer. */
export const createClosingStore = <E extends Environment>(db: Db, environment: E): ClosingStore<E> =>
  closingStore(db.collection<ClosingDocument>(nameIn(environment, 'closings', '_')), environment);

function closingStore<E extends Environment>(collection: Collection<ClosingDocument>, environment: E) {
  const byRef = ({ workspaceId, id }: EndpointRef<E>) => ({ _id: id, workspaceId });
  return {
    environment,

    async insert(ref: EndpointRef<E>, since: Date, tx: Tx): Promise<void> {
      await collection.updateOne(byRef(ref), { $set: { since } }, { ...tx, upsert: true });
    },

    async delete(ref: EndpointRef<E>, options: Tx | { maxTimeMS: number }): Promise<void> {
      await collection.deleteOne(byRef(ref), options);
    },

    /** Keeps the document until the transaction ends. Returns false if there is none. */
    async hold(ref: EndpointRef<E>, tx: Tx): Promise<boolean> {
      return (await collection.updateOne(byRef(ref), { $inc: { batches: 1 } }, tx)).matchedCount === 1;
    },

    /** Returns the endpoints that wait longest. */
    async list(limit: number, maxTimeMS: number): Promise<{ ref: EndpointRef<E>; since: Date }[]> {
      const found = await collection.find({}, { maxTimeMS }).sort({ since: 1 }).limit(limit).toArray();
      return found.map(({ _id: id, workspaceId, since }) => ({ ref: { environment, workspaceId, id }, since }));
    },

    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}
