import { dayMs, secondMs } from '@shopscope/clock';
import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import { type AnyBulkWriteOperation, type Collection, type Db, type Filter, MongoBulkWriteError } from 'mongodb';
import {
  type Attempt,
  type Delivery,
  type DeliveryRef,
  type DeliveryState,
  deliveryRetentionDays,
  deliveryStates,
  type LeasedDelivery,
  lanes,
  maxAttempts,
} from '../../domain/delivery.ts';
import type { EndpointRef } from '../../domain/endpoint.ts';
import { maxUnfinishedReplays } from '../../domain/replay.ts';
import type { Outcome } from '../../domain/schedule.ts';

interface DeliveryDocument extends Omit<Delivery, 'id' | 'dueAt'> {
  _id: string;
  /** Present while an attempt is due. While an instance sends the delivery, it is the end of the lease. */
  dueAt?: Date;
  /** The token of the latest lease. An instance that has lost its lease changes nothing. */
  token: string;
  /** The latest replays that have queued the delivery together. */
  replayIds?: string[];
  /** The state of the delivery before these replays. Absent if a replay has made the delivery. */
  before?: Pick<Delivery, 'state' | 'tries' | 'extra' | 'lane'> & { dueAt?: Date };
}

/** The deliveries of one workspace are together, so the unique `_id` holds for the whole cluster. */
const open = { dueAt: { $type: 'date' as const } };
export const deliveryCollection = {
  indexes: [
    {
      key: { workspaceId: 1, endpointId: 1, lane: 1, dueAt: 1 },
      options: { name: 'due', partialFilterExpression: open },
    },
    {
      key: { workspaceId: 1, replayIds: 1 },
      options: { name: 'queued_by_replay', partialFilterExpression: { ...open, lane: lanes.replay } },
    },
    { key: { workspaceId: 1, state: 1, createdAt: -1, _id: -1 }, options: {} },
    { key: { workspaceId: 1, endpointId: 1, state: 1, createdAt: -1, _id: -1 }, options: {} },
    { key: { workspaceId: 1, eventId: 1 }, options: {} },
    { key: { createdAt: 1 }, options: { expireAfterSeconds: (deliveryRetentionDays * dayMs) / secondMs } },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: '_id is derived from the endpoint and the event',
} as const satisfies CollectionDefinition;

/** The place of a delivery in the order of pages: the newest first, then by id, descending. */
export interface DeliveryPosition {
  createdAt: Date;
  id: string;
}

export interface DeliveryFilter {
  /** An empty text selects all. */
  endpointId: string;
  eventId: string;
  /** An empty list selects all. */
  states: readonly DeliveryState[];
  from: Date | undefined;
  to: Date | undefined;
  after: DeliveryPosition | undefined;
}

/** The end of an attempt. */
export interface Settlement {
  delivery: LeasedDelivery;
  attempt: Attempt;
  outcome: Outcome & { tries: number };
}

export type DeliveryStore<E extends Environment> = Handles<E> & ReturnType<typeof deliveryStore<E>>;

/** Every command has the shard key. */
export const createDeliveryStore = <E extends Environment>(db: Db, environment: E): DeliveryStore<E> =>
  deliveryStore(db.collection<DeliveryDocument>(nameIn(environment, 'deliveries', '_')), environment);

const noLease = '';

function deliveryStore<E extends Environment>(collection: Collection<DeliveryDocument>, environment: E) {
  const byRef = ({ workspaceId, id }: DeliveryRef<E>) => ({ _id: id, workspaceId });
  const ofEndpoint = ({ workspaceId, id }: EndpointRef<E>) => ({ workspaceId, endpointId: id });

  return {
    environment,

    /** Inserts deliveries. Returns those that exist, which stay as they are. `replayId`: of the replay that makes them. */
    async insert(deliveries: readonly Delivery[], replayId: string | null, maxTimeMS: number): Promise<Delivery[]> {
      if (deliveries.length === 0) return [];
      const documents = deliveries.map(
        ({ id: _id, dueAt, ...rest }): DeliveryDocument => ({
          _id,
          ...rest,
          ...(dueAt && { dueAt }),
          token: noLease,
          ...(replayId && { replayIds: [replayId] }),
        }),
      );
      try {
        await collection.insertMany(documents, { ordered: false, maxTimeMS });
        return [];
      } catch (error) {
        if (!isOnlyDuplicates(error)) throw error;
        return [error.writeErrors].flat().flatMap(({ index }) => deliveries[index] ?? []);
      }
    },

    /**
     * Queues deliveries that a replay has made before their events arrived, as deliveries of new events. Others do not change.
     *
     * - The replay was canceled -> a withdrawn delivery, which has failed without an attempt, is queued again.
     * - The replay is canceled later -> the delivery stays queued.
     * - An attempt was made -> nothing changes: the delivery has had the whole schedule, or has it.
     * - A step of the replay is executed again -> `replayIds` stays, so the step does not queue the delivery again.
     */
    async makeLive(deliveries: readonly Delivery[], now: Date, maxTimeMS: number): Promise<void> {
      if (deliveries.length === 0) return;
      const madeByReplay = { lane: lanes.replay, 'before.lane': { $ne: lanes.live }, attempts: { $size: 0 } };
      await collection.updateMany(
        {
          workspaceId: { $in: [...new Set(deliveries.map(({ workspaceId }) => workspaceId))] },
          _id: { $in: deliveries.map(({ id }) => id) },
          state: { $in: ['pending', 'failed'] },
          ...madeByReplay,
        },
        { $set: { state: 'pending', lane: lanes.live, dueAt: now }, $unset: { before: 1 } },
        { maxTimeMS },
      );
    },

    async find(ref: DeliveryRef<E>, keptSince: Date, maxTimeMS: number): Promise<Delivery | null> {
      const found = await collection.findOne({ ...byRef(ref), createdAt: { $gt: keptSince } }, { maxTimeMS });
      return found && toDelivery(found);
    },

    /** Returns deliveries without their bodies. */
    async list(
      { workspaceId }: Tenant<E>,
      { endpointId, eventId, states, from, to, after }: DeliveryFilter,
      keptSince: Date,
      limit: number,
      maxTimeMS: number,
    ): Promise<Delivery[]> {
      const behind = after && {
        $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after.id } }],
      };
      const until = after && (!to || after.createdAt < to) ? after.createdAt : to;
      const query: Filter<DeliveryDocument> = {
        workspaceId,
        ...(endpointId && { endpointId }),
        ...(eventId && { eventId }),
        // With every state named, the index gives each state in order, and MongoDB merges them.
        state: { $in: states.length > 0 ? [...states] : [...deliveryStates] },
        createdAt: { $gt: keptSince, ...(from && { $gte: from }), ...(until && { $lte: until }) },
        ...behind,
      };
      const found = collection.find(query, { maxTimeMS, projection: { body: 0 } }).sort({ createdAt: -1, _id: -1 });
      return (await found.limit(limit).toArray()).map((each) => toDelivery({ ...each, body: '' }));
    },

    /** Whether the workspace has a delivery to the endpoint, which may be deleted. */
    async hasEndpoint(ref: EndpointRef<E>, maxTimeMS: number): Promise<boolean> {
      return (await collection.findOne(ofEndpoint(ref), { maxTimeMS, projection: { _id: 1 } })) !== null;
    },

    /**
     * Returns up to `limit` due deliveries of an endpoint, those of new events first, and when the next one is due. `isMore`: more of them
     * are due now.
     */
    async listDue(
      ref: EndpointRef<E>,
      now: Date,
      limit: number,
      maxTimeMS: number,
    ): Promise<{ due: Delivery[]; isMore: boolean; nextAt: Date | null }> {
      const due: Delivery[] = [];
      let nextAt = null as Date | null;
      for (const lane of [lanes.live, lanes.replay]) {
        const query = { ...ofEndpoint(ref), lane, ...open };
        const options = { maxTimeMS, hint: 'due' } as const;
        const found = await collection
          .find(query, options)
          .sort({ dueAt: 1 })
          .limit(limit - due.length + 1)
          .toArray();
        for (const document of found) {
          const { dueAt } = document;
          if (!dueAt) continue;
          if (dueAt > now) nextAt = nextAt && nextAt < dueAt ? nextAt : dueAt;
          else if (due.length === limit) return { due, isMore: true, nextAt: now };
          else due.push(toDelivery(document));
        }
      }
      return { due, isMore: false, nextAt };
    },

    /** Leases due deliveries. Returns those that no other instance has leased. */
    async lease(
      { workspaceId }: EndpointRef<E>,
      due: readonly Delivery[],
      { token, now, until }: { token: string; now: Date; until: Date },
      maxTimeMS: number,
    ): Promise<LeasedDelivery[]> {
      const ids = due.map(({ id }) => id);
      const query = { workspaceId, _id: { $in: ids } };
      const { modifiedCount } = await collection.updateMany(
        { ...query, dueAt: { $lte: now } },
        { $set: { state: 'delivering', token, dueAt: until } },
        { maxTimeMS },
      );
      if (modifiedCount === due.length) return due.map((delivery) => ({ ...delivery, token }));
      const own = collection.find({ ...query, token }, { maxTimeMS, projection: { _id: 1 } });
      const leased = new Set((await own.toArray()).map(({ _id }) => _id));
      return due.filter(({ id }) => leased.has(id)).map((delivery) => ({ ...delivery, token }));
    },

    /** Records the ends of attempts. Attempts of a lost lease change nothing. Returns the number of recorded ones. */
    async settle(settlements: readonly Settlement[], options: Tx | { maxTimeMS: number }): Promise<number> {
      const operations = settlements.map(({ delivery, attempt, outcome }): AnyBulkWriteOperation<DeliveryDocument> => {
        const { id: _id, workspaceId, token } = delivery;
        const dueAt = outcome.state === 'retrying' ? outcome.dueAt : undefined;
        return {
          updateOne: {
            filter: { _id, workspaceId, token, state: 'delivering' },
            update: {
              $push: { attempts: { $each: [attempt], $slice: -maxAttempts } },
              $set: {
                state: outcome.state,
                tries: outcome.tries,
                extra: null,
                token: noLease,
                ...(dueAt && { dueAt }),
              },
              ...(!dueAt && { $unset: { dueAt: 1 } }),
            },
          },
        };
      });
      return (await collection.bulkWrite(operations, { ...options, ordered: false })).modifiedCount;
    },

    /** Makes an attempt due now. Returns null if the state of the delivery has changed. */
    async retry(
      ref: DeliveryRef<E>,
      { state, extra, now }: { state: DeliveryState; extra: Delivery['extra']; now: Date },
      tx: Tx,
    ): Promise<Delivery | null> {
      const found = await collection.findOneAndUpdate(
        { ...byRef(ref), state },
        { $set: { state: 'pending', dueAt: now, extra, lane: lanes.live } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toDelivery(found);
    },

    /**
     * Queues deliveries again, behind those of new events, with the whole schedule.
     *
     * - A replay repeats its call -> nothing changes.
     * - A delivery is pending or being sent -> it does not change.
     * - Another replay has queued the delivery -> it belongs to both replays.
     */
    async replay(
      { workspaceId }: EndpointRef<E>,
      ids: readonly string[],
      { replayId, states, now }: { replayId: string; states: readonly DeliveryState[]; now: Date },
      maxTimeMS: number,
    ): Promise<void> {
      const query = { workspaceId, _id: { $in: [...ids] }, replayIds: { $ne: replayId } };
      await collection.updateMany(
        { ...query, state: { $in: [...states] } },
        [
          {
            $set: {
              // A nested object would keep members of an earlier replay.
              before: {
                $mergeObjects: [{ state: '$state', tries: '$tries', extra: '$extra', lane: '$lane', dueAt: '$dueAt' }],
              },
              state: 'pending',
              dueAt: now,
              tries: 0,
              extra: null,
              lane: lanes.replay,
              replayIds: [replayId],
            },
          },
        ],
        { maxTimeMS },
      );
      const wasSelected = states.includes('succeeded') ? {} : { 'before.state': { $in: [...states] } };
      await collection.updateMany(
        { ...query, ...wasSelected, state: 'pending', lane: lanes.replay },
        { $push: { replayIds: { $each: [replayId], $slice: -maxUnfinishedReplays } } },
        { maxTimeMS },
      );
    },

    /**
     * Withdraws some deliveries that a replay has queued and that were not tried since. Returns their number.
     *
     * - The delivery existed before the replay -> it has its earlier state again.
     * - The replay has made the delivery -> it has failed.
     * - Another replay has queued the delivery, too -> it stays queued.
     */
    async withdraw({ workspaceId }: Tenant<E>, replayId: string, limit: number, maxTimeMS: number): Promise<number> {
      const queued = { workspaceId, replayIds: replayId, lane: lanes.replay, ...open, state: 'pending' as const };
      const options = { maxTimeMS, hint: 'queued_by_replay' };
      await collection.updateMany(
        { ...queued, 'replayIds.1': { $exists: true } },
        { $pull: { replayIds: replayId } },
        options,
      );
      const ofNoOther = { ...queued, 'replayIds.1': { $exists: false } };
      const found = collection.find(ofNoOther, { ...options, projection: { _id: 1 } });
      const ids = (await found.limit(limit).toArray()).map(({ _id }) => _id);
      if (ids.length === 0) return 0;
      await collection.updateMany(
        { ...ofNoOther, _id: { $in: ids } },
        [
          {
            $set: {
              state: { $ifNull: ['$before.state', 'failed'] },
              tries: { $ifNull: ['$before.tries', 0] },
              extra: { $ifNull: ['$before.extra', null] },
              lane: { $ifNull: ['$before.lane', lanes.replay] },
              dueAt: { $ifNull: ['$before.dueAt', '$$REMOVE'] },
            },
          },
          { $unset: 'before' },
        ],
        { maxTimeMS },
      );
      return ids.length;
    },

    /** Ends some open deliveries of an endpoint that gets no attempts any more. Returns the number of ended ones. */
    async endSome(ref: EndpointRef<E>, limit: number, tx: Tx): Promise<number> {
      const found = collection.find({ ...ofEndpoint(ref), ...open }, { ...tx, hint: 'due', projection: { _id: 1 } });
      const ids = (await found.limit(limit).toArray()).map(({ _id }) => _id);
      if (ids.length === 0) return 0;
      await collection.updateMany(
        { workspaceId: ref.workspaceId, _id: { $in: ids } },
        { $set: { state: 'failed', token: noLease, extra: null }, $unset: { dueAt: 1 } },
        tx,
      );
      return ids.length;
    },

    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}

/** Whether all documents that were not inserted exist. */
const isOnlyDuplicates = (error: unknown): error is MongoBulkWriteError =>
  error instanceof MongoBulkWriteError &&
  [error.writeErrors].flat().every(({ code }) => code === duplicateKey) &&
  error.result.getWriteConcernError() === undefined;

const duplicateKey = 11_000;

function toDelivery({ _id, dueAt, token: _, replayIds: __, before: ___, ...delivery }: DeliveryDocument): Delivery {
  return { id: _id, ...delivery, dueAt: dueAt ?? null };
}
