/**
 * The requests of a workspace's keys, as the gateways report them. Every member can read them. The log is best effort: gateways drop
 * requests that they cannot publish. It is not used for billing.
 */

import { dayMs, minuteMs, parseDay } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { RequestsCompleted } from '@shopscope/proto';
import { ownValue } from '../../app/domain/own-value.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { countsOf, noCounts } from '../../usage/domain.ts';
import { repeatCommand } from '../domain/repeat-command.ts';
import {
  classOf,
  explanationOf,
  type OutcomeClass,
  outcomeClasses,
  outcomeOf,
  outcomesOf,
} from '../domain/request-outcome.ts';
import {
  keptSeconds,
  type PageOptions,
  type RequestDocument,
  type RequestFilter,
  type RequestPlace,
} from '../outbound/requests.ts';

/** A request as the list shows it. */
export type RequestView = ReturnType<typeof viewOf>;

/** Filters from the URL. An empty string filters nothing. */
export interface RequestChoice {
  result: string;
  operation: string;
  key: string;
  code: string;
  /** `15m`, `1h`, `24h`, or a UTC day as YYYY-MM-DD. */
  time: string;
}

/** A position in the log, from the link to a page. */
export interface RequestCursor {
  before?: string | null;
  after?: string | null;
}

/** The number of requests per insert. Pages have to wait while an insert is encoded. */
const maxAdded = 1_000;
const pageSize = 50;
const readTimeoutMs = 2_000;
const recentMs: Readonly<Record<string, number>> = { '15m': 15 * minuteMs, '1h': 60 * minuteMs, '24h': dayMs };
const idPattern = /^[\w-]{1,80}$/;

const logOf = (deps: Dependencies, { origin }: WorkspaceVisit) => deps.requests[origin.environment];

const firstMs = (deps: Dependencies) => deps.clock.now() - keptSeconds * 1_000;

/** MongoDB deletes expired documents late, so the filter excludes them. */
const filterOf = (deps: Dependencies, { result, operation, key, code, time }: RequestChoice): RequestFilter => {
  const isClass = (outcomeClasses as readonly string[]).includes(result);
  const outcomes = isClass ? outcomesOf(result as OutcomeClass) : undefined;
  const codes = code === '' ? outcomes : (outcomes ?? [code]).filter((outcome) => outcome === code);
  const recent = ownValue(recentMs, time);
  const dayStartMs = recent === undefined ? parseDay(time) : undefined;
  const startMs = recent === undefined ? dayStartMs : deps.clock.now() - recent;
  return {
    fromMs: Math.max(firstMs(deps), startMs ?? 0),
    ...(dayStartMs !== undefined && { beforeMs: dayStartMs + dayMs }),
    ...(operation !== '' && { operation: operation === 'none' ? '' : operation }),
    ...(key !== '' && { keyId: key }),
    ...(codes && { outcomes: codes }),
  };
};

const withId = async (deps: Dependencies, visit: WorkspaceVisit, id: string, limit: number) => {
  const { workspaceId } = visit.membership;
  return idPattern.test(id)
    ? logOf(deps, visit).withId({ workspaceId, id, fromMs: firstMs(deps), limit }, readTimeoutMs)
    : [];
};

/** Stores events of the gateways about requests of one environment. Requests that would expire at once are left out. */
export async function record(
  deps: Dependencies,
  environment: Environment,
  events: readonly RequestsCompleted[],
): Promise<void> {
  const log = deps.requests[environment];
  const since = firstMs(deps);
  let next: RequestDocument[][] = [];
  let size = 0;
  for (const event of events) {
    const requests = documentsOf(event).filter(({ at }) => at.getTime() >= since);
    if (size + requests.length > maxAdded) {
      await log.add(next);
      next = [];
      size = 0;
    }
    next.push(requests);
    size += requests.length;
  }
  await log.add(next);
}

/** A page of requests, newest first. */
export function page(deps: Dependencies, visit: WorkspaceVisit, choice: RequestChoice, cursor: RequestCursor = {}) {
  const { workspaceId } = visit.membership;
  const filter = filterOf(deps, choice);
  return pageAt(cursor, (from, limit) => logOf(deps, visit).page({ workspaceId, filter, from, limit }, readTimeoutMs));
}

/**
 * A page of the requests with an X-Request-Id, newest first. The request that has this id as its own comes before them. The page is empty
 * if the text is not an id.
 */
export function pageWithId(deps: Dependencies, visit: WorkspaceVisit, id: string, cursor: RequestCursor = {}) {
  const { workspaceId } = visit.membership;
  const filter = { requestId: id, fromMs: firstMs(deps) };
  return pageAt(cursor, (from, limit) =>
    from
      ? logOf(deps, visit).page({ workspaceId, filter, from, limit }, readTimeoutMs)
      : withId(deps, visit, id, limit),
  );
}

/** All data of one request, by its own id or its X-Request-Id. Throws `not_found` if it belongs to another workspace. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, id: string) {
  const [found, next] = await withId(deps, visit, id, 2);
  if (!found) throw noSuchRequest();
  const view = viewOf(found);
  const { method, path, query, pathTemplate, hasIdempotencyKey, replayed, billedBefore } = found;
  const isShared = next !== undefined && requestIdOf(next) === view.requestId;
  return {
    ...view,
    method,
    path,
    query,
    pathTemplate,
    hasIdempotencyKey,
    replayed,
    billedBefore,
    error: explanationOf(view.outcome, { status: view.status, mayBeBilled: found.units !== undefined }),
    /** Undefined if the stored path was shortened. */
    command: repeatCommand(deps.apiUrl, found),
    /** Whether other requests share this X-Request-Id. `unknown`: this request was found by its own id, so they were not searched. */
    sameRequestId: isShared ? ('some' as const) : id === view.requestId ? ('none' as const) : ('unknown' as const),
  };
}

/** The UTC days that are kept, latest first, as YYYY-MM-DD. */
export const days = (deps: Dependencies): string[] =>
  Array.from({ length: 8 }, (_, ago) => new Date(deps.clock.now() - ago * dayMs).toISOString().slice(0, 10));

/** Each member is named, so that members which gateways may add later are not stored unnoticed. */
const documentsOf = ({ workspaceId, requests }: RequestsCompleted): RequestDocument[] =>
  requests.map((request) => ({
    _id: request.id || request.requestId,
    workspaceId,
    ...(request.id !== '' && { requestId: request.requestId }),
    keyId: request.keyId,
    keyPrefix: request.keyPrefix,
    at: new Date(request.startedAtMs),
    operation: request.operation,
    method: request.method,
    path: request.path,
    query: request.query,
    pathTemplate: request.pathTemplate,
    status: request.status,
    outcome: outcomeOf(request.status, request.errorCode),
    durationMs: request.durationUs / 1_000,
    ...(request.units && { units: countsOf(request.units) }),
    domains: request.domains,
    hasIdempotencyKey: request.hasIdempotencyKey,
    replayed: request.replayed,
    billedBefore: request.billedBefore,
    environment: request.environment,
  }));

const requestIdOf = ({ _id, requestId }: RequestDocument): string => requestId ?? _id;

const viewOf = (document: RequestDocument) => ({
  id: document._id,
  requestId: requestIdOf(document),
  keyId: document.keyId,
  // Requests of the demo data may have no prefix.
  keyPrefix: document.keyPrefix || document.keyId,
  atMs: document.at.getTime(),
  operation: document.operation,
  status: document.status,
  outcome: document.outcome,
  outcomeClass: classOf(document.status),
  durationMs: document.durationMs,
  units: document.units ?? noCounts,
  domains: document.domains,
});

/**
 * The page at a position. `older` and `newer` are the cursors of the neighbouring pages. If a page of newer requests is not full, the first
 * page is returned.
 */
async function pageAt(
  cursor: RequestCursor,
  read: (from: PageOptions['from'], limit: number) => Promise<RequestDocument[]>,
) {
  // One more than a page, to find out whether there is another page.
  const limit = pageSize + 1;
  const after = placeOf(cursor.after);
  if (after) {
    const found = await read({ direction: 'newer', place: after }, limit);
    if (found.length > pageSize) return pageOf(found.slice(0, pageSize).reverse(), { older: true, newer: true });
  }
  const before = after ? undefined : placeOf(cursor.before);
  const found = await read(before && { direction: 'older', place: before }, limit);
  return pageOf(found.slice(0, pageSize), { older: found.length > pageSize, newer: before !== undefined });
}

function pageOf(documents: readonly RequestDocument[], has: { older: boolean; newer: boolean }) {
  const requests = documents.map(viewOf);
  return {
    requests,
    older: has.older ? cursorOf(requests.at(-1)) : undefined,
    newer: has.newer ? cursorOf(requests[0]) : undefined,
  };
}

const cursorOf = (request: RequestView | undefined) => request && `${request.atMs}_${request.id}`;

/** Undefined if the text is not a cursor. */
function placeOf(cursor: string | null | undefined): RequestPlace | undefined {
  const match = /^(\d{1,15})_([\w-]{1,80})$/.exec(cursor ?? '');
  return match ? { atMs: Number(match[1]), id: match[2] as string } : undefined;
}

const noSuchRequest = () =>
  new AppError('not_found', 'There is no such request in this workspace, or it is older than 7 days.');
