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
  const reason = after.rescans.paused;
  if (before.rescans.paused !== reason) {
    types.push(reason ? { type: 'watchlist.rescans_paused', reason } : { type: 'watchlist.rescans_resumed' });
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
