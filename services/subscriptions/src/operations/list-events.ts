import type { Deadline } from '@shopscope/async';
import { dayMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { eventRetentionDays, type SequencedEvent } from '../domain/event.ts';
import type { EventFilter } from '../outbound/mongo/events.ts';
import type { Read } from '../outbound/mongo/reads.ts';
import type { EventDependencies } from './event-dependencies.ts';
import { noSuch, refOf } from './find-group.ts';

export interface EventQuery extends EventFilter {
  /** Selects events with a higher sequence. If undefined, the page begins with the oldest kept event. */
  after: number | undefined;
  limit: number;
  order: 'asc' | 'desc';
  /** How long the call waits for an event. 0 with the order `desc`. */
  waitMs: number;
}

export interface EventPage<E extends Environment> {
  events: SequencedEvent<E>[];
  /** With the order `asc`, all matching events up to this sequence are in this page or in earlier ones. */
  position: number;
  hasMore: boolean;
}

/**
 * A page examines at most this number of events for its filter, so that a filter that rarely matches costs little. It may therefore have
 * fewer events than its limit, although more follow.
 */
export const maxExamined = 10_000;
/** The data of a page, which bounds the memory of a call. A page of ordinary events stays far below it. */
const maxPageBytes = 4 * 1024 * 1024;

/**
 * Resolves to a page of a workspace's events. With `waitMs` an empty page waits for the first matching event.
 *
 * - Events after `after` were deleted -> `invalid_request` for `after`.
 * - The workspace has no such watchlist -> `not_found`.
 * - The caller cancels, or this instance stops -> the call ends with the page as it is.
 */
export async function listEvents<E extends Environment>(
  deps: EventDependencies<E>,
  tenant: Tenant<E>,
  query: EventQuery,
  { deadline, abort }: { deadline: Deadline; abort: AbortSignal },
): Promise<EventPage<E>> {
  if (query.watchlistId !== '') await requireWatchlist(deps, tenant, query.watchlistId, deadline);
  const endMs = deps.clock.monotonicMs() + query.waitMs;
  let page = await readPage(deps, tenant, query, deadline);
  while (page.events.length === 0 && !page.hasMore) {
    const leftMs = endMs - deps.clock.monotonicMs();
    if (leftMs <= 0 || !(await deps.waits.beyond(tenant, page.position, leftMs, abort))) break;
    page = await readPage(deps, tenant, { ...query, after: page.position }, deadline);
  }
  return page;
}

async function requireWatchlist<E extends Environment>(
  { watchlists }: EventDependencies<E>,
  tenant: Tenant<E>,
  watchlistId: string,
  deadline: Deadline,
): Promise<void> {
  const kind = { noun: 'watchlist', idPrefix: 'wl' } as const;
  const found = await watchlists.find(refOf(kind, tenant, watchlistId), { maxTimeMS: deadline.timeoutMs() });
  if (!found) throw noSuch(kind);
}

function readPage<E extends Environment>(
  deps: EventDependencies<E>,
  tenant: Tenant<E>,
  query: EventQuery,
  deadline: Deadline,
): Promise<EventPage<E>> {
  const keptSince = new Date(deps.clock.now() - eventRetentionDays * dayMs);
  return deps.readInOrder(async (read) => {
    // Everything up to `last` is visible to the following queries, because commits have the order of the sequence.
    const last = await deps.sequences.last(tenant, read);
    return query.order === 'desc'
      ? readLatest(deps, tenant, query, { last, keptSince }, read)
      : readAfter(deps, tenant, query, { last, keptSince }, read);
  }, deadline);
}

interface Bounds {
  last: number;
  keptSince: Date;
}

async function readLatest<E extends Environment>(
  { events }: EventDependencies<E>,
  tenant: Tenant<E>,
  { limit, ...query }: EventQuery,
  { last, keptSince }: Bounds,
  read: Read,
): Promise<EventPage<E>> {
  const after = Math.max(0, last - maxExamined);
  const range = { ...query, after, until: last, keptSince, limit, maxBytes: maxPageBytes };
  const page = await events.list(tenant, range, read);
  // Older events that were not examined may match.
  const hasOlder = after > 0 && (await events.has(tenant, after, keptSince, read));
  return { events: page.events, position: last, hasMore: page.hasMore || hasOlder };
}

async function readAfter<E extends Environment>(
  { events }: EventDependencies<E>,
  tenant: Tenant<E>,
  { limit, ...query }: EventQuery,
  { last, keptSince }: Bounds,
  read: Read,
): Promise<EventPage<E>> {
  const isDeleted = async (sequence: number) =>
    sequence <= last && !(await events.has(tenant, sequence, keptSince, read));
  if (query.after !== undefined && (await isDeleted(query.after + 1))) throw deletedBehind();
  const after = query.after ?? ((await events.oldest(tenant, keptSince, read)) ?? last + 1) - 1;
  if (after >= last) return { events: [], position: after, hasMore: false };
  const until = Math.min(last, after + maxExamined);
  const range = { ...query, after, until, keptSince, limit, maxBytes: maxPageBytes };
  const { events: page, hasMore: isCut } = await events.list(tenant, range, read);
  return { events: page, position: isCut ? (page.at(-1)?.sequence ?? after) : until, hasMore: isCut || until < last };
}

const deletedBehind = () =>
  invalidField(
    'after',
    `events after it were deleted, because events are kept for ${eventRetentionDays} days, and those of the test environment until its ` +
      'reset; leave it out to begin with the oldest event',
  );
