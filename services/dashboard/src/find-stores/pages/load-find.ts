import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import { loadStoresAccess } from '../../keys/pages.ts';
import { loadAllowance } from '../../usage/pages.ts';
import { rowsRequestOf } from '../domain/rows-request.ts';
import { asksForChanges, clausesShown, filterOf } from '../domain/store-filter.ts';

/** Reads what the page shows of the query in its URL. A query without changes is counted, which is free. */
export async function loadFind(context: PageContext, search: URLSearchParams) {
  const { findStores, publicApiUrl } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const filter = filterOf(search);
  const needsAgreement = asksForChanges(filter);
  const access = await loadStoresAccess(context);
  const [count, allowance] = await Promise.all([
    needsAgreement || access.isOff ? undefined : loadPart(context, findStores.count(visit, filter)),
    loadAllowance(context),
  ]);
  return {
    ...access,
    filter,
    clauses: clausesShown(filter, search.get('clauses')),
    needsAgreement,
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
