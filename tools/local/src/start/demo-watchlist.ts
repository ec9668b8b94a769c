import { createDeadline } from '@shopscope/async';
import { createClient } from '@shopscope/client';
import type { Corpus } from '@shopscope/demo-stores';
import { createClocks, watchedSinceMs } from '@shopscope/demo-usage';
import { demoStoresOf } from './demo-list.ts';
import { adminUrlsOf } from './services.ts';
import type { LocalState } from './state.ts';
import { makeWatchlistEvents, type WatchlistEventsOptions } from './watchlist-events.ts';

export type DemoWatchlist = NonNullable<LocalState['demoWatchlist']>;

export interface DemoWatchlistOptions
  extends Pick<WatchlistEventsOptions, 'settings' | 'mongoEnvironment' | 'workspaceId'> {
  apiUrl: string;
  /** A key with every scope. */
  apiKey: string;
  corpus: Pick<Corpus, 'domains' | 'unseen' | 'changed'>;
  /** The watchlist of an earlier start. */
  made: DemoWatchlist | undefined;
}

const name = 'Stores on the move';
const maxStores = 15;
const rescanIntervalDays = 7;
const clockTimeoutMs = 10_000;

/**
 * Gives the demo workspace a watchlist of stores that have changed, with the events of three weeks.
 *
 * 1. The time of subscriptions moves to before the first event, so that the watchlist is as old as its events.
 * 2. The events are made. The watchlist has no store yet, so no later event can come first.
 * 3. The watchlist gets its stores, and the time is put back.
 * 4. Its rescans begin now, because rescans of the past were not made.
 *
 * - Repeated -> the watchlist of the earlier start stays, as people left it. A new workspace gets its own.
 * - No store has changed -> nothing is made.
 * - A start fails -> it puts the time back. The next start continues with the same watchlist.
 * - A start is killed -> the time stays moved until subscriptions starts again.
 */
export async function makeDemoWatchlist(options: DemoWatchlistOptions): Promise<DemoWatchlist | undefined> {
  const { settings, workspaceId, corpus, made } = options;
  if (made?.workspaceId === workspaceId) return made;
  const changed = demoStoresOf(corpus).filter(({ domain }) => corpus.changed[domain]);
  const stores = changed.slice(0, maxStores);
  if (stores.length === 0) return undefined;
  const client = createClient({ apiKey: options.apiKey, baseUrl: options.apiUrl });
  const clocks = createClocks('subscriptions', adminUrlsOf(settings, 'subscriptions'));
  let watchlistId: string;
  try {
    await clocks.moveTo(watchedSinceMs(Date.now()), createDeadline(clockTimeoutMs));
    const { data } = await client.listWatchlists();
    watchlistId = (data.find((each) => each.name === name) ?? (await client.createWatchlist({ name }))).id;
    await makeWatchlistEvents({ ...options, watchlistId, stores });
    await client.addWatchlistStores(watchlistId, { stores });
  } finally {
    await clocks.putBack();
  }
  await client.updateWatchlist(watchlistId, { rescan_interval_days: rescanIntervalDays });
  return { workspaceId, watchlistId };
}
