import type { WorkspaceEvent } from '@shopscope/proto';
import type { Endpoint } from './endpoint.ts';
import { matchesFilters, type SignalValues } from './filters.ts';

const signalEvents: readonly string[] = ['signal.confirmed', 'signal.retracted'];

/** What decides about an event, parsed once for all endpoints of its workspace. */
export interface Matchable {
  event: WorkspaceEvent;
  signal: SignalValues | undefined;
}

/** Throws a SyntaxError if the data of the event is not JSON. */
export function matchableOf(event: WorkspaceEvent): Matchable {
  return { event, signal: signalEvents.includes(event.type) ? (JSON.parse(event.data) as SignalValues) : undefined };
}

/** What decides whether an endpoint receives an event. */
export type MatchingMembers = Pick<Endpoint, 'eventTypes' | 'watchlistIds' | 'filters'>;

/** Whether an endpoint receives an event. Filters decide about signals only. */
export function receives(
  { eventTypes, watchlistIds, filters }: MatchingMembers,
  { event, signal }: Matchable,
): boolean {
  if (!eventTypes.some((type) => type === event.type)) return false;
  if (watchlistIds.length > 0 && !event.watchlistIds.some((id) => watchlistIds.includes(id))) return false;
  return !signal || matchesFilters(filters, signal, event.subject);
}
