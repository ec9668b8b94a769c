import type { IndexDefinition } from '@shopscope/mongo';
import type { Db, Filter } from 'mongodb';
import type { UnitCounts } from '../../usage/domain/units.ts';

/** A request of the log. Earlier versions stored one document per request, in the collection `requests`. */
export interface RequestDocument {
  /** Made by the gateway, and the X-Request-Id unless the caller chose one. */
  _id: string;
  workspaceId: string;
  /** The X-Request-Id that the caller chose, perhaps not for the first time. */
  requestId?: string;
  keyId: string;
  keyPrefix: string;
  at: Date;
  /** Empty when there is no such route. */
  operation: string;
  method: string;
  pathTemplate: string;
  path: string;
  query: string;
  status: number;
  /** See domain/request-outcome.ts. */
  outcome: string;
  durationMs: number;
  /** Absent when nothing was billed. */
  units?: UnitCounts;
  domains: number;
  hasIdempotencyKey: boolean;
  replayed: boolean;
  billedBefore: boolean;
}

/** Seven days, as the pages say. */
export const keptSeconds = 7 * 24 * 60 * 60;

const newest = { at: -1, _id: -1 } as const;

/** One index for each filter. Several filters use one of them and check the rest. */
export const requestIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, ...newest }, options: {} },
  { key: { workspaceId: 1, keyId: 1, ...newest }, options: {} },
  { key: { workspaceId: 1, operation: 1, ...newest }, options: {} },
  { key: { workspaceId: 1, outcome: 1, ...newest }, options: {} },
  {
    key: { workspaceId: 1, requestId: 1, ...newest },
    options: { partialFilterExpression: { requestId: { $exists: true } } },
  },
  { key: { at: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

/** Absent members match every request. */
export interface RequestFilter {
  keyId?: string;
  operation?: string;
  /** One of these. */
  outcomes?: readonly string[];
  /** The caller chose this X-Request-Id. */
  requestId?: string;
  fromMs: number;
  beforeMs?: number;
}

/** The place of a request in the log. */
export interface RequestPlace {
  atMs: number;
  id: string;
}

export interface PageOptions {
  workspaceId: string;
  filter: RequestFilter;
  from: { direction: 'older' | 'newer'; place: RequestPlace } | undefined;
  limit: number;
}

/** Reads what earlier versions stored. It expires {@link keptSeconds} after the upgrade. */
export function createEarlierRequestStore(db: Db) {
  const collection = db.collection<RequestDocument>('requests');
  return {
    /** The newest requests before a place; or, the newest one last, the oldest requests after a place. */
    async page({ workspaceId, filter, from, limit }: PageOptions, maxTimeMS: number): Promise<RequestDocument[]> {
      const isNewer = from?.direction === 'newer';
      const query = { $and: [{ workspaceId, ...matchOf(filter) }, from ? beyond(from.place, isNewer) : {}] };
      const sort = isNewer ? ({ at: 1, _id: 1 } as const) : newest;
      return collection.find(query, { maxTimeMS }).sort(sort).limit(limit).toArray();
    },

    /** The request with this id of its own. */
    async withOwnId(
      { workspaceId, id, fromMs }: { workspaceId: string; id: string; fromMs: number },
      maxTimeMS: number,
    ): Promise<RequestDocument | undefined> {
      const found = await collection.findOne({ _id: id, workspaceId, at: { $gte: new Date(fromMs) } }, { maxTimeMS });
      return found ?? undefined;
    },
  };
}

function matchOf({ keyId, operation, outcomes, requestId, fromMs, beforeMs }: RequestFilter): Filter<RequestDocument> {
  return {
    at: { $gte: new Date(fromMs), ...(beforeMs !== undefined && { $lt: new Date(beforeMs) }) },
    ...(keyId !== undefined && { keyId }),
    ...(operation !== undefined && { operation }),
    ...(outcomes !== undefined && { outcome: { $in: [...outcomes] } }),
    ...(requestId !== undefined && { requestId }),
  };
}

/**
 * Requests of one millisecond are in the order of their ids. The scan of the index begins at the millisecond. With `$or` for
 * the two cases MongoDB may choose to read from the start.
 */
function beyond({ atMs, id }: RequestPlace, isNewer: boolean): Filter<RequestDocument> {
  const at = new Date(atMs);
  return isNewer
    ? { at: { $gte: at }, $nor: [{ at, _id: { $lte: id } }] }
    : { at: { $lte: at }, $nor: [{ at, _id: { $gte: id } }] };
}
