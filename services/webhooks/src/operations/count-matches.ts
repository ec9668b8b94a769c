import { dayMs, secondMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { type MatchingMembers, matchableOf, receives } from '../domain/event-match.ts';
import type { Dependencies } from './dependencies.ts';
import { findSpan } from './replays/find-span.ts';

const countedMs = 7 * dayMs;
const maxEvents = 20_000;
const pageSize = 200;
const countMs = 5 * secondMs;
/** No page is read in the last part of the time, so that the call returns what it has counted. */
const reserveMs = secondMs;

export interface MatchCount {
  matched: number;
  /** Whether events of the time were not examined. */
  isCut: boolean;
}

/**
 * Counts the events of the last 7 days that an endpoint with these members would receive.
 *
 * - Bounds: the latest {@link maxEvents} events, within {@link countMs}.
 */
export async function countMatches<E extends Environment>(
  { events, clock }: Pick<Dependencies<E>, 'events' | 'clock'>,
  tenant: Tenant<E>,
  members: MatchingMembers,
  context: CallContext,
): Promise<MatchCount> {
  const deadline = context.deadline.capped(countMs);
  const nowMs = clock.now();
  const span = await findSpan(events, tenant, { from: new Date(nowMs - countedMs), to: new Date(nowMs) }, deadline);
  const first = Math.max(span.after, span.last - maxEvents);
  const types = members.eventTypes;
  let matched = 0;
  for (let after = first; after < span.last; ) {
    if (deadline.remainingMs < reserveMs) return { matched, isCut: true };
    const page = await events.page(tenant, { after, types, limit: pageSize }, deadline);
    const examined = page.events.filter(({ sequence }) => sequence <= span.last);
    matched += examined.filter((event) => receives(members, matchableOf(event))).length;
    after = page.position > after ? page.position : span.last;
  }
  return { matched, isCut: first > span.after };
}
