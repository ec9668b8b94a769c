import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import {
  EventOrder,
  type ListEventsRequest,
  type ListEventsResponse,
  type WorkspaceEventType,
  workspaceEventTypes,
} from '@shopscope/proto';
import type { EventPage, EventQuery } from '../../operations/list-events.ts';
import { workspaceEventOf } from '../../outbound/events/workspace-event.ts';

const maxLimit = 200;
const maxWaitMs = 8_000;

export function decodeEventQuery(request: ListEventsRequest): EventQuery {
  const { afterSequence: after, types, watchlistId, limit, waitMs } = request;
  const order = request.order === EventOrder.DESCENDING ? 'desc' : 'asc';
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
  if (waitMs > maxWaitMs) throw invalidField('wait', `must be at most ${maxWaitMs} ms`);
  if (order === 'desc' && (after !== undefined || waitMs > 0)) {
    throw invalidField('order', 'desc has one page, without after and without wait');
  }
  return { after, types: types.map(parseType), watchlistId, limit, order, waitMs };
}

function parseType(text: string): WorkspaceEventType {
  const type = workspaceEventTypes.find((each) => each === text);
  if (!type) throw invalidField('types', 'must be types of events');
  return type;
}

export const encodeEventPage = ({ events, position, hasMore }: EventPage<Environment>): ListEventsResponse => ({
  events: events.map(workspaceEventOf),
  position,
  hasMore,
});
