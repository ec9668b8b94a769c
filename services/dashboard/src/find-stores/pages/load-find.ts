import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import { loadStoresAccess } from '../../keys/pages.ts';
import { loadAllowance } from '../../usage/pages.ts';
import { rowsRequestOf } from '../domain/rows-request.ts';
import { clausesShown, filterOf, reasonToAsk } from '../domain/store-filter.ts';

/** Reads what the page shows of the query in its URL. Most queries are counted, which is free. */
export async function loadFind(context: PageContext, search: URLSearchParams) {
  const { storeCounts, lists, publicApiUrl } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const filter = filterOf(search);
  const reason = reasonToAsk(filter);
  const access = await loadStoresAccess(context);
  const [count, names, allowance] = await Promise.all([
    reason || access.isOff ? undefined : loadPart(context, storeCounts.count(visit, filter)),
    access.isOff ? undefined : loadPart(context, lists.names(visit)),
    loadAllowance(context),
  ]);
  return {
    ...access,
    filter,
    clauses: clausesShown(filter, search.get('clauses')),
    lists: names?.value,
    reason,
    count: count?.value,
    problem: count?.problem,
    allowance,
    request: rowsRequestOf(filter),
    apiUrl: publicApiUrl,
    isTest: visit.origin.environment === 'test',
    // A form that is sent again has the same token, so it bills nothing again.
    token: crypto.randomUUID(),
  };
}

/** The address with the filled fields of a form; undefined if it is the same. */
export function withoutEmpty(url: URL): string | undefined {
  const filled = new URLSearchParams([...url.searchParams].filter(([, value]) => value.trim() !== ''));
  return filled.size === url.searchParams.size ? undefined : `?${filled}`;
}
