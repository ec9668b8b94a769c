import type { Environment, Tenant } from '@shopscope/environment';
import type { WorkspaceEventType } from '@shopscope/proto';
import { eventIdOf, type NewEvent } from './event.ts';
import type { Watchlist } from './watchlist.ts';

/** Returns the events of a change. The number of a change names its event. */
export function watchlistEvents<E extends Environment>(
  tenant: Tenant<E>,
  before: Watchlist,
  after: Watchlist,
): NewEvent<E>[] {
  const types: { type: WorkspaceEventType; reason?: string }[] = [];
  if (before.state !== after.state) {
    types.push({ type: after.state === 'paused' ? 'watchlist.paused' : 'watchlist.resumed' });
  }
  const { paused: reason, intervalDays } = after.rescans;
  if (before.rescans.paused !== reason) {
    if (reason) types.push({ type: 'watchlist.rescans_paused', reason });
    // Without an interval, the end of a pause is the end of the rescans.
    else if (intervalDays !== null) types.push({ type: 'watchlist.rescans_resumed' });
  }
  const { id, name } = after;
  return types.map(({ type, ...more }, index) => ({
    tenant,
    id: eventIdOf(type, tenant, id, String(after.rescans.changes + index)),
    type,
    watchlistIds: [id],
    related: { type: 'watchlist', id, path: `/v1/watchlists/${id}` },
    data: JSON.stringify({ watchlist_id: id, name, ...more }),
  }));
}
