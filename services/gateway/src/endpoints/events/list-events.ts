import { invalidField } from '@shopscope/errors';
import { EventOrder, type ListEventsRequest, type ListEventsResponse, type WorkspaceEvent } from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { eventQuery } from './contract.ts';
import type { RequestEnd } from './waiting-requests.ts';

/**
 * A page of the events of the caller's workspace, in the environment of its key.
 *
 * - `after` is a position in the whole sequence. It belongs to the workspace and the environment, and not to the filters.
 * - An empty page waits for `wait` seconds at most. The first event ends the wait, and a stop of the gateway does, too.
 * - The caller disconnects -> the call of subscriptions is cancelled.
 */
type EventDependencies = Pick<Dependencies, 'subscriptions' | 'cursors' | 'waiting' | 'publicApiUrl'>;
type EventRequest = CallerRequest & { response: RequestEnd; waitedMs: number };
type EventQuery = z.output<typeof eventQuery>;

/** A position goes with every filter. */
const position = { parameter: 'after', pages: 'a page of the events of this workspace' };

/** Resolves to the JSON text of the page. The data of an event stays as its service has written it. */
export async function pageOfEvents(
  deps: EventDependencies,
  request: EventRequest,
  query: EventQuery,
): Promise<Buffer<ArrayBuffer>> {
  checkOrder(query);
  const { workspaceId, keyEnvironment: environment } = request.caller;
  const bound = ['events', environment, workspaceId];
  const { after, order } = query;
  const sequence = after === undefined ? undefined : Number(deps.cursors.verify(bound, after, position));
  const page = await readPage(deps, request, {
    workspaceId,
    afterSequence: sequence,
    types: query.types,
    watchlistId: query.watchlist_id ?? '',
    limit: query.limit,
    order: order === 'desc' ? EventOrder.DESCENDING : EventOrder.ASCENDING,
    waitMs: query.wait * 1_000,
  });
  const events = page.events.map((event) => eventText(event, { environment, publicApiUrl: deps.publicApiUrl }));
  const cursor = order === 'desc' ? null : deps.cursors.sign(bound, String(page.position));
  const rest = JSON.stringify({ next_cursor: cursor, has_more: page.hasMore });
  return Buffer.from(`{"data":[${events.join(',')}],${rest.slice(1)}`);
}

/** The order desc has one page, so it has neither a position to continue nor anything to wait for. */
function checkOrder({ order, after, wait }: EventQuery): void {
  if (order === 'asc') return;
  if (after !== undefined) throw invalidField('after', 'must be absent with order=desc');
  if (wait > 0) throw invalidField('wait', 'must be 0 with order=desc');
}

async function readPage(
  { subscriptions, waiting }: EventDependencies,
  request: EventRequest,
  asked: ListEventsRequest,
): Promise<ListEventsResponse> {
  if (asked.waitMs === 0) return subscriptions.listEvents(asked, request);
  const { origin, deadline, response } = request;
  const startMs = deadline.elapsedMs;
  try {
    return await waiting.run(response, (abort) => subscriptions.listEvents(asked, { origin, deadline, abort }));
  } catch (error) {
    if (!waiting.isStopped || response.closed) throw error;
    // The stop has ended the wait. The caller gets what there is.
    return subscriptions.listEvents({ ...asked, waitMs: 0 }, request);
  } finally {
    request.waitedMs += deadline.elapsedMs - startMs;
  }
}

/** Returns the JSON text of an event. Its data stays as its service has written it. */
export function eventText(
  { id, sequence, type, createdAtMs, related, data }: WorkspaceEvent,
  { environment, publicApiUrl }: { environment: string; publicApiUrl: string },
): string {
  const members = {
    id,
    sequence,
    type,
    created_at: new Date(createdAtMs).toISOString(),
    environment,
    related: related ? { type: related.type, id: related.id, url: `${publicApiUrl}${related.path}` } : null,
  };
  return `${JSON.stringify(members).slice(0, -1)},"data":${data}}`;
}
