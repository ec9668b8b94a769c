import { randomUUID } from 'node:crypto';
import { type Environment, type Handles, nameIn } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { type CollectionDefinition, isDuplicateKey } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { Collection, Db } from 'mongodb';
import type { StoreUpdate } from '../../domain/signal-events.ts';

interface QueuedUpdate extends StoreUpdate {
  origin: Origin;
  at: Date;
}

/** The updates of a store with many watchers, in their order. The first one is being fanned out. */
interface FanOutDocument {
  /** The domain of the store. */
  _id: string;
  updates: QueuedUpdate[];
  /** The workspaces up to this one have the events of the first update. */
  afterWorkspaceId: string;
  /** When an instance may claim the next page. It is the end of the lease while an instance works on a page. */
  readyAt: Date;
  /** The token of the latest claim. An instance that has lost its lease changes nothing. */
  token: string;
}

export const fanOutCollection = {
  indexes: [{ key: { readyAt: 1 }, options: {} }],
  shardKey: { _id: 1 },
  idBegins: 'domain',
  scatters: {
    'find readyAt': 'the timer looks for work',
    'find *': 'a metric shows the oldest update',
    'aggregate *': 'a metric counts the fan-outs',
  },
} as const satisfies CollectionDefinition;

/** A page of a fan-out, for the instance that has claimed it. */
export interface ClaimedFanOut<E extends Environment> extends Handles<E> {
  token: string;
  update: StoreUpdate;
  origin: Origin;
  afterWorkspaceId: string;
}

/** A store is scanned a few times a day at most. More updates wait in Kafka, because the consumer is refused. */
const maxUpdates = 20;
const maxCandidates = 10;

export type FanOutStore<E extends Environment> = Handles<E> & ReturnType<typeof fanOutStore<E>>;

/** Every command has the shard key, except for the searches for work and for the oldest update. */
export const createFanOutStore = <E extends Environment>(db: Db, environment: E): FanOutStore<E> =>
  fanOutStore(db.collection<FanOutDocument>(nameIn(environment, 'fan_outs', '_')), environment);

function fanOutStore<E extends Environment>(collection: Collection<FanOutDocument>, environment: E) {
  const claimedBy = ({ update, token }: ClaimedFanOut<E>) => ({ _id: update.domain, token });

  return {
    environment,

    /** Returns those of the domains that have a fan-out. */
    async pending(domains: readonly string[], maxTimeMS: number): Promise<Set<string>> {
      const found = collection.find({ _id: { $in: [...domains] } }, { maxTimeMS, projection: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /** Adds the update after the earlier ones of its store, once. Throws `unavailable` if too many wait. */
    async add(update: StoreUpdate, origin: Origin, now: Date, maxTimeMS: number): Promise<void> {
      const { domain, scanId } = update;
      const accepts = { 'updates.scanId': { $ne: scanId }, [`updates.${maxUpdates - 1}`]: { $exists: false } };
      const created = { afterWorkspaceId: '', readyAt: now, token: '' };
      try {
        await collection.updateOne(
          { _id: domain, ...accepts },
          { $push: { updates: { ...update, origin, at: now } }, $setOnInsert: created },
          { upsert: true, maxTimeMS },
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        if (await collection.findOne({ _id: domain, 'updates.scanId': scanId }, { maxTimeMS })) return;
        throw new AppError('unavailable', 'Too many updates of a store wait.', { internal: domain });
      }
    },

    /** Claims the next page of the fan-out that has waited longest. Resolves to undefined if none is ready. */
    async claim(now: Date, leaseMs: number, maxTimeMS: number): Promise<ClaimedFanOut<E> | undefined> {
      const ready = collection.find({ readyAt: { $lte: now } }, { maxTimeMS, projection: { _id: 1 } });
      for (const { _id } of await ready.sort({ readyAt: 1 }).limit(maxCandidates).toArray()) {
        const token = randomUUID();
        const lease = { readyAt: new Date(now.getTime() + leaseMs), token };
        const query = { _id, readyAt: { $lte: now } };
        const found = await collection.findOneAndUpdate(query, { $set: lease }, { returnDocument: 'after', maxTimeMS });
        const [first] = found?.updates ?? [];
        if (!found || !first) continue;
        const { origin, at: _, ...update } = first;
        return { environment, token, update, origin, afterWorkspaceId: found.afterWorkspaceId };
      }
      return undefined;
    },

    /** Ends the claim. The next page begins after the workspace, at the given time. */
    async release(claimed: ClaimedFanOut<E>, afterWorkspaceId: string, readyAt: Date, maxTimeMS: number) {
      await collection.updateOne(claimedBy(claimed), { $set: { afterWorkspaceId, readyAt } }, { maxTimeMS });
    },

    /** Removes the update. The next one of the store begins. */
    async finish(claimed: ClaimedFanOut<E>, now: Date, maxTimeMS: number): Promise<void> {
      const query = claimedBy(claimed);
      const { deletedCount } = await collection.deleteOne({ ...query, updates: { $size: 1 } }, { maxTimeMS });
      if (deletedCount === 1) return;
      const next = { $pop: { updates: -1 as const }, $set: { afterWorkspaceId: '', readyAt: now, token: '' } };
      await collection.updateOne({ ...query, 'updates.1': { $exists: true } }, next, { maxTimeMS });
    },

    /** Deletes the fan-outs of the stores. A page that is being appended now ends. */
    async delete(domains: readonly string[], maxTimeMS: number): Promise<void> {
      if (domains.length > 0) await collection.deleteMany({ _id: { $in: [...domains] } }, { maxTimeMS });
    },

    /** Returns the time of the oldest update that waits. */
    async oldest(maxTimeMS: number): Promise<Date | undefined> {
      const options = { maxTimeMS, projection: { 'updates.at': 1 }, sort: { 'updates.at': 1 } } as const;
      return (await collection.findOne({}, options))?.updates[0]?.at;
    },

    count: (): Promise<number> => collection.countDocuments({}),
  };
}
