import { type Environment, nameIn } from '@shopscope/environment';
import { type IndexDefinition, isDuplicateKey } from '@shopscope/mongo';
import type { Db, Document } from 'mongodb';
import {
  keptSeconds,
  type PageOptions,
  type RequestDocument,
  type RequestFilter,
  type RequestPlace,
} from './requests.ts';

/**
 * The request log. One document has the answered requests of one workspace and gateway within a few seconds. Its indexes therefore have one
 * entry per batch, not per request.
 *
 * - The id of a batch is made of its content. A repeated event makes the same batches and changes nothing.
 * - The requests of a batch start within {@link spanMs}. An event of a longer time is split into several batches.
 * - Documents expire {@link keptSeconds} after their last request, even if their workspace was deleted.
 */
interface RequestBatch {
  _id: string;
  workspaceId: string;
  firstAt: Date;
  lastAt: Date;
  /** The distinct ids of the requests. */
  ids: string[];
  keyIds: string[];
  operations: string[];
  outcomes: string[];
  /** X-Request-Ids that callers chose. */
  requestIds?: string[];
  requests: StoredRequest[];
}

/** A request without the members of {@link usual} that have their usual value. */
type StoredRequest = Omit<RequestDocument, 'workspaceId' | keyof typeof usual> & Partial<typeof usual>;

const usual = {
  query: '',
  domains: 0,
  hasIdempotencyKey: false,
  replayed: false,
  billedBefore: false,
  environment: 'live',
};

/** Requests wait up to 12 s in a gateway. */
const spanMs = 13_000;
/** A batch of the longest texts has 4 MB. MongoDB stores documents of up to 16 MB. */
const maxRequests = 200;
/** The number of batches in the first read of a page. In a busy workspace they fill a page. */
const firstReadSize = 3;
const furtherReadSize = 60;

const newest = { lastAt: -1, _id: -1 } as const;

/** One index for each filter. A query with several filters uses one index and checks the other filters on its results. */
export const requestBatchIndexes: readonly IndexDefinition[] = [
  { key: { workspaceId: 1, ...newest }, options: {} },
  { key: { workspaceId: 1, keyIds: 1, ...newest }, options: {} },
  { key: { workspaceId: 1, operations: 1, ...newest }, options: {} },
  { key: { workspaceId: 1, outcomes: 1, ...newest }, options: {} },
  {
    key: { workspaceId: 1, requestIds: 1, ...newest },
    options: { partialFilterExpression: { requestIds: { $exists: true } } },
  },
  { key: { ids: 1 }, options: {} },
  { key: { lastAt: 1 }, options: { expireAfterSeconds: keptSeconds, name: 'expiry' } },
];

export type RequestStore = ReturnType<typeof createRequestStore>;

export function createRequestStore(db: Db, environment: Environment) {
  const collection = db.collection<RequestBatch>(nameIn(environment, 'request_batches', '_'));

  const read = async (stages: Document[], options: { maxTimeMS: number; hint?: Document }) =>
    (await collection.aggregate<RequestBatch>(stages, options).toArray()).map((batch) => ({
      ...batch,
      requests: batch.requests.map((request) => ({ ...usual, ...request, workspaceId: batch.workspaceId })),
    }));

  /**
   * The newest requests before a place; or the oldest requests after a place, newest last. Reads batches until no further batch can have a
   * request of the page.
   */
  const page = async (
    { workspaceId, filter, from, limit }: PageOptions,
    maxTimeMS: number,
  ): Promise<RequestDocument[]> => {
    const isNewer = from?.direction === 'newer';
    const order = isNewer ? ({ lastAt: 1, _id: 1 } as const) : newest;
    const endMs = performance.now() + maxTimeMS;
    const found: RequestDocument[] = [];
    const conditions = [{ workspaceId, ...matchOf(filter) }, from ? reaching(from.place, isNewer) : {}];
    for (let size = firstReadSize; ; size = furtherReadSize) {
      const batches = await read(
        [
          { $match: { $and: conditions } },
          { $sort: order },
          { $limit: size },
          { $project: { workspaceId: 1, lastAt: 1, requests: requestsOf(filter) } },
        ],
        { maxTimeMS: Math.max(1, Math.ceil(endMs - performance.now())), ...hintOf(filter) },
      );
      for (const { requests } of batches) found.push(...requests.filter((request) => isBeyond(request, from)));
      const last = batches.at(-1);
      if (!last || batches.length < size) return inOrder(found, isNewer).slice(0, limit);
      const reachedMs = last.lastAt.getTime();
      const isComplete = ({ at }: RequestDocument) =>
        isNewer ? at.getTime() < reachedMs - spanMs : at.getTime() > reachedMs;
      const complete = inOrder(found.filter(isComplete), isNewer);
      if (complete.length >= limit) return complete.slice(0, limit);
      conditions[2] = behind(last, isNewer);
    }
  };

  const withOwnId = async (
    { workspaceId, id, fromMs }: { workspaceId: string; id: string; fromMs: number },
    maxTimeMS: number,
  ): Promise<RequestDocument | undefined> => {
    const [batch] = await read(
      [
        { $match: { ids: id, workspaceId, lastAt: { $gte: new Date(fromMs) } } },
        { $limit: 1 },
        {
          $project: {
            workspaceId: 1,
            requests: {
              $filter: {
                input: '$requests',
                cond: { $and: [{ $eq: ['$$this._id', id] }, { $gte: ['$$this.at', new Date(fromMs)] }] },
              },
            },
          },
        },
      ],
      { maxTimeMS },
    );
    return batch?.requests[0];
  };

  return {
    /** Stores the requests of each event. Storing an event again changes nothing. */
    async add(events: readonly (readonly RequestDocument[])[]): Promise<void> {
      const batches = events.flatMap(batchesOf);
      if (batches.length === 0) return;
      try {
        await collection.insertMany(batches, { ordered: false });
      } catch (error) {
        if (!hasDuplicatesOnly(error)) throw error;
      }
    },

    page,

    /** At most `limit` requests: first the request with this id, then the latest ones whose caller chose it as X-Request-Id. */
    async withId(
      { workspaceId, id, fromMs, limit }: { workspaceId: string; id: string; fromMs: number; limit: number },
      maxTimeMS: number,
    ): Promise<RequestDocument[]> {
      const chosen = { workspaceId, filter: { requestId: id, fromMs }, from: undefined, limit };
      const [own, others] = await Promise.all([
        withOwnId({ workspaceId, id, fromMs }, maxTimeMS),
        page(chosen, maxTimeMS),
      ]);
      return [own ?? [], others].flat().slice(0, limit);
    },
  };
}

/** The distinct requests, in the order of their pages. */
function inOrder(requests: readonly RequestDocument[], isNewer: boolean): RequestDocument[] {
  const sign = isNewer ? 1 : -1;
  const before = (a: RequestDocument, b: RequestDocument) =>
    a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);
  return requests
    .toSorted((a, b) => sign * before(a, b))
    .filter(({ _id }, n, sorted) => n === 0 || sorted[n - 1]?._id !== _id);
}

function batchesOf(event: readonly RequestDocument[]): RequestBatch[] {
  const parts: RequestDocument[][] = [];
  for (const request of inOrder(event, true)) {
    const part = parts.at(-1);
    const first = part?.[0];
    const isNear = first !== undefined && request.at.getTime() - first.at.getTime() <= spanMs;
    if (part && isNear && part.length < maxRequests) part.push(request);
    else parts.push([request]);
  }
  return parts.map(batchOf);
}

function batchOf(requests: readonly RequestDocument[]): RequestBatch {
  const first = requests[0] as RequestDocument;
  const last = requests.at(-1) as RequestDocument;
  const chosen = distinct(requests.flatMap(({ requestId }) => requestId ?? []));
  return {
    _id: `${first._id}/${last._id}/${requests.length}`,
    workspaceId: first.workspaceId,
    firstAt: first.at,
    lastAt: last.at,
    ids: requests.map(({ _id }) => _id),
    keyIds: distinct(requests.map(({ keyId }) => keyId)),
    operations: distinct(requests.map(({ operation }) => operation)),
    outcomes: distinct(requests.map(({ outcome }) => outcome)),
    ...(chosen.length > 0 && { requestIds: chosen }),
    requests: requests.map(toStored),
  };
}

function toStored({ workspaceId: _, ...request }: RequestDocument): StoredRequest {
  const stored: StoredRequest & Record<string, unknown> = request;
  for (const [name, value] of Object.entries(usual)) if (stored[name] === value) delete stored[name];
  return stored;
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

function matchOf({ keyId, operation, outcomes, requestId, fromMs, beforeMs }: RequestFilter): Document {
  return {
    lastAt: {
      $gte: new Date(fromMs),
      ...(beforeMs !== undefined && { $lt: new Date(beforeMs + spanMs) }),
    },
    ...(beforeMs !== undefined && { firstAt: { $lt: new Date(beforeMs) } }),
    ...(keyId !== undefined && { keyIds: keyId }),
    ...(operation !== undefined && { operations: operation }),
    ...(outcomes !== undefined && { outcomes: { $in: [...outcomes] } }),
    ...(requestId !== undefined && { requestIds: requestId }),
  };
}

const indexedBy = { keyId: 'keyIds', operation: 'operations', outcomes: 'outcomes', requestId: 'requestIds' } as const;

/**
 * The index of the filter. Without the hint, MongoDB would use the plan of the first read for further reads, and plan again because they
 * read more. If there are several filters, MongoDB chooses.
 */
function hintOf(filter: RequestFilter): { hint?: Document } {
  const given = (Object.keys(indexedBy) as (keyof typeof indexedBy)[]).filter((name) => filter[name] !== undefined);
  if (given.length > 1) return {};
  return { hint: { workspaceId: 1, ...Object.fromEntries(given.map((name) => [indexedBy[name], 1])), ...newest } };
}

/** The requests of a batch that match the filter. */
function requestsOf({ keyId, operation, outcomes, requestId, fromMs, beforeMs }: RequestFilter): Document {
  const conditions = [
    { $gte: ['$$this.at', new Date(fromMs)] },
    ...(beforeMs !== undefined ? [{ $lt: ['$$this.at', new Date(beforeMs)] }] : []),
    ...(keyId !== undefined ? [{ $eq: ['$$this.keyId', { $literal: keyId }] }] : []),
    ...(operation !== undefined ? [{ $eq: ['$$this.operation', { $literal: operation }] }] : []),
    ...(outcomes !== undefined ? [{ $in: ['$$this.outcome', { $literal: [...outcomes] }] }] : []),
    ...(requestId !== undefined ? [{ $eq: ['$$this.requestId', { $literal: requestId }] }] : []),
  ];
  return { $filter: { input: '$requests', cond: { $and: conditions } } };
}

/** Matches batches that can have requests beyond a place. */
const reaching = ({ atMs }: RequestPlace, isNewer: boolean): Document =>
  isNewer
    ? { lastAt: { $gte: new Date(atMs) } }
    : { lastAt: { $lte: new Date(atMs + spanMs) }, firstAt: { $lte: new Date(atMs) } };

/** Matches batches that follow another batch in the order of the page. */
function behind({ lastAt, _id }: Pick<RequestBatch, 'lastAt' | '_id'>, isNewer: boolean): Document {
  return isNewer
    ? { lastAt: { $gte: lastAt }, $nor: [{ lastAt, _id: { $lte: _id } }] }
    : { lastAt: { $lte: lastAt }, $nor: [{ lastAt, _id: { $gte: _id } }] };
}

function isBeyond({ at, _id }: RequestDocument, from: PageOptions['from']): boolean {
  if (!from) return true;
  const { place, direction } = from;
  const differenceMs = at.getTime() - place.atMs;
  const difference = differenceMs || (_id < place.id ? -1 : _id > place.id ? 1 : 0);
  return direction === 'newer' ? difference > 0 : difference < 0;
}

function hasDuplicatesOnly(error: unknown): boolean {
  const { writeErrors } = error as { writeErrors?: readonly unknown[] | unknown };
  const errors = Array.isArray(writeErrors) ? writeErrors : [];
  return errors.length > 0 ? errors.every((each: { code?: number }) => each.code === 11_000) : isDuplicateKey(error);
}
