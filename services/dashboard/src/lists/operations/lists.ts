/** Lists of stores, which the service subscriptions owns. Everything here calls the API with the workspace's Dashboard key. */

import type { components } from '@shopscope/client';
import { invalidField } from '@shopscope/errors';
import { isolated } from '@shopscope/text';
import { isTypedName, requireFormToken } from '../../app/domain/text.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import type { ListName } from '../domain/list-name.ts';
import { maxPage } from './read-all.ts';

export type List = components['schemas']['List'];
export type ListedStore = components['schemas']['MemberStore'];

const listsPerPage = 50;
const storesPerPage = 50;

/** A page of the workspace's lists, the newest first. */
export async function page(deps: Dependencies, visit: WorkspaceVisit, cursor: string | undefined) {
  const query = { limit: listsPerPage, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.listLists(query));
  return { lists: data, next: next_cursor ?? undefined };
}

/** The newest lists of the workspace, for a choice. People who look at them within some seconds share one call. */
export const names = (deps: Dependencies, visit: WorkspaceVisit): Promise<ListName[]> =>
  deps.listNames.read(keeperOf(visit), async () => {
    const { data } = await callApi(deps, visit, (client) => client.listLists({ limit: maxPage }));
    return data.map(({ id, name, store_count }) => ({ id, name, store_count }));
  });

export const get = (deps: Dependencies, visit: WorkspaceVisit, listId: string): Promise<List> =>
  callApi(deps, visit, (client) => client.getList(listId));

/** A page of the stores of a list, by domain. */
export async function stores(deps: Dependencies, visit: WorkspaceVisit, listId: string, cursor: string | undefined) {
  const query = { limit: storesPerPage, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.listListStores(listId, query));
  return { stores: data, next: next_cursor ?? undefined };
}

/** Creates an empty list. A form that is sent again creates no second list. */
export function create(deps: Dependencies, visit: WorkspaceVisit, { name, token }: { name: string; token: string }) {
  requireFormToken(token);
  const options = { idempotencyKey: `dashboard-${token}` };
  return callApi(deps, visit, (client) => client.createList({ name }, options), { fields: ['name'] });
}

export const rename = (deps: Dependencies, visit: WorkspaceVisit, listId: string, name: string): Promise<List> =>
  callApi(deps, visit, (client) => client.updateList(listId, { name }), { fields: ['name'] });

/** Adds one store, or changes the external id of a store that is in the list. An empty id keeps the stored one. */
export async function addStore(
  deps: Dependencies,
  visit: WorkspaceVisit,
  listId: string,
  given: { domain: string; externalId: string },
): Promise<string> {
  const { domain, externalId } = given;
  const store = { domain, ...(externalId !== '' && { external_id: externalId }) };
  const { results } = await callApi(deps, visit, (client) => client.addListStores(listId, { stores: [store] }), {
    fields: ['domain', 'external_id'],
  });
  const [result] = results;
  if (!result || result.domain === null) throw invalidField('domain', 'This is not a domain. Example: shop.example');
  return result.domain;
}

/** Removes stores from a list. A store that is not in the list is left out. */
export async function removeStores(deps: Dependencies, visit: WorkspaceVisit, listId: string, domains: string[]) {
  if (domains.length === 0) throw invalidField('stores', 'Tick the stores that are removed.');
  await callApi(deps, visit, (client) => client.removeListStores(listId, { domains }));
}

/** `confirmation` must be the name of the list. */
export async function deleteList(deps: Dependencies, visit: WorkspaceVisit, listId: string, confirmation: string) {
  const { name } = await get(deps, visit, listId);
  if (!isTypedName(confirmation, name)) throw invalidField('name', `Enter the name of this list: ${isolated(name)}`);
  await callApi(deps, visit, (client) => client.deleteList(listId));
}
