import type { Offsets } from '@shopscope/kafka';
import type { IndexDefinition, Tx } from '@shopscope/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import { leaseOrder, type Place, priorities } from '../../domain/fair-order.ts';
import type { Lease, Scan } from '../../domain/scan.ts';
import { fromMark, type OffsetMark, toMark } from './offset-mark.ts';

interface ScanDocument extends Omit<Scan, 'id' | 'place' | 'requestCounts' | 'parkedFor'>, Partial<Place> {
  _id: string;
  /** By the encoded keys of targets. */
  requestCounts?: Record<string, number>;
  /**
   * True while the scan is queued, due and has its place. The key of a pacing target: the scan is parked, until the target has a
   * turn for it. Null or absent: the scan gets its place when it is due.
   */
  ready?: true | string | null;
  /** When the scan got its latest turn while it was parked. */
  unparkedAt?: Date;
  /** True while queued, leased or observed. */
  live: boolean;
  /** Number of joins. The write makes a join conflict with a concurrent end of the scan. */
  joins: number;
  /** End of observations.v1, read after the merge became overdue. Absent in scans of earlier versions. */
  observationMark?: OffsetMark | null;
  /** When this service saw that profiles has read the observation. */
  observationReadAt?: Date | null;
  /** End of profile-updates.v1, read after the update became overdue. */
  mergeMark: OffsetMark | null;
  forgetAt: Date | null;
}

/** The planner could choose another index, by which it sorts all due scans for each lease. */
const leaseIndex = 'lease-order';
const dueIndex = 'due';
const parkedIndex = 'parked-turns';
const parkedDueIndex = 'parked-due';
const waitingIndex = 'waiting-unparked';

/** `scan_parked` shows at most this number. */
const maxCounted = 10_000;

const ascending = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 1 as const]));

export const scanIndexes: IndexDefinition[] = [
  // Guarantees one live scan per domain.
  { key: { domain: 1 }, options: { unique: true, partialFilterExpression: { live: true } } },
  /**
   * The order of leases. `ready` comes before the order, so that scans that are not due yet are not examined, however many there
   * are. Partial, because ended scans are most of the collection.
   */
  {
    key: { ready: 1, ...ascending(leaseOrder) },
    options: { name: leaseIndex, partialFilterExpression: { state: 'queued' } },
  },
  /** The scans that become due. */
  { key: { ready: 1, dueAt: 1 }, options: { name: dueIndex, partialFilterExpression: { state: 'queued' } } },
  /** The oldest waiting scan of each priority, without parked ones. */
  {
    key: { priority: 1, ready: 1, dueAt: 1 },
    options: { name: waitingIndex, partialFilterExpression: { state: 'queued' } },
  },
  { key: { queue: 1 }, options: { partialFilterExpression: { state: 'queued' } } },
  /** The parked scans of each pacing target, by queue. */
  {
    key: { state: 1, ready: 1, priority: 1, queue: 1, start: 1 },
    options: { name: parkedIndex, partialFilterExpression: { state: 'queued', ready: { $gt: '' } } },
  },
  /** The oldest parked scan. */
  {
    key: { dueAt: 1 },
    options: { name: parkedDueIndex, partialFilterExpression: { state: 'queued', ready: { $gt: '' } } },
  },
  { key: { state: 1, 'lease.expiresAt': 1 } },
  { key: { state: 1, observedAt: 1 } },
  { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
];

export interface OverdueMerge {
  scan: Scan;
  observationMark: Offsets | null;
  observationReadAt: Date | null;
  mergeMark: Offsets | null;
}

/** A scan that may be leased. */
export interface ReadyScan {
  id: string;
  domain: string;
  start: number;
  turns: readonly string[];
  expiredTurns: readonly string[];
  /** When the scan got its latest turn while it was parked; null: it was not parked. */
  unparkedAt: Date | null;
}

/** The targets at which a visit has had its turn, and those at which a turn was not used in time. */
export interface VisitTurns {
  turns: readonly string[];
  expiredTurns: readonly string[];
}

/** A queued scan without its place. */
export interface UnplacedScan {
  id: string;
  place: Place | null;
}

const noMarks = { observationMark: null, observationReadAt: null, mergeMark: null };

export type ScanStore = ReturnType<typeof createScanStore>;

export function createScanStore(db: Db, options: { retentionMs: number }) {
  const collection: Collection<ScanDocument> = db.collection('scans');

  const firstParked = async (ready: string | { $gt: string }): Promise<string | null> => {
    const [found] = await collection
      .find({ state: 'queued', ready }, { projection: { _id: 0, ready: 1 }, hint: parkedIndex })
      .sort({ state: 1, ready: 1 })
      .limit(1)
      .toArray();
    return typeof found?.ready === 'string' ? found.ready : null;
  };

  return {
    async insert(scans: readonly Scan[], tx: Tx): Promise<void> {
      if (scans.length === 0) return;
      const documents = scans.map(({ id, place, requestCounts: _, parkedFor: __, ...rest }) => {
        const ready = place && rest.dueAt <= rest.createdAt ? (true as const) : null;
        return { _id: id, ...rest, ...place, ready, live: true, joins: 0, ...noMarks, forgetAt: null };
      });
      await collection.insertMany(documents, { ...tx });
    },

    find(id: string, tx?: Tx): Promise<Scan | null> {
      return collection.findOne({ _id: id }, { ...tx }).then((found) => found && toScan(found));
    },

    /** Those of the ids that are scans. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const found = collection.find({ _id: { $in: ids as string[] } }, { projection: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /** The live scans of the domains, locked against a concurrent end until the transaction ends. */
    async join(domains: readonly string[], tx: Tx): Promise<Map<string, Scan>> {
      const query = { domain: { $in: [...domains] }, live: true };
      await collection.updateMany(query, { $inc: { joins: 1 } }, tx);
      const found = await collection.find(query, { ...tx }).toArray();
      return new Map(found.map((document) => [document.domain, toScan(document)]));
    },

    /** Those of the domains that have a live scan. */
    async liveDomains(domains: readonly string[], tx?: Tx): Promise<Set<string>> {
      const query = { domain: { $in: [...domains] }, live: true };
      const found = await collection.find(query, { ...tx, projection: { domain: 1 } }).toArray();
      return new Set(found.map(({ domain }) => domain));
    },

    /** Gives queued scans other places. */
    async setPlaces(scans: readonly { id: string; place: Place }[], tx: Tx): Promise<void> {
      if (scans.length === 0) return;
      await collection.bulkWrite(
        scans.map(({ id, place }) => ({ updateOne: { filter: { _id: id }, update: { $set: { ...place } } } })),
        { ...tx },
      );
    },

    /** Scans that became due and wait for their place, the longest due first. */
    async listUnplaced(at: Date, limit: number): Promise<UnplacedScan[]> {
      const found = await collection
        .find(
          { state: 'queued', ready: null, dueAt: { $lte: at } },
          { projection: { priority: 1, queue: 1, start: 1 }, hint: dueIndex },
        )
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return found.map((document) => ({ id: document._id, place: placeOf(document) }));
    },

    /** Whether a scan of the queue waits. */
    async isWaiting(queue: string, maxTimeMS: number): Promise<boolean> {
      const query = { queue, state: 'queued' as const };
      return (await collection.findOne(query, { maxTimeMS, projection: { _id: 1 } })) !== null;
    },

    /** Gives places to unplaced scans that are unchanged since `seen`. */
    async makeReady(placed: readonly { seen: UnplacedScan; place: Place }[], at: Date, tx: Tx): Promise<void> {
      const operations = placed.map(({ seen, place }) => ({
        updateOne: {
          filter: {
            _id: seen.id,
            state: 'queued' as const,
            ready: null,
            dueAt: { $lte: at },
            start: seen.place?.start ?? { $exists: false },
          },
          update: { $set: { ...place, ready: true as const } },
        },
      }));
      await collection.bulkWrite(operations, { ...tx, ordered: false });
    },

    /** The scans that are leased next. */
    async listReady(at: Date, limit: number): Promise<ReadyScan[]> {
      const found = await collection
        .find(
          { state: 'queued', ready: true, dueAt: { $lte: at } },
          { projection: { domain: 1, start: 1, turns: 1, expiredTurns: 1, unparkedAt: 1 }, hint: leaseIndex },
        )
        .sort(ascending(leaseOrder))
        .limit(limit)
        .toArray();
      return found.map(({ _id, domain, start = 0, turns = [], expiredTurns = [], unparkedAt = null }) => {
        return { id: _id, domain, start, turns, expiredTurns, unparkedAt };
      });
    },

    /** Parks scans that are ready: each waits for a turn of its target. */
    async park(scans: readonly ({ id: string; target: string } & VisitTurns)[]): Promise<void> {
      if (scans.length === 0) return;
      const operations = scans.map(({ id, target, turns, expiredTurns }) => ({
        updateOne: {
          filter: { _id: id, state: 'queued' as const, ready: true as const },
          update: {
            $set: {
              ready: target,
              turns: [...turns],
              ...(expiredTurns.length > 0 && { expiredTurns: [...expiredTurns] }),
            },
          },
        },
      }));
      await collection.bulkWrite(operations, { ordered: false });
    },

    /** Those of the targets for which scans are parked. Reads one index key per target. */
    async parkedAmong(targets: readonly string[]): Promise<Set<string>> {
      const parked = await Promise.all(targets.map((target) => firstParked(target)));
      return new Set(parked.filter((target) => target !== null));
    },

    /**
     * The targets behind `after` for which scans are parked, in the order of their keys. Reads one index key per target, in as many
     * searches, because a search for distinct values would read all parked scans.
     */
    async parkedTargets(after: string, limit: number): Promise<string[]> {
      const targets: string[] = [];
      while (targets.length < limit) {
        const next = await firstParked({ $gt: targets.at(-1) ?? after });
        if (next === null) break;
        targets.push(next);
      }
      return targets;
    },

    /** Whether a scan of the queue is parked for the target, among those that somebody asked for. */
    async hasParked(target: string, queue: string, tx: Tx): Promise<boolean> {
      const query = { state: 'queued' as const, ready: target, priority: priorities.requested, queue };
      return (await collection.findOne(query, { ...tx, projection: { _id: 1 }, hint: parkedIndex })) !== null;
    },

    /** Counts to {@link maxCounted}. */
    countParked: () =>
      collection.countDocuments({ state: 'queued', ready: { $gt: '' } }, { hint: parkedIndex, limit: maxCounted }),

    /** When the parked scan that became due first became due, or was put off; null when none is parked. */
    async oldestParkedAt(): Promise<Date | null> {
      const [oldest] = await collection
        .find({ state: 'queued', ready: { $gt: '' } }, { projection: { dueAt: 1 }, hint: parkedDueIndex })
        .sort({ dueAt: 1 })
        .limit(1)
        .toArray();
      return oldest?.dueAt ?? null;
    },

    /**
     * The parked scan of the target whose turn it is: of the queue that follows `lastQueue`, so that each queue gets one turn per
     * round. Scans of a lower priority value come first.
     */
    async nextParked(target: string, lastQueue: string): Promise<{ id: string; queue: string } | null> {
      const first = async (query: Filter<ScanDocument>) => {
        const [found] = await collection
          .find(
            { state: 'queued', ready: target, ...query },
            { projection: { priority: 1, queue: 1 }, hint: parkedIndex },
          )
          .sort({ priority: 1, queue: 1, start: 1 })
          .limit(1)
          .toArray();
        return found;
      };
      const lowest = await first({});
      if (!lowest) return null;
      const { priority = 0 } = lowest;
      const next = (await first({ priority, queue: { $gt: lastQueue } })) ?? lowest;
      return { id: next._id, queue: next.queue ?? '' };
    },

    /** Those of the scans that got their turn after `after` and wait for their lease. */
    async unleased(ids: readonly string[], after: Date): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const ready = { $in: [true as const, null] };
      const query = { _id: { $in: [...ids] }, state: 'queued' as const, ready, unparkedAt: { $gt: after } };
      return new Set((await collection.find(query, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    },

    /** A parked scan has its turn: it gets its place again. False when it is not parked any more. */
    async unpark(id: string, target: string, unparkedAt: Date): Promise<boolean> {
      const unparked = await collection.updateOne(
        { _id: id, state: 'queued', ready: target },
        { $set: { ready: null, unparkedAt }, $addToSet: { turns: target } },
      );
      return unparked.modifiedCount === 1;
    },

    /** queued → leased; null when another scanner has leased it. */
    async lease(id: string, lease: Lease, { turns, expiredTurns }: VisitTurns, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id, state: 'queued', dueAt: { $lte: at } },
        {
          $set: {
            state: 'leased',
            lease,
            ready: null,
            turns: [...turns],
            ...(expiredTurns.length > 0 && { expiredTurns: [...expiredTurns] }),
          },
          $unset: { putOffBy: '', isLongVisit: '', slots: '', unparkedAt: '', requestCount: '', requestCounts: '' },
          $inc: { attempts: 1 },
        },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    async setSequence(id: string, sequence: number, tx: Tx): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { sequence } }, tx);
    },

    /**
     * Extends the lease; null when the token is not the token of the scan's current lease. `targets`: those of the request that is
     * asked for, which is counted. {@link setPacing} takes the count back when the request has to wait and is asked for again.
     */
    async renew(
      id: string,
      token: string,
      expiresAt: Date,
      targets: readonly string[],
      maxTimeMS: number,
    ): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id, state: 'leased', 'lease.token': token },
        { $set: { 'lease.expiresAt': expiresAt }, ...(targets.length > 0 && { $inc: countsOf(targets, 1) }) },
        { maxTimeMS, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /** Records turns of a leased scan, the slots of its next request, and why it is put off. */
    async setPacing(id: string, token: string, pacing: LeasePacing, maxTimeMS: number): Promise<void> {
      const { turns, slots, putOffBy, isLongVisit, waitingAt } = pacing;
      const fresh = Object.fromEntries(turns.map((key) => [countOf(key), waitingAt ? 0 : 1]));
      const counted = waitingAt?.filter((key) => !turns.includes(key));
      await collection.updateOne(
        { _id: id, state: 'leased', 'lease.token': token },
        {
          $addToSet: { turns: { $each: [...turns] } },
          $set: {
            ...fresh,
            slots: [...slots],
            ...(putOffBy !== null && { putOffBy }),
            ...(isLongVisit && { isLongVisit }),
          },
          ...(counted && { $inc: countsOf(counted, -1) }),
        },
        { maxTimeMS },
      );
    },

    /** leased → observed, with the token of the lease. The token is kept, so that a repeated call is recognised. */
    async observe(id: string, token: string, at: Date, tx: Tx): Promise<Scan | null> {
      const found = await collection.findOneAndUpdate(
        { _id: id, state: 'leased', 'lease.token': token },
        { $set: { state: 'observed', observedAt: at, ...noMarks } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /**
     * Returns the scan to queued if it is unchanged since `seen` (state, lease, expiry), so that a concurrent renewal or
     * another instance wins. Null when it has changed. `undecidedAs` is the reason of an attempt that decided nothing; null
     * for an attempt that ended otherwise. `parkedFor`: the scan is parked for this target, and keeps its turns at others.
     */
    async requeue(
      seen: Scan,
      dueAt: Date,
      tx: Tx,
      options: { attemptUndone?: boolean; undecidedAs?: string | null; parkedFor?: string } = {},
    ): Promise<Scan | null> {
      const { attemptUndone, undecidedAs, parkedFor } = options;
      const undecided = undecidedAs ? { interruptedBy: undecidedAs } : {};
      const found = await collection.findOneAndUpdate(
        unchangedSince(seen),
        {
          $set: {
            ...{ state: 'queued', dueAt, ready: parkedFor ?? null, lease: null, observedAt: null },
            ...undecided,
            ...noMarks,
          },
          $unset: {
            putOffBy: '',
            isLongVisit: '',
            ...(parkedFor === undefined && { turns: '', expiredTurns: '' }),
            ...(undecidedAs === null && { interruptedBy: '' }),
          },
          ...(attemptUndone && { $inc: { attempts: -1, interruptions: undecidedAs === undefined ? 0 : 1 } }),
        },
        { ...tx, returnDocument: 'after' },
      );
      return found && toScan(found);
    },

    /**
     * Ends the scan. The lease is kept unless it was lost, so that a later finish of its scanner is recognised. False when
     * the scan has changed since `seen`.
     */
    async end(
      seen: Scan,
      end: { state: 'succeeded' | 'failed'; leaseLost: boolean },
      at: Date,
      tx: Tx,
    ): Promise<boolean> {
      const forgetAt = new Date(at.getTime() + options.retentionMs);
      const ended = await collection.updateOne(
        unchangedSince(seen),
        {
          $set: { state: end.state, live: false, forgetAt, ...(end.leaseLost ? { lease: null } : {}) },
          $unset: { turns: '', expiredTurns: '', slots: '', requestCount: '', requestCounts: '' },
        },
        tx,
      );
      return ended.modifiedCount === 1;
    },

    async listExpiredLeases(at: Date, limit: number): Promise<Scan[]> {
      const query = { state: 'leased', 'lease.expiresAt': { $lte: at } } as const;
      return (await collection.find(query).sort({ 'lease.expiresAt': 1 }).limit(limit).toArray()).map(toScan);
    },

    async listOverdueMerges(before: Date, limit: number): Promise<OverdueMerge[]> {
      const query = { state: 'observed', observedAt: { $lte: before } } as const;
      const found = await collection.find(query).sort({ observedAt: 1 }).limit(limit).toArray();
      return found.map((scan) => ({
        scan: toScan(scan),
        observationMark: scan.observationMark ? fromMark(scan.observationMark) : null,
        observationReadAt: scan.observationReadAt ?? null,
        mergeMark: scan.mergeMark && fromMark(scan.mergeMark),
      }));
    },

    async markObservations(ids: readonly string[], before: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'observed', observedAt: { $lte: before }, observationMark: null },
        { $set: { observationMark: toMark(mark) } },
      );
    },

    /** An earlier mark of profile-updates.v1 is removed: an update published since then may lie behind it. */
    async markObservationsRead(ids: readonly string[], before: Date, at: Date): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'observed', observedAt: { $lte: before }, observationReadAt: null },
        { $set: { observationReadAt: at, mergeMark: null } },
      );
    },

    async markOverdueUpdates(ids: readonly string[], readBefore: Date, mark: Offsets): Promise<void> {
      await collection.updateMany(
        { _id: { $in: [...ids] }, state: 'observed', observationReadAt: { $lte: readBefore }, mergeMark: null },
        { $set: { mergeMark: toMark(mark) } },
      );
    },

    /**
     * The instant at which the oldest due scan of a kind became due; null when none is due. Scans get their priority with their
     * place, and background scans always have one. Parked scans do not count, because scanners cannot lease them.
     */
    async oldestDueAt(kind: keyof typeof priorities, at: Date): Promise<Date | null> {
      const priority = kind === 'requested' ? { $in: [null, priorities.requested] } : priorities.background;
      const ready = { $in: [null, true] };
      const query = { state: 'queued', priority, ready, dueAt: { $lte: at } } as Filter<ScanDocument>;
      const [oldest] = await collection
        .find(query, { projection: { dueAt: 1 }, hint: waitingIndex })
        .sort({ dueAt: 1 })
        .limit(1)
        .toArray();
      return oldest?.dueAt ?? null;
    },
  };
}

export interface LeasePacing {
  /** The targets at which the visit has taken a turn for the request. */
  turns: readonly string[];
  slots: readonly string[];
  putOffBy: string | null;
  isLongVisit: boolean;
  /** The targets of the request, if it has to wait and is asked for again. */
  waitingAt: readonly string[] | null;
}

/** Names of fields contain no dots. */
const encodeKey = (key: string) => key.replaceAll('%', '%25').replaceAll('.', '%2E').replaceAll('$', '%24');
const countOf = (key: string) => `requestCounts.${encodeKey(key)}`;
const countsOf = (keys: readonly string[], count: number) => ({
  requestCount: count,
  ...Object.fromEntries(keys.map((key) => [countOf(key), count])),
});

const unchangedSince = ({ id, state, lease, sequence }: Scan) => ({
  _id: id,
  state,
  sequence,
  ...(lease ? { 'lease.token': lease.token, 'lease.expiresAt': lease.expiresAt } : {}),
});

function placeOf({ priority, queue, start }: Partial<Place>): Place | null {
  return priority === undefined || queue === undefined || start === undefined ? null : { priority, queue, start };
}

function toScan(document: ScanDocument): Scan {
  const { _id: id, domain, state, sequence, attempts, dueAt, lease, observedAt, origin, createdAt } = document;
  const { interruptions, interruptedBy, turns, expiredTurns, slots, requestCount, requestCounts } = document;
  const { putOffBy, isLongVisit, ready } = document;
  const counts = Object.entries(requestCounts ?? {}).map(([key, count]) => [decodeURIComponent(key), count] as const);
  return {
    ...{ id, domain, state, sequence, attempts, dueAt, lease, observedAt, origin, createdAt },
    place: placeOf(document),
    ...(interruptions !== undefined && { interruptions }),
    ...(interruptedBy !== undefined && { interruptedBy }),
    ...(turns !== undefined && { turns }),
    ...(expiredTurns !== undefined && { expiredTurns }),
    ...(slots !== undefined && { slots }),
    ...(requestCount !== undefined && { requestCount, requestCounts: new Map(counts) }),
    ...(putOffBy !== undefined && { putOffBy }),
    ...(isLongVisit !== undefined && { isLongVisit }),
    ...(typeof ready === 'string' && { parkedFor: ready }),
  };
}
