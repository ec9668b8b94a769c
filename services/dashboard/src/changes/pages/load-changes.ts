import { contextOf, load, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { WatchlistNames } from '../domain/change.ts';
import { changeFilterOf } from '../domain/change-filter.ts';

/** Reads what the page keeps current. */
export async function loadLatest(context: PageContext, url: string) {
  const filter = changeFilterOf(new URL(url).searchParams);
  const { usage } = contextOf(context).application;
  const page = await load(context, ({ changes }) => changes.latest(workspaceVisit(context), filter));
  return { ...page, nowMs: usage.nowMs() };
}

/** Without them the page shows changes all the same, and offers no filter by watchlist. */
export async function loadWatchlistNames(context: PageContext): Promise<WatchlistNames> {
  const { changes } = contextOf(context).application;
  return (await loadPart(context, changes.watchlistNames(workspaceVisit(context)))).value ?? {};
}
