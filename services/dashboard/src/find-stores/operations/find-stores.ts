/**
 * Searches for stores by people. They go through the API with the workspace's key `Dashboard`, so the plan limits and bills them.
 *
 * - A count without changes is free. All people of a workspace who ask the same within some seconds share one call. A person can ask for a
 *   bounded number of counts, so that typing does not use up the rate of the workspace.
 * - Rows and counts with changes are billed. Their Idempotency-Key is made of the form's token and the query: a form that is sent again
 *   gets the same answer and bills nothing.
 */

import { hash } from 'node:crypto';
import { AppError, invalidField } from '@shopscope/errors';
import { canonicalJson } from '@shopscope/text';
import { parseTitle, requireFormToken } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi, callWithKey } from '../../keys/operations.ts';
import { createList } from '../../lists/operations.ts';
import { type StoreCount, type StorePage, storeCount, storePage } from '../domain/answers.ts';
import { rowsRequestOf } from '../domain/rows-request.ts';
import { asksForChanges, fieldOf, type StoreFilter, whereOf } from '../domain/store-filter.ts';

const facets = ['country', 'platform', 'industry', 'technology'];
const facetSize = 8;

export interface RowsForm {
  token: string;
  /** Where the page begins; empty: at the first row. */
  cursor: string;
}

/** Counts the stores of a query. Throws `invalid_request` for a query with changes, whose count is billed. */
export async function count(deps: Dependencies, visit: WorkspaceVisit, filter: StoreFilter): Promise<StoreCount> {
  if (asksForChanges(filter)) throw invalidField('form', 'Counting changes bills a history query. Agree to it first.');
  const key = canonicalJson([keeperOf(visit), whereOf(filter)]);
  return deps.storeCounts.read(key, async () => {
    await deps.throttle.attempt([limits.storeCountOfPerson, visit.person.userId]);
    // The same query is counted again for each reading, because an edition follows another.
    return countWith(deps, visit, filter, `count-${crypto.randomUUID()}`);
  });
}

/** Counts the stores of a query with changes, and bills a history query. */
export function countChanges(deps: Dependencies, visit: WorkspaceVisit, filter: StoreFilter, token: string) {
  requireFormToken(token);
  return countWith(deps, visit, filter, keyOf(visit, ['count', token, filter]));
}

/** A page of the stores of a query. Each row bills a cached look-up, and a page with changes a history query. */
export function rows(
  deps: Dependencies,
  visit: WorkspaceVisit,
  filter: StoreFilter,
  { token, cursor }: RowsForm,
): Promise<StorePage> {
  requireFormToken(token);
  const { address, origin } = visit;
  const body = rowsRequestOf(filter, cursor);
  const idempotencyKey = keyOf(visit, ['rows', token, body]);
  const call = { path: '/v1/stores/search', body, idempotencyKey, address, origin };
  return withFields(
    filter,
    callWithKey(deps, visit, (secret) => deps.gateway.post({ ...call, secret }, storePage)),
  );
}

/** Saves rows as a new list, which is free. Returns its id. A form that is sent again makes no second list. */
export async function save(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { name, domains, token }: { name: string; domains: readonly string[]; token: string },
): Promise<string> {
  const title = parseTitle('name', name);
  const { id } = await createList(deps, visit, { name: title, token });
  // A store that is in the list stays in it once.
  const stores = domains.map((domain) => ({ domain }));
  await callApi(deps, visit, (client) => client.addListStores(id, { stores }));
  return id;
}

function countWith(deps: Dependencies, visit: WorkspaceVisit, filter: StoreFilter, idempotencyKey: string) {
  const { address, origin } = visit;
  const body = { where: whereOf(filter), facets, facet_size: facetSize };
  const call = { path: '/v1/stores/count', body, idempotencyKey, address, origin };
  return withFields(
    filter,
    callWithKey(deps, visit, (secret) => deps.gateway.post({ ...call, secret }, storeCount)),
  );
}

const keyOf = (visit: WorkspaceVisit, parts: unknown[]) =>
  `find-${hash('sha256', canonicalJson([keeperOf(visit), ...parts]), 'base64url')}`;

/** An error of the API about a member of the query becomes an error of the form's field. */
async function withFields<T>(filter: StoreFilter, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    const [, path = '', words = ''] = /^([\w.[\]]+): (.*)$/s.exec(error.publicMessage) ?? [];
    const field = fieldOf(filter, path);
    throw field === undefined ? error : invalidField(field, words);
  }
}
