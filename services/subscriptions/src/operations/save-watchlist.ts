import type { Environment } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { Watchlist } from '../domain/watchlist.ts';
import { watchlistEvents } from '../domain/watchlist-events.ts';
import { type AppendDependencies, appendEventsWithin } from './append-events.ts';
import type { Dependencies } from './dependencies.ts';

/** What a change of a watchlist uses. */
export type SaveDependencies<E extends Environment> = Omit<AppendDependencies<E>, 'transact'> &
  Pick<Dependencies<E>, 'watchlists' | 'rescanQueue'>;

export interface WatchlistSave {
  before: Watchlist;
  after: Watchlist;
  now: Date;
  origin: Origin;
  /** Whether a person has changed it. A turn of its rescans is not a change. */
  isEdited?: boolean;
}

/**
 * Saves a changed watchlist in a transaction, with the events of a changed state and of rescans that pause or continue.
 * The transaction also stores when the timer has to look at the watchlist.
 */
export async function saveWatchlist<E extends Environment>(
  deps: SaveDependencies<E>,
  tx: Tx,
  { before, after, now, origin, isEdited = false }: WatchlistSave,
): Promise<Watchlist> {
  const tenant = { workspaceId: before.workspaceId, environment: deps.environment };
  const events = watchlistEvents(tenant, before, after);
  const rescans = { ...after.rescans, changes: after.rescans.changes + events.length };
  const { id, workspaceId: _, storeCount: __, createdAt: ___, updatedAt: ____, ...members } = { ...after, rescans };
  const updatedAt = isEdited || events.length > 0 ? now : before.updatedAt;
  const saved = await deps.watchlists.update({ ...tenant, id }, members, updatedAt, tx);
  if (!saved) throw new Error('the watchlist was deleted within the transaction');
  if (events.length > 0) {
    await appendEventsWithin(
      deps,
      tx,
      events.map((event) => ({ event, origin })),
    );
  }
  if (rescans.wakeAt) await deps.rescanQueue.wake(tenant, rescans.wakeAt, now, tx);
  return saved;
}
