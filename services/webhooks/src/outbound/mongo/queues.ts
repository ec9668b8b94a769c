import { minuteMs } from '@shopscope/clock';
import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db, Document } from 'mongodb';
import type { EndpointRef, EndpointState } from '../../domain/endpoint.ts';
import { type EndpointHealth, type FailureStreak, maxInFlight, slowAfterFailures } from '../../domain/health.ts';

/**
 * The queue of an endpoint: when its next attempt may begin, and the attempts that are being made (decision 81).
 *
 * - `readyAt`: no attempt begins before. Null while nothing is due.
 * - `slots`: the attempts in flight, per lease. A lease that has expired counts no more.
 * - `minute`, `used`: the attempts of the current minute.
 * - `changes`: counts what may have made `readyAt` earlier, so that an instance that found nothing does not overwrite it.
 */
interface QueueDocument {
  /** The endpoint. */
  _id: string;
  workspaceId: string;
  state: EndpointState;
  maxPerMinute: number | null;
  readyAt: Date | null;
  changes: number;
  /** Whether deliveries wait for a free slot. */
  isWaiting: boolean;
  slots: { token: string; n: number; until: Date }[];
  minute: Date;
  used: number;
  streak: FailureStreak | null;
  /** Whether it has so many failures that it has one attempt at a time. */
  isSlow: boolean;
  lastSuccessAt: Date | null;
}

const ready = { state: 'active' as const, readyAt: { $type: 'date' as const } };
export const queueCollection = {
  indexes: [
    { key: { workspaceId: 1, _id: 1 }, options: {} },
    { key: { isSlow: 1, readyAt: 1 }, options: { name: 'ready', partialFilterExpression: ready } },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'endpoint ids are random',
  scatters: {
    'find isSlow,readyAt,state': 'executions look for ready queues',
  },
} as const satisfies CollectionDefinition;

/** A queue that is ready, and since when. */
export interface ReadyQueue<E extends Environment> {
  ref: EndpointRef<E>;
  turnAt: Date;
  isSlow: boolean;
}

/** The right to make `granted` attempts. */
export interface Grant {
  token: string;
  granted: number;
  changes: number;
  /** The minute that counts the attempts. */
  minute: Date;
}

/** What an instance found after it had leased deliveries. */
export interface Leased {
  leased: number;
  isMore: boolean;
  nextAt: Date | null;
}

/** The ends of attempts. */
export interface Released {
  /** How many attempts of each grant have ended. */
  slots: readonly { token: string; n: number }[];
  /** The earliest next attempt among them. */
  nextAt: Date | null;
  hasSucceeded: boolean;
  failed: number;
}

export type QueueStore<E extends Environment> = Handles<E> & ReturnType<typeof queueStore<E>>;

/** Every command has the shard key, except for the search for ready queues. */
export const createQueueStore = <E extends Environment>(db: Db, environment: E): QueueStore<E> =>
  queueStore(db.collection<QueueDocument>(nameIn(environment, 'queues', '_')), environment);

const startOfMinute = (now: Date): Date => new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);

function queueStore<E extends Environment>(collection: Collection<QueueDocument>, environment: E) {
  const byRef = ({ workspaceId, id }: EndpointRef<E>) => ({ _id: id, workspaceId });

  return {
    environment,

    async insert(ref: EndpointRef<E>, maxPerMinute: number | null, tx: Tx): Promise<void> {
      const empty = {
        readyAt: null,
        changes: 0,
        isWaiting: false,
        slots: [],
        minute: new Date(0),
        used: 0,
        streak: null,
        isSlow: false,
        lastSuccessAt: null,
      };
      await collection.insertOne({ ...byRef(ref), state: 'active', maxPerMinute, ...empty }, tx);
    },

    /** Sets the state or the rate. An endpoint that becomes active or gets another URL has no failures. The former is ready, too. */
    async set(
      ref: EndpointRef<E>,
      { state, hasNewUrl, ...members }: { state?: EndpointState; hasNewUrl?: boolean; maxPerMinute?: number | null },
      now: Date,
      tx: Tx,
    ): Promise<void> {
      const isActivated = state === 'active';
      const $set = {
        ...members,
        ...(state && { state }),
        ...(isActivated && { readyAt: now }),
        ...((isActivated || hasNewUrl) && { streak: null, isSlow: false }),
      };
      await collection.updateOne(byRef(ref), { $set, $inc: { changes: 1 } }, tx);
    },

    async delete(ref: EndpointRef<E>, tx: Tx): Promise<void> {
      await collection.deleteOne(byRef(ref), tx);
    },

    /** Deliveries of these endpoints are due at `dueAt`. */
    async announce(
      { workspaceId }: Tenant<E>,
      endpointIds: readonly string[],
      dueAt: Date,
      options: Tx | { maxTimeMS: number },
    ): Promise<void> {
      await collection.updateMany(
        { workspaceId, _id: { $in: [...endpointIds] } },
        [{ $set: { readyAt: earliest('$readyAt', dueAt), changes: { $add: ['$changes', 1] }, isWaiting: true } }],
        options,
      );
    },

    /** Returns ready queues, the longest waiting first. */
    async listReady(now: Date, isSlow: boolean, limit: number, maxTimeMS: number): Promise<ReadyQueue<E>[]> {
      const query = { isSlow, state: 'active' as const, readyAt: { $type: 'date' as const, $lte: now } };
      const options = { maxTimeMS, projection: { workspaceId: 1, readyAt: 1 }, hint: 'ready' } as const;
      const found = await collection.find(query, options).sort({ readyAt: 1 }).limit(limit).toArray();
      return found.map(({ _id: id, workspaceId, readyAt }) => ({
        ref: { environment, workspaceId, id },
        turnAt: readyAt as Date,
        isSlow,
      }));
    },

    /**
     * Grants up to `want` attempts of a ready queue, within the bounds on attempts in flight and in a minute. Returns undefined if it is not
     * ready or a bound is reached. The next search then finds it when the bound may allow more.
     */
    async grant(
      ref: EndpointRef<E>,
      { token, want, now, until }: { token: string; want: number; now: Date; until: Date },
      maxTimeMS: number,
    ): Promise<Grant | undefined> {
      const minute = startOfMinute(now);
      const found = await collection.findOneAndUpdate(
        { ...byRef(ref), state: 'active', readyAt: { $type: 'date', $lte: now } },
        [
          {
            $set: {
              slots: { $filter: { input: '$slots', cond: { $gt: ['$$this.until', now] } } },
              used: { $cond: [{ $eq: ['$minute', minute] }, '$used', 0] },
              minute,
            },
          },
          { $set: { grant: grantedOf(want) } },
          {
            $set: {
              slots: {
                $concatArrays: ['$slots', { $cond: [{ $gt: ['$grant', 0] }, [{ token, n: '$grant', until }], []] }],
              },
              used: { $add: ['$used', '$grant'] },
              readyAt: readyAfterGrant(until, new Date(minute.getTime() + minuteMs)),
              isWaiting: { $eq: ['$grant', 0] },
            },
          },
          { $unset: 'grant' },
        ],
        { maxTimeMS, returnDocument: 'after' },
      );
      const granted = found?.slots.find((slot) => slot.token === token)?.n ?? 0;
      return found && granted > 0 ? { token, granted, changes: found.changes, minute } : undefined;
    },

    /** Returns the attempts of a grant that have no delivery, and sets when the queue is ready again. */
    async keep(
      ref: EndpointRef<E>,
      { token, granted, changes, minute }: Grant,
      { leased, isMore, nextAt }: Leased,
      now: Date,
      maxTimeMS: number,
    ): Promise<void> {
      const isUnchanged = { $eq: ['$changes', changes] };
      const unused = { $cond: [{ $eq: ['$minute', minute] }, granted - leased, 0] };
      await collection.updateOne(
        byRef(ref),
        [
          {
            $set: {
              slots: less([{ token, n: granted - leased }]),
              used: { $max: [0, { $subtract: ['$used', unused] }] },
              isWaiting: { $cond: [isUnchanged, isMore, true] },
              // Until then the lease has not ended, or the deliveries are due again.
              readyAt: { $cond: [isUnchanged, isMore ? now : earliest(leased > 0 ? '$readyAt' : null, nextAt), now] },
            },
          },
        ],
        { maxTimeMS },
      );
    },

    /** Returns attempts that have ended. Returns the failures since the latest success, or null without any. */
    async release(
      ref: EndpointRef<E>,
      { slots, nextAt, hasSucceeded, failed }: Released,
      now: Date,
      maxTimeMS: number,
    ): Promise<FailureStreak | null> {
      const more = {
        since: { $ifNull: ['$streak.since', now] },
        failed: { $add: [{ $ifNull: ['$streak.failed', 0] }, failed] },
        isTold: { $ifNull: ['$streak.isTold', false] },
      };
      const streak = hasSucceeded ? null : more;
      const found = await collection.findOneAndUpdate(
        byRef(ref),
        [
          {
            $set: {
              slots: less(slots),
              readyAt: earliest({ $cond: ['$isWaiting', earliest('$readyAt', now), '$readyAt'] }, nextAt),
              ...(nextAt && { changes: { $add: ['$changes', 1] } }),
              ...(hasSucceeded || failed > 0 ? { streak } : {}),
              ...(hasSucceeded && { lastSuccessAt: now }),
            },
          },
          { $set: { isSlow: { $gte: ['$streak.failed', slowAfterFailures] } } },
        ],
        { maxTimeMS, returnDocument: 'after', projection: { streak: 1 } },
      );
      return found?.streak ?? null;
    },

    /** Notes that the workspace is told about the failures. Returns false if it was told before, or there is a success since. */
    async tell({ workspaceId, id }: EndpointRef<E>, tx: Tx): Promise<boolean> {
      const query = { _id: id, workspaceId, 'streak.isTold': false };
      return (await collection.updateOne(query, { $set: { 'streak.isTold': true } }, tx)).modifiedCount === 1;
    },

    /** Returns the health of those endpoints that exist, by id. */
    async healthOf(
      { workspaceId }: Tenant<E>,
      endpointIds: readonly string[],
      options: Tx | { maxTimeMS: number },
    ): Promise<Map<string, EndpointHealth>> {
      const query = { workspaceId, _id: { $in: [...endpointIds] } };
      const projection = { streak: 1, lastSuccessAt: 1 };
      const found = await collection.find(query, { ...options, projection }).toArray();
      return new Map(found.map(({ _id, streak, lastSuccessAt }) => [_id, { streak, lastSuccessAt }]));
    },

    /** Returns how long the longest waiting queue has been ready. */
    async oldestReady(now: Date, maxTimeMS: number): Promise<Date | null> {
      const ready = await Promise.all([true, false].map((isSlow) => this.listReady(now, isSlow, 1, maxTimeMS)));
      const [first] = ready.flat().toSorted((a, b) => a.turnAt.getTime() - b.turnAt.getTime());
      return first?.turnAt ?? null;
    },

    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}

/** The earlier time. Null is never. */
const earliest = (...times: (Document | string | Date | null)[]): Document => ({ $min: times });

/** The bound on attempts in flight, less those in flight, and less what the minute has left. */
const grantedOf = (want: number): Document => {
  const bound = { $cond: ['$isSlow', 1, maxInFlight] };
  const leftOfMinute = { $subtract: [{ $ifNull: ['$maxPerMinute', Number.MAX_SAFE_INTEGER] }, '$used'] };
  return { $max: [0, { $min: [want, { $subtract: [bound, { $sum: '$slots.n' }] }, leftOfMinute] }] };
};

/**
 * With a grant, the queue is ready again at the end of its lease at the latest: the instance may be killed. Without one, when the minute ends
 * or the first lease does.
 */
const readyAfterGrant = (until: Date, nextMinute: Date): Document => ({
  $cond: [
    { $gt: ['$grant', 0] },
    until,
    {
      $cond: [
        { $gte: ['$used', { $ifNull: ['$maxPerMinute', Number.MAX_SAFE_INTEGER] }] },
        nextMinute,
        { $min: '$slots.until' },
      ],
    },
  ],
});

/** The slots with fewer attempts. A slot without any is removed. */
const less = (ended: readonly { token: string; n: number }[]): Document => {
  const ofSlot = ended.map(({ token, n }) => ({ $cond: [{ $eq: ['$$this.token', token] }, n, 0] }));
  const left = { $subtract: ['$$this.n', { $add: ofSlot }] };
  const slots = { $map: { input: '$slots', in: { $mergeObjects: ['$$this', { n: left }] } } };
  return { $filter: { input: slots, cond: { $gt: ['$$this.n', 0] } } };
};
