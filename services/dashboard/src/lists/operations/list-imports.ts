/**
 * Imports of stores into lists: a person sends a file or a text, then confirms which columns are read.
 *
 * Every call of the API has an Idempotency-Key that is made of the import and its place. A form that is sent again, even concurrently,
 * creates one list and counts each store once.
 */

import { hash } from 'node:crypto';
import { batchFrom, type Client, maxStoresPerCall } from '@shopscope/client';
import { invalidField } from '@shopscope/errors';
import { derivedId } from '../../app/domain/derived-id.ts';
import { parseTitle, requireFormToken } from '../../app/domain/text.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { type ImportRow, type Mapping, parseMapping, readImportFile } from '../domain/import-file.ts';
import { planOf, type RowReading, readRow } from '../domain/import-plan.ts';
import type { FileImport, ImportProgress } from '../outbound/list-imports.ts';
import { findImport, findProgress, importsOf, ownerOf, runStep } from './import-steps.ts';
import { quotaFault, readStoreQuota, requireQuota } from './store-quota.ts';

export interface ImportForm {
  /** The name of a new list, or the list to which the stores are added. */
  target: { name: string } | { listId: string };
  bytes: Uint8Array;
  token: string;
}

const previewRows = 8;

const findFile = (deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<FileImport> =>
  findImport(id, () => importsOf(deps, visit).findFile(ownerOf(visit), id, deps.clock.now()));

/** Stores what a person sent. Nothing is added yet. Returns the id of the import. */
export async function begin(deps: Dependencies, visit: WorkspaceVisit, form: ImportForm): Promise<string> {
  const { target, bytes, token } = form;
  requireFormToken(token);
  const name = 'name' in target ? parseTitle('name', target.name === '' ? 'New list' : target.name) : '';
  await readImportFile(bytes);
  const counts = { sent: 0, added: 0, present: 0 };
  const listId = 'listId' in target ? target.listId : null;
  // A form that is sent again has the same import, and one with another file has another one.
  const content = hash('sha256', bytes);
  const id = derivedId(...Object.values(ownerOf(visit)), token, name, listId, content);
  const made = { id, name, listId, bytes, createdAtMs: deps.clock.now(), mapping: null, copy: null, ...counts };
  await importsOf(deps, visit).create(ownerOf(visit), made);
  return id;
}

/** The import as its page shows it. `asked`: the columns that the person looks at, while the import is not confirmed. */
export async function view(deps: Dependencies, visit: WorkspaceVisit, id: string, asked: Partial<Mapping>) {
  const { bytes, ...stored } = await findFile(deps, visit, id);
  const file = await readImportFile(bytes);
  const columns = { ...file.guess, ...asked };
  // The column of the ids was chosen for the domains.
  if (columns.externalId === columns.domain) columns.externalId = null;
  const mapping = stored.mapping ?? parseMapping(file, columns);
  const { stores, ...left } = planOf(file, mapping);
  // The page is shown without the API, too. The beginning of the import checks the quota again.
  const quota =
    stored.listId === null ? await readStoreQuota(deps, visit, 'listStores').catch(() => undefined) : undefined;
  const preview = file.rows.slice(0, previewRows).map((row): ImportRow & { read: RowReading } => {
    return { ...row, read: readRow(row, mapping) };
  });
  const { header, encoding } = file;
  const samples = Array.from({ length: file.columns }, (_, column) => file.rows[0]?.cells[column] ?? '');
  return {
    ...stored,
    isBegun: stored.mapping !== null,
    mapping,
    total: stores.length,
    /** Why the plan does not allow these stores in a new list. An import into an existing list may have stores that are in it already. */
    fault: quota && quotaFault(quota, stores.length),
    ...left,
    header,
    encoding,
    samples,
    preview,
  };
}

/**
 * Carries out a step of an import, and creates the list first if it is new.
 *
 * 1. If the list is new, compare the number of the stores with the quota. A refusal creates nothing.
 * 2. Store the mapping. Later calls use the same one.
 * 3. Create the list. -> A repeated call gets the same list.
 * 4. Add the next stores, and count each call once.
 */
export async function run(deps: Dependencies, visit: WorkspaceVisit, id: string, asked: Mapping): Promise<void> {
  const found = await findFile(deps, visit, id);
  const file = await readImportFile(found.bytes);
  const mapping = found.mapping ?? parseMapping(file, asked);
  const plan = planOf(file, mapping);
  const { length: count } = plan.stores;
  if (count === 0) {
    throw invalidField('domain_column', 'No line of this column has a domain. Choose another column.');
  }
  // Step 1: the quota. A concurrent call may create the list and add stores meanwhile, which then count as used.
  if (found.listId === null) {
    const quota = await readStoreQuota(deps, visit, 'listStores');
    if ((await findProgress(deps, visit, id)).listId === null) requireQuota(quota, count, 'domain_column');
  }
  // Step 2: the mapping. A concurrent call may have stored another one.
  await importsOf(deps, visit).begin(id, mapping);
  const begun = await findProgress(deps, visit, id);
  const { stores } = found.mapping ? plan : planOf(file, begun.mapping ?? mapping);
  // Step 3: the list.
  const key = `dashboard-import-${id}`;
  const listId = begun.listId ?? (await createList(deps, visit, begun, `${key}-list`));
  // Step 4: the stores.
  await runStep(deps, visit, id, {
    async next({ sent }) {
      const call = batchFrom(stores, sent, maxStoresPerCall);
      return call.length === 0 ? undefined : { stores: call };
    },
    async add(call, { sent }) {
      const options = { idempotencyKey: `${key}-${sent}` };
      const send = (client: Client) => client.addListStores(listId, { stores: call }, options);
      const { results } = await callApi(deps, visit, send);
      return results.filter(({ result }) => result === 'added').length;
    },
  });
}

async function createList(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { id, name }: ImportProgress,
  idempotencyKey: string,
) {
  const list = await callApi(deps, visit, (client) => client.createList({ name }, { idempotencyKey }));
  await importsOf(deps, visit).setList(id, list.id);
  return list.id;
}
