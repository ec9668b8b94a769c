/**
 * Copies of the stores of lists into watchlists. A copy takes the same steps as an import of a file.
 *
 * - A list is read by domain. Stores that are added to it meanwhile may be missing.
 * - A store that is sent again stays in the watchlist once, so a step that fails is repeated from its last counted call.
 */

import { maxStoresPerCall } from '@shopscope/client';
import { derivedId } from '../../app/domain/derived-id.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import type { ImportedStore } from '../../lists/domain.ts';
import { findCopy, importsOf, type ListCopy, maxPage, ownerOf, runStep } from '../../lists/operations.ts';
import { sendStores } from './send-stores.ts';

/** The id of a form and of its copy. A form that is sent again has the same one. `fromListId` is empty if the form copies no list. */
export const copyIdOf = (visit: WorkspaceVisit, form: string, fromListId: string): string =>
  derivedId(...Object.values(ownerOf(visit)), form, fromListId);

export const hasBegun = async (deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<boolean> =>
  (await importsOf(deps, visit).find(ownerOf(visit), id, deps.clock.now())) !== undefined;

/** Stores that a form has begun, and its copy. Nothing is added yet. Without a list, the copy is complete. */
export async function begin(
  deps: Dependencies,
  visit: WorkspaceVisit,
  id: string,
  { fromListId, ...copy }: Omit<ListCopy, 'rest' | 'fromListId'> & { fromListId: string | null },
) {
  const counts = { sent: 0, added: 0, present: 0 };
  const made = { id, name: '', listId: null, mapping: null, createdAtMs: deps.clock.now(), ...counts };
  const from = fromListId === null ? { fromListId: '', rest: null } : { fromListId, rest: '' };
  await importsOf(deps, visit).create(ownerOf(visit), { ...made, copy: { ...copy, ...from } });
}

/** How far a copy is. Throws `not_found` if it belongs to another person, or is no longer stored. */
export async function view(deps: Dependencies, visit: WorkspaceVisit, id: string) {
  const { copy, sent } = await findCopy(deps, visit, id);
  return { watchlistId: copy.watchlistId, total: copy.total, sent, isDone: copy.rest === null };
}

/** Carries out a step of a copy. Returns whether all stores are copied. */
export async function run(deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<boolean> {
  const { copy } = await findCopy(deps, visit, id);
  await runStep(deps, visit, id, {
    next: (progress) => readNext(deps, visit, copy.fromListId, progress.copy?.rest ?? null),
    add: (stores) => sendStores(deps, visit, copy.watchlistId, stores),
  });
  return (await view(deps, visit, id)).isDone;
}

async function readNext(deps: Dependencies, visit: WorkspaceVisit, listId: string, rest: string | null) {
  if (rest === null) return undefined;
  const stores: ImportedStore[] = [];
  let cursor: string | null = rest;
  while (cursor !== null && stores.length + maxPage <= maxStoresPerCall) {
    const query: { limit: number; cursor?: string } = { limit: maxPage, ...(cursor !== '' && { cursor }) };
    const page = await callApi(deps, visit, (client) => client.listListStores(listId, query));
    for (const { domain, external_id } of page.data) {
      stores.push({ domain, ...(external_id !== null && { external_id }) });
    }
    cursor = page.next_cursor;
  }
  return { stores, rest: cursor };
}
