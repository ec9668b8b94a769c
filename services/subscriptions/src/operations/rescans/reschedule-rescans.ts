import type { Environment } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import { scheduled } from '../../domain/rescans.ts';
import type { GroupRef } from '../../domain/store-group.ts';
import type { Watchlist } from '../../domain/watchlist.ts';
import type { Stores } from '../../outbound/mongo/stores.ts';
import { type SaveDependencies, saveWatchlist } from '../save-watchlist.ts';

/** Fits the next turn of a watchlist to its number of stores, which was `storeCountBefore`. Returns the saved watchlist. */
export async function rescheduleRescans<E extends Environment>(
  deps: SaveDependencies<E>,
  watchlist: Watchlist,
  storeCountBefore: number,
  { now, origin }: { now: Date; origin: Origin },
  tx: Tx,
): Promise<Watchlist> {
  if (watchlist.rescans.intervalDays === null || watchlist.storeCount === storeCountBefore) return watchlist;
  const rescans = scheduled({ ...watchlist, storeCount: storeCountBefore }, watchlist, now);
  return saveWatchlist(deps, tx, { before: watchlist, after: { ...watchlist, rescans }, now, origin });
}

/** Withdraws the rescans of removed stores, or of the whole watchlist. The timer cancels those that have not begun. */
export async function withdrawRescans<E extends Environment>(
  { rescans, rescanQueue }: Pick<Stores<E>, 'rescans' | 'rescanQueue'>,
  ref: GroupRef<E>,
  domains: readonly string[] | undefined,
  now: Date,
  tx: Tx,
): Promise<void> {
  if (await rescans.withdraw(ref, domains, now, tx)) await rescanQueue.wake(ref, now, now, tx);
}

/** A watchlist that is paused or has no interval bills nothing more, so its rescans whose execution has not ended are withdrawn. */
export async function withdrawStarted<E extends Environment>(
  { rescans, rescanQueue, watchlists }: Pick<Stores<E>, 'rescans' | 'rescanQueue' | 'watchlists'>,
  { id, workspaceId, state, rescans: { intervalDays } }: Watchlist,
  now: Date,
  tx: Tx,
): Promise<void> {
  if (state === 'active' && intervalDays !== null) return;
  const ref = { workspaceId, environment: watchlists.environment, id };
  if (await rescans.withdrawStarted(ref, now, tx)) await rescanQueue.wake(ref, now, now, tx);
}
