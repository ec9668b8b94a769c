/** The events of a workspace. Everything here calls the API with the workspace's Dashboard key, and is free. */

import type { components, operations } from '@shopscope/client';
import { AppError } from '@shopscope/errors';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { maxPage, readAll } from '../../lists/operations.ts';
import { type ChangePage, changeOf, type WatchlistNames } from '../domain/change.ts';
import { type ChangeFilter, changeGroups } from '../domain/change-filter.ts';

type EventQuery = NonNullable<operations['listEvents']['parameters']['query']>;

/** The number of changes on a page. The API has the earlier ones. */
export const changesPerPage = 100;

/**
 * The latest changes of the workspace. They are at most some seconds old. The watchlist of the filter was deleted -> the filter by it is
 * dropped, so that a link that a person has kept still leads to changes.
 */
export function latest(deps: Dependencies, visit: WorkspaceVisit, filter: ChangeFilter): Promise<ChangePage> {
  const { group, watchlistId } = filter;
  const ofAll: EventQuery = {
    order: 'desc',
    limit: changesPerPage,
    ...(group && { types: [...changeGroups[group].types] }),
  };
  const read = async (query: EventQuery, isWatchlistGone: boolean) => {
    const { data, has_more } = await callApi(deps, visit, (client) => client.listEvents(query));
    return { changes: data.map(changeOf), hasEarlier: has_more, isWatchlistGone };
  };
  const key = JSON.stringify([keeperOf(visit), group ?? '', watchlistId]);
  return deps.changePages.read(key, async () => {
    if (watchlistId === '') return read(ofAll, false);
    return read({ ...ofAll, watchlist_id: watchlistId }, false).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return read(ofAll, true);
      throw error;
    });
  });
}

/** The names of the watchlists by which changes can be filtered, by id. */
export async function watchlistNames(deps: Dependencies, visit: WorkspaceVisit): Promise<WatchlistNames> {
  const all = await callApi(deps, visit, (client) => readAll(client.listWatchlists({ limit: maxPage })));
  return Object.fromEntries(all.map(({ id, name }: components['schemas']['Watchlist']) => [id, name]));
}
