import { type Environment, type Handles, nameIn } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db, FindCursor } from 'mongodb';
import type { Member } from '../../domain/member.ts';
import type { GroupRef } from '../../domain/store-group.ts';
import type { Read } from './reads.ts';
import { firstTurnOf, turnIndexes } from './watched-turns.ts';

/** The document has also the member `listId` or `watchlistId`. */
export interface MemberDocument extends Member {
  workspaceId: string;
}

/** The stores of one list are together, in the order of their domains. The lists of a large workspace are distributed. */
export const listStoreCollection = {
  indexes: [{ key: { workspaceId: 1, listId: 1, domain: 1 }, options: { unique: true } }],
  shardKey: { workspaceId: 1, listId: 1 },
  uniqueId: 'ids are random',
} as const satisfies CollectionDefinition;

/**
 * The key is the domain, because each signal needs the watchlists of one domain. The first index gives them by workspace, so that a page of
 * the fan-out has whole workspaces.
 */
export const watchedStoreCollection = {
  indexes: [
    { key: { domain: 1, workspaceId: 1, watchlistId: 1 }, options: { unique: true } },
    { key: { watchlistId: 1, domain: 1 }, options: {} },
    ...turnIndexes,
  ],
  shardKey: { domain: 1 },
  uniqueId: 'ids are random',
  scatters: {
    'find watchlistId,workspaceId': 'the stores of a watchlist, which has many domains',
    'find domain,watchlistId,workspaceId': 'pages of a watchlist, which has many domains',
  },
} as const satisfies CollectionDefinition;

export type MemberStore<E extends Environment> = Handles<E> & ReturnType<typeof memberStore<E>>;

export const createListStoreStore = <E extends Environment>(db: Db, environment: E): MemberStore<E> =>
  memberStore(db.collection<MemberDocument>(nameIn(environment, 'list_stores', '_')), environment, 'listId');

export const createWatchedStoreStore = <E extends Environment>(db: Db, environment: E): MemberStore<E> =>
  memberStore(
    db.collection<MemberDocument>(nameIn(environment, 'watched_stores', '_')),
    environment,
    'watchlistId',
    ({ addedAt }) => firstTurnOf(addedAt),
  );

/** Every command on list_stores has its shard key. Commands on watched_stores have theirs, except pages and deletions of a watchlist. */
function memberStore<E extends Environment>(
  collection: Collection<MemberDocument>,
  environment: E,
  idMember: 'listId' | 'watchlistId',
  also: (member: Member) => object = () => ({}),
) {
  const inGroup = ({ workspaceId, id }: GroupRef<E>) => ({ workspaceId, [idMember]: id });

  return {
    environment,

    /** Returns those of the stores that the group has. */
    async findAll(ref: GroupRef<E>, domains: readonly string[], tx: Tx): Promise<Member[]> {
      const query = { ...inGroup(ref), domain: { $in: [...domains] } };
      return (await collection.find(query, { ...tx, batchSize: domains.length + 1 }).toArray()).map(toMember);
    },

    async insert(ref: GroupRef<E>, members: readonly Member[], tx: Tx): Promise<void> {
      if (members.length === 0) return;
      await collection.insertMany(
        members.map((member) => ({ ...inGroup(ref), ...member, ...also(member) })),
        { ...tx },
      );
    },

    async setExternalIds(ref: GroupRef<E>, changes: readonly Pick<Member, 'domain' | 'externalId'>[], tx: Tx) {
      if (changes.length === 0) return;
      const updates = changes.map(({ domain, externalId }) => ({
        updateOne: { filter: { ...inGroup(ref), domain }, update: { $set: { externalId } } },
      }));
      await collection.bulkWrite(updates, { ...tx });
    },

    async remove(ref: GroupRef<E>, domains: readonly string[], tx: Tx): Promise<void> {
      if (domains.length > 0)
        await collection.deleteMany({ ...inGroup(ref), domain: { $in: [...domains] } }, { ...tx });
    },

    /** Returns stores by domain, after `afterDomain`. An empty text begins with the first store. */
    async list(ref: GroupRef<E>, afterDomain: string, limit: number, maxTimeMS: number): Promise<Member[]> {
      const query = { ...inGroup(ref), domain: { $gt: afterDomain } };
      return (await collection.find(query, { maxTimeMS }).sort({ domain: 1 }).limit(limit).toArray()).map(toMember);
    },

    /** Yields the stores of a snapshot by domain, in batches of at most `batchSize`. */
    async *batches(ref: GroupRef<E>, batchSize: number, snapshot: Read): AsyncGenerator<Member[]> {
      const options = { session: snapshot.session, maxTimeMS: snapshot.maxTimeMS, batchSize };
      const cursor = collection.find(inGroup(ref), options).sort({ domain: 1 });
      let batch: Member[] = [];
      for await (const document of cursor) {
        batch.push(toMember(document));
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },

    /** Returns domains in order, after `afterDomain`. The index has them, so no document is read. */
    listDomains: (ref: GroupRef<E>, afterDomain: string, limit: number, maxTimeMS: number): Promise<string[]> => {
      const query = { ...inGroup(ref), domain: { $gt: afterDomain } };
      return domainsOf(collection.find(query, { maxTimeMS }).sort({ domain: 1 }).limit(limit), limit);
    },

    /** Returns those of the domains that the group has. The index has them, so no document is read. */
    filterDomains: (ref: GroupRef<E>, domains: readonly string[], maxTimeMS: number): Promise<string[]> =>
      domainsOf(collection.find({ ...inGroup(ref), domain: { $in: [...domains] } }, { maxTimeMS }), domains.length),

    /** Deletes at most `limit` stores. `isEmpty`: the group has none left. Another instance may delete the same stores meanwhile. */
    async deleteSome(
      ref: GroupRef<E>,
      limit: number,
      maxTimeMS: number,
    ): Promise<{ deleted: number; isEmpty: boolean }> {
      const found = collection.find(inGroup(ref), { maxTimeMS, projection: { _id: 0, domain: 1 } });
      const domains = (await found.sort({ domain: 1 }).limit(limit).toArray()).map(({ domain }) => domain);
      const { deletedCount } = await collection.deleteMany(
        { ...inGroup(ref), domain: { $in: domains } },
        { maxTimeMS },
      );
      return { deleted: deletedCount, isEmpty: domains.length < limit };
    },
  };
}

async function domainsOf(found: FindCursor<MemberDocument>, most: number): Promise<string[]> {
  const rows = found.project<Pick<Member, 'domain'>>({ _id: 0, domain: 1 }).batchSize(most + 1);
  return (await rows.toArray()).map(({ domain }) => domain);
}

const toMember = ({ domain, externalId, addedAt }: MemberDocument): Member => ({ domain, externalId, addedAt });
