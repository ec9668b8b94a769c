/**
 * Rows of stores for people. They go through the API with the workspace's key `Dashboard`, so the plan limits and bills them. Their
 * Idempotency-Key is made of the form's token and the query: a form that is sent again gets the same answer and bills nothing.
 */

import type { StoreExportRequest, StoreSearchRequest } from '@shopscope/client';
import { invalidField } from '@shopscope/errors';
import { parseTitle, requireFormToken } from '../../app/domain/text.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { createList } from '../../lists/operations.ts';
import type { StorePage } from '../domain/answers.ts';
import { type ExportFile, exportFiles, exportRequestOf, maxExportRows } from '../domain/export-request.ts';
import { rowsPerPage, rowsRequestOf } from '../domain/rows-request.ts';
import type { StoreFilter } from '../domain/store-filter.ts';
import { idempotencyKeyOf, withFields } from './requests.ts';

interface SentForm {
  token: string;
}

export interface RowsForm extends SentForm {
  /** The most rows of the page. */
  limit: number;
  /** Where the page begins; empty: at the first row. */
  cursor: string;
}

/** A page of the stores of a query. Each row bills a cached look-up, and a page with changes a history query. */
export function rows(
  deps: Dependencies,
  visit: WorkspaceVisit,
  filter: StoreFilter,
  { token, limit, cursor }: RowsForm,
): Promise<StorePage> {
  requireFormToken(token);
  requireWithin(limit, rowsPerPage);
  const request = rowsRequestOf(filter, { limit, cursor }) as StoreSearchRequest;
  const options = { idempotencyKey: idempotencyKeyOf(visit, ['rows', token, request]) };
  return withFields(filter, () => callApi(deps, visit, (client) => client.searchStores(request, options)));
}

export interface ExportForm extends SentForm {
  file: string;
  /** The most rows, for which the page has shown the price. */
  rows: number;
}

/** Starts an export of all stores of a query, and returns the id of its job. It bills at most the price that was shown. */
export async function startExport(
  deps: Dependencies,
  visit: WorkspaceVisit,
  filter: StoreFilter,
  { token, file, rows: most }: ExportForm,
): Promise<string> {
  requireFormToken(token);
  requireWithin(most, maxExportRows);
  if (!Object.hasOwn(exportFiles, file)) throw invalidField('file', 'Choose a file.');
  const request = exportRequestOf(filter, { file: file as ExportFile, rows: most }) as StoreExportRequest;
  const options = { idempotencyKey: idempotencyKeyOf(visit, ['export', token, request]) };
  const job = await withFields(filter, () => callApi(deps, visit, (client) => client.exportStores(request, options)));
  return job.id;
}

function requireWithin(count: number, max: number): void {
  const isWithin = Number.isInteger(count) && count >= 1 && count <= max;
  if (!isWithin) throw invalidField('form', 'The form is incomplete. Reload the page.');
}

/** Saves rows as a new list, which is free. Returns its id. A form that is sent again makes no second list. */
export async function save(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { name, domains, token }: SentForm & { name: string; domains: readonly string[] },
): Promise<string> {
  const title = parseTitle('name', name);
  const { id } = await createList(deps, visit, { name: title, token });
  // A store that is in the list stays in it once.
  const stores = domains.map((domain) => ({ domain }));
  await callApi(deps, visit, (client) => client.addListStores(id, { stores }));
  return id;
}
