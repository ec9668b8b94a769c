import type { WorkspaceEvent } from '@shopscope/proto';
import type { Endpoint } from './endpoint.ts';
import { dataOf } from './event-data.ts';
import { matchesFilters, type SignalValues } from './filters.ts';

const signalEvents: readonly string[] = ['signal.confirmed', 'signal.retracted'];

/** What decides about an event, parsed once for all endpoints of its workspace. */
export interface Matchable {
  event: WorkspaceEvent;
  /** Whether its data is a JSON object. */
  isReadable: boolean;
  signal: Partial<SignalValues> | undefined;
}

export function matchableOf(event: WorkspaceEvent): Matchable {
  const data = dataOf(event);
  return { event, isReadable: data !== undefined, signal: signalEvents.includes(event.type) ? data : undefined };
}

/** What decides whether an endpoint receives an event. */
export type MatchingMembers = Pick<Endpoint, 'eventTypes' | 'watchlistIds' | 'filters'>;

/** Whether an endpoint receives an event. Filters decide about signals only. Nobody receives an event that is not readable. */
export function receives(
  { eventTypes, watchlistIds, filters }: MatchingMembers,
  { event, isReadable, signal }: Matchable,
): boolean {
  if (!isReadable) return false;
  if (!eventTypes.some((type) => type === event.type)) return false;
  if (watchlistIds.length > 0 && !event.watchlistIds.some((id) => watchlistIds.includes(id))) return false;
  return !signal || matchesFilters(filters, signal, event.subject);
}
