import { createDeadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { NewEvent } from '../domain/event.ts';
import { type StoreUpdate, signalEvents, type WatchedStore } from '../domain/signal-events.ts';
import type { Watcher } from '../outbound/mongo/watchers.ts';
import { appendEvents, type Published } from './append-events.ts';
import type { FanOutDependencies } from './event-dependencies.ts';

/** The time limit of each statement and transaction. */
export const stepTimeoutMs = 10_000;
/** Events that are in memory at the same time for one caller. */
const maxChunkEvents = 500;
const maxChunkBytes = 4 * 1024 * 1024;

/**
 * Appends the events of updates for these watchers, in the order of the updates and their signals.
 *
 * - A chunk begins after the earlier one is durable, so a failure between them does not change the order.
 * - A watchlist that is deleted or paused -> it gets no event.
 * - It rejects, or the process ends -> the events of some chunks exist. The same call again appends the others.
 */
export async function appendSignals<E extends Environment>(
  deps: FanOutDependencies<E>,
  updates: readonly Published<Pick<StoreUpdate, 'domain' | 'signals'>>[],
  watchers: readonly Watcher[],
): Promise<void> {
  const byDomain = await watchedStores(deps, watchers);
  let chunk: Published<NewEvent<E>>[] = [];
  let bytes = 0;
  const append = async () => {
    if (chunk.length > 0) await appendEvents(deps, chunk, createDeadline(stepTimeoutMs, { clock: deps.clock }));
    chunk = [];
    bytes = 0;
  };
  for (const { event: update, origin } of updates) {
    for (const signal of update.signals) {
      for (const event of signalEvents(deps.environment, signal, byDomain.get(update.domain) ?? [])) {
        chunk.push({ event, origin });
        bytes += event.data.length;
        if (chunk.length >= maxChunkEvents || bytes >= maxChunkBytes) await append();
      }
    }
  }
  await append();
}

async function watchedStores<E extends Environment>(
  { watchlists, environment }: FanOutDependencies<E>,
  watchers: readonly Watcher[],
): Promise<Map<string, WatchedStore[]>> {
  const refs = watchers.map(({ workspaceId, watchlistId: id }) => ({ environment, workspaceId, id }));
  const byId = new Map((await watchlists.findAll(refs, stepTimeoutMs)).map((each) => [each.id, each]));
  const watched = watchers.flatMap(({ domain, workspaceId, watchlistId, externalId }) => {
    const watchlist = byId.get(watchlistId);
    if (!watchlist) return [];
    const { state, signalTypes, technologies } = watchlist;
    const isActive = state === 'active';
    return [{ domain, workspaceId, watchlistId, externalId, isActive, signalTypes, technologies }];
  });
  return Map.groupBy(watched, ({ domain }) => domain);
}
