import { invalidField } from '@shopscope/errors';
import type { StoreList } from '@shopscope/proto';
import {
  appliedWhere,
  encodeQuery,
  type HistoryWindow,
  historyWindowOf,
  maxListedStores,
  type StoreQuery,
  timeOf,
} from '@shopscope/store-search';
import { canonicalJson } from '@shopscope/text';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { reachedDaysOf } from '../signals/reached-days.ts';

/** subscriptions returns this many domains at a time. */
const domainsPerCall = 5_000;

/** A search from its first page on. Each page has the same edition and the same window. */
export interface OpenedSearch {
  query: StoreQuery;
  window: HistoryWindow | undefined;
  /** Empty on the first page. */
  editionId: string;
  /** Where the page begins. Empty on the first page. */
  after: string;
  /** Returns the cursor of a page that begins at `after`. */
  cursorAt(editionId: string, after: string): string;
}

type Position = [editionId: string, firstAskedMs: number, after: string];

/** A cursor belongs to its query, workspace and environment. */
export function openSearch(
  { cursors, clock }: { cursors: Dependencies['cursors']; clock: Pick<Dependencies['clock'], 'now'> },
  { caller }: Pick<CallerRequest, 'caller'>,
  query: StoreQuery,
  cursor: string | undefined,
): OpenedSearch {
  const bound = ['stores', caller.keyEnvironment, caller.workspaceId, canonicalJson(query)];
  const position = cursor === undefined ? undefined : (JSON.parse(cursors.verify(bound, cursor)) as Position);
  const [editionId, firstAskedMs, after] = position ?? ['', clock.now(), ''];
  return {
    query,
    window: historyWindowOf(query, { nowMs: firstAskedMs, historyDays: reachedDaysOf(caller) }),
    editionId,
    after,
    cursorAt: (edition, next) => cursors.sign(bound, JSON.stringify([edition, firstAskedMs, next] satisfies Position)),
  };
}

/** Returns what a call of search needs. Throws `not_found` for a list that the workspace does not have. */
export async function searchCallOf(
  deps: Pick<Dependencies, 'subscriptions'>,
  request: CallerRequest,
  { query, window, editionId }: Pick<OpenedSearch, 'query' | 'window' | 'editionId'>,
) {
  const context = { windowFrom: window?.from ?? 0, lists: await readLists(deps, request, query) };
  return { query: encodeQuery(query), context, editionId, workspaceId: request.caller.workspaceId };
}

/** Reads the stores of each list that the query names, as they are now. */
async function readLists(
  { subscriptions }: Pick<Dependencies, 'subscriptions'>,
  request: CallerRequest,
  { where: { list } }: StoreQuery,
): Promise<StoreList[]> {
  const lists: StoreList[] = [];
  let left = maxListedStores;
  for (const listId of listIdsOf(list)) {
    const domains: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const afterDomain = domains.at(-1) ?? '';
      const asked = { workspaceId: request.caller.workspaceId, listId, limit: domainsPerCall, afterDomain };
      const page = await subscriptions.listListDomains(asked, request);
      domains.push(...page.domains);
      left -= page.domains.length;
      if (left < 0) throw tooManyListed();
      hasMore = page.hasMore;
    }
    lists.push({ listId, domains });
  }
  return lists;
}

const listIdsOf = (list: StoreQuery['where']['list']) => [...new Set([...(list?.any ?? []), ...(list?.none ?? [])])];

const tooManyListed = () =>
  invalidField('where.list', `must name lists with at most ${maxListedStores.toLocaleString('en-US')} stores together`);

/** Throws `not_found` for a list that the workspace does not have. */
export async function requireLists(
  { subscriptions }: Pick<Dependencies, 'subscriptions'>,
  request: CallerRequest,
  { where: { list } }: StoreQuery,
): Promise<void> {
  const { workspaceId } = request.caller;
  for (const listId of listIdsOf(list)) await subscriptions.getList({ workspaceId, listId }, request);
}

/** The members of an answer that repeat the query as applied. */
export function appliedMembers({ query, window }: Pick<OpenedSearch, 'query' | 'window'>) {
  return {
    where: appliedWhere(query),
    ...(window && { window: { from: timeOf(window.from), truncated_by_plan: window.isTruncatedByPlan } }),
  };
}
