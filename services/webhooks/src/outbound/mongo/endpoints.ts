import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db, UpdateFilter } from 'mongodb';
import type { Endpoint, EndpointRef } from '../../domain/endpoint.ts';

/** The secrets of an endpoint, each sealed by the vault. */
export interface SealedParts {
  /** The key that has sealed the parts. */
  keyId: string;
  /** The latest one first. */
  secrets: { sealed: string; until: Date | null }[];
  headers: string;
}

interface EndpointDocument extends Omit<Endpoint, 'id'> {
  _id: string;
  sealed: SealedParts;
  /** The token of the call that created the endpoint. Absent if the call had none, and after 24 hours. */
  requestToken?: string;
  /** The latest calls that rotated the secret with a token, at most {@link maxRotations}. */
  rotations?: Rotation[];
}

interface Rotation {
  token: string;
  at: Date;
}

/** More rotations within the life of a token forget the oldest one. */
const maxRotations = 20;

/** The endpoints of one workspace are together. */
export const endpointCollection = {
  indexes: [
    { key: { workspaceId: 1, _id: -1 }, options: {} },
    { key: { 'sealed.keyId': 1 }, options: {} },
    {
      key: { workspaceId: 1, requestToken: 1 },
      options: { unique: true, partialFilterExpression: { requestToken: { $type: 'string' } } },
    },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'ids are random',
  scatters: {
    'find sealed.keyId': 'the timer looks for endpoints under an old key',
  },
} as const satisfies CollectionDefinition;

/** An endpoint with what an attempt needs. */
export interface StoredEndpoint extends Endpoint {
  sealed: SealedParts;
}

export type EndpointChange = Partial<
  Omit<Endpoint, 'id' | 'workspaceId' | 'createdAt'> & {
    sealed: SealedParts;
    /** The call that rotates the secret. */
    rotation: Rotation;
  }
>;

export type EndpointStore<E extends Environment> = Handles<E> & ReturnType<typeof endpointStore<E>>;

/** Every command has the shard key, except for the search of the timer for endpoints under an old key. */
export const createEndpointStore = <E extends Environment>(db: Db, environment: E): EndpointStore<E> =>
  endpointStore(db.collection<EndpointDocument>(nameIn(environment, 'endpoints', '_')), environment);

function endpointStore<E extends Environment>(collection: Collection<EndpointDocument>, environment: E) {
  const byRef = ({ workspaceId, id }: EndpointRef<E>) => ({ _id: id, workspaceId });
  const change = async (ref: EndpointRef<E>, update: UpdateFilter<EndpointDocument>, tx: Tx) => {
    const found = await collection.findOneAndUpdate(byRef(ref), update, { ...tx, returnDocument: 'after' });
    return found && toEndpoint(found);
  };

  return {
    environment,

    async insert({ id, ...endpoint }: StoredEndpoint, requestToken: string, _tenant: Tenant<E>, tx: Tx): Promise<void> {
      const token = requestToken ? { requestToken } : {};
      await collection.insertOne({ _id: id, ...endpoint, ...token }, tx);
    },

    /** Returns the endpoint that a call with the token has created since then. Older endpoints lose the token. */
    async findCreated({ workspaceId }: Tenant<E>, requestToken: string, since: Date, tx: Tx): Promise<Endpoint | null> {
      const query = { workspaceId, requestToken };
      await collection.updateMany({ ...query, createdAt: { $lte: since } }, { $unset: { requestToken: 1 } }, tx);
      const found = await collection.findOne(query, tx);
      return found && toEndpoint(found);
    },

    async find(ref: EndpointRef<E>, options: Tx | { maxTimeMS: number }): Promise<StoredEndpoint | null> {
      const found = await collection.findOne(byRef(ref), options);
      return found && toStored(found);
    },

    /** Whether a call with the token has rotated the secret since then. */
    async hasRotated(ref: EndpointRef<E>, token: string, since: Date, tx: Tx): Promise<boolean> {
      const query = { ...byRef(ref), rotations: { $elemMatch: { token, at: { $gt: since } } } };
      return (await collection.findOne(query, { ...tx, projection: { _id: 1 } })) !== null;
    },

    /** Returns endpoints, the newest first, after the endpoint `afterId`. An empty text begins with the first one. */
    async list({ workspaceId }: Tenant<E>, afterId: string, limit: number, maxTimeMS: number): Promise<Endpoint[]> {
      const query = { workspaceId, ...(afterId && { _id: { $lt: afterId } }) };
      return (await collection.find(query, { maxTimeMS }).sort({ _id: -1 }).limit(limit).toArray()).map(toEndpoint);
    },

    /** Returns the endpoints of these workspaces that get deliveries. */
    async listReceiving(workspaceIds: readonly string[], maxTimeMS: number): Promise<Endpoint[]> {
      const query = { workspaceId: { $in: [...workspaceIds] }, state: { $in: ['active' as const, 'paused' as const] } };
      return (await collection.find(query, { maxTimeMS, projection: { sealed: 0 } }).toArray()).map(toEndpoint);
    },

    /** Returns the changed endpoint, or null if there is none. */
    update: (ref: EndpointRef<E>, { rotation, ...members }: EndpointChange, tx: Tx) =>
      change(
        ref,
        {
          $set: members,
          ...(rotation && { $push: { rotations: { $each: [rotation], $slice: -maxRotations } } }),
        },
        tx,
      ),

    /** Returns false if there is none. */
    async delete(ref: EndpointRef<E>, tx: Tx): Promise<boolean> {
      return (await collection.deleteOne(byRef(ref), tx)).deletedCount === 1;
    },

    /** Deletes every endpoint of the workspace, and returns their ids. */
    async deleteAll({ workspaceId }: Tenant<E>, tx: Tx): Promise<string[]> {
      const found = await collection.find({ workspaceId }, { ...tx, projection: { _id: 1 } }).toArray();
      await collection.deleteMany({ workspaceId }, tx);
      return found.map(({ _id }) => _id);
    },

    /** Returns endpoints that one of these keys has sealed. */
    async listSealedBy(keyIds: readonly string[], limit: number, maxTimeMS: number): Promise<StoredEndpoint[]> {
      const query = { 'sealed.keyId': { $in: [...keyIds] } };
      return (await collection.find(query, { maxTimeMS }).limit(limit).toArray()).map(toStored);
    },

    /** Replaces the sealed parts, unless they have changed. */
    async reseal(ref: EndpointRef<E>, before: SealedParts, sealed: SealedParts, maxTimeMS: number): Promise<void> {
      await collection.updateOne({ ...byRef(ref), sealed: before }, { $set: { sealed } }, { maxTimeMS });
    },

    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}

function toEndpoint(document: EndpointDocument): Endpoint {
  const { sealed: _, ...endpoint } = toStored(document);
  return endpoint;
}

function toStored({ _id, requestToken: _, rotations: __, ...endpoint }: EndpointDocument): StoredEndpoint {
  return { id: _id, ...endpoint };
}
