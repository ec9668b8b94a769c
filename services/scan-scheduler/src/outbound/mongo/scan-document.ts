import type { CollectionDefinition } from '@shopscope/mongo';
import type { Collection, Db } from 'mongodb';
import { leaseOrder, type Place } from '../../domain/fair-order.ts';
import { isQueued, queuedStates, type Scan, type ScanKey } from '../../domain/scan.ts';
import type { StoredOffsets } from './stored-offsets.ts';

export interface ScanDocument extends Omit<Scan, 'id' | 'place' | 'requestCounts'>, Partial<Place> {
  _id: string;
  /** The counts by the encoded keys of targets. */
  requestCounts?: Record<string, number>;
  /** When the scan got its latest turn while it was parked. */
  unparkedAt?: Date;
  live: boolean;
  /** The number of joins. The write makes a join conflict with a concurrent end of the scan. */
  joins: number;
  /** The end of observations.v1, read after the merge became overdue. */
  observationMark: StoredOffsets | null;
  /** When this service saw that profiles had read the observation. */
  observationReadAt: Date | null;
  /** The end of profile-updates.v1, read after the update became overdue. */
  mergeMark: StoredOffsets | null;
  /** When MongoDB deletes the scan. Null while the scan is live. */
  forgetAt: Date | null;
}

export const noMarks = { observationMark: null, observationReadAt: null, mergeMark: null };

export const scansOf = (db: Db): Collection<ScanDocument> => db.collection('scans');

/** The indexes that queries name. The planner could choose another index, and would then sort all due scans for each lease. */
export const hints = {
  leaseOrder: 'lease-order',
  due: 'due',
  oldestDue: 'oldest-due',
  parkedTurns: 'parked-turns',
} as const;

export const ascending = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 1 as const]));

/** The indexes are partial, because most scans of the collection have ended. */
const live = { partialFilterExpression: { live: true } };

const leaseSearch = 'the order of leases is one for all domains';
const tick = 'the tick looks for overdue work';
const metrics = 'the tick reports the queue';

/**
 * Scans are sharded by domain: each change of a scan goes to the shard of its domain, and one shard guarantees one live scan per domain.
 *
 * The search for the next lease reads all shards. mongos merges their first scans in the order of leases, so the order is that of one
 * server. A search reads three times the first few entries of an index on each shard, and one entry for each target with
 * parked scans. 10,000,000 scans a day are 116 leases a second, or about 350 such reads a second on each shard. A queue on one shard would
 * cost more: each change of a state would write it, too, in a transaction of two shards.
 */
export const scanCollection = {
  shardKey: { domain: 1 },
  uniqueId: 'the id is random',
  scatters: {
    'find dueAt,state': leaseSearch,
    'find dueAt,live,state': leaseSearch,
    'find parkedFor,state': leaseSearch,
    'find parkedFor,priority,queue,state': leaseSearch,
    'find live,queue,state': 'a workspace that was idle gets its place by the virtual time',
    'find lease.expiresAt,state': tick,
    'find observedAt,state': tick,
    'find dueAt,live,priority,state': metrics,
    'find live,state': metrics,
    'aggregate state': metrics,
  },
  indexes: [
    // This index guarantees one live scan per domain.
    // Its name leaves the usual name to the index of the shard key, which may not be partial.
    { key: { domain: 1 }, options: { name: 'one-live-scan', unique: true, ...live } },
    { key: ascending(leaseOrder), options: { name: hints.leaseOrder, partialFilterExpression: { state: 'ready' } } },
    { key: { state: 1, dueAt: 1 }, options: { name: hints.due, ...live } },
    { key: { priority: 1, state: 1, dueAt: 1 }, options: { name: hints.oldestDue, ...live } },
    { key: { queue: 1, state: 1 }, options: live },
    // `state` comes first, so that counting parked scans reads no document.
    {
      key: { state: 1, parkedFor: 1, priority: 1, queue: 1, start: 1 },
      options: { name: hints.parkedTurns, partialFilterExpression: { state: 'parked' } },
    },
    { key: { 'lease.expiresAt': 1 }, options: { partialFilterExpression: { state: 'leased' } } },
    { key: { observedAt: 1 }, options: { partialFilterExpression: { state: 'observed' } } },
    { key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } },
  ],
} as const satisfies CollectionDefinition;

/** Matches one scan. The domain sends the command to one shard. */
export const keyOf = ({ id, domain }: ScanKey) => ({ _id: id, domain });
/** Matches several scans. */
export const keysIn = (scans: readonly ScanKey[]) => ({
  _id: { $in: scans.map(({ id }) => id) },
  domain: { $in: scans.map(({ domain }) => domain) },
});

/** Matches a scan that has not changed since `seen` (state, lease, expiry). A queued scan may have changed to another queued state. */
export const unchangedSince = (seen: Scan) => ({
  ...keyOf(seen),
  state: isQueued(seen) ? { $in: [...queuedStates] } : seen.state,
  sequence: seen.sequence,
  ...(seen.lease && { 'lease.token': seen.lease.token, 'lease.expiresAt': seen.lease.expiresAt }),
});

export function placeOf({ priority, queue, start }: Partial<Place>): Place | null {
  return priority === undefined || queue === undefined || start === undefined ? null : { priority, queue, start };
}

export function toDocument({ id, place, requestCounts: _, ...rest }: Scan): ScanDocument {
  return { _id: id, ...rest, ...place, live: true, joins: 0, ...noMarks, forgetAt: null };
}

export function toScan(document: ScanDocument): Scan {
  const { _id: id, requestCounts, priority: _p, queue: _q, start: _s, live: _l, joins: _j, ...other } = document;
  const { unparkedAt: _u, observationMark: _o, observationReadAt: _r, mergeMark: _m, forgetAt: _f, ...rest } = other;
  const counts = Object.entries(requestCounts ?? {}).map(([key, count]) => [decodeURIComponent(key), count] as const);
  return {
    id,
    ...rest,
    place: placeOf(document),
    ...(rest.requestCount !== undefined && { requestCounts: new Map(counts) }),
  };
}

/** Encodes the key of a target for a field name, which must not contain dots. */
const encodeKey = (key: string) => key.replaceAll('%', '%25').replaceAll('.', '%2E').replaceAll('$', '%24');
/** Returns the name of the field that counts the requests of a lease to a pacing target. */
export const countOf = (key: string) => `requestCounts.${encodeKey(key)}`;
export const countsOf = (keys: readonly string[], count: number) => ({
  requestCount: count,
  ...Object.fromEntries(keys.map((key) => [countOf(key), count])),
});
