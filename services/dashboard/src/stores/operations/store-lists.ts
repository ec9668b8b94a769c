/**
 * Lists of domains that a person looks up. The browser asks for one batch after the other. Closing the page therefore pauses the list.
 *
 * - A batch is one enrich call. Its Idempotency-Key is made of the list and the number of the batch. A batch that runs again after a
 *   failure is billed once.
 * - One request at a time runs a batch of a list. A concurrent request gets `busy`.
 * - A call fails -> the list stays as it was before the batch, and can be resumed.
 */

import { hash } from 'node:crypto';
import { AppError, invalidField } from '@shopscope/errors';
import { ListError } from '@shopscope/lists';
import { csvOf } from '@shopscope/text';
import { parseTitle, requireFormToken } from '../../app/domain/text.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { readPlan } from '../../usage/operations.ts';
import { maxListBytes, maxListLines, readDomainList } from '../domain/domain-list.ts';
import { csvRow, type ListRow, listColumns, listRow } from '../domain/list-row.ts';
import type { StoreList } from '../outbound/store-lists.ts';
import { enrich } from './enrich.ts';

/** A domain of a list. An entry without a row was not looked up yet. */
export interface ListEntry {
  /** Counted from 0. */
  index: number;
  domain: string;
  row: ListRow | undefined;
}

/** `busy`: another request runs a batch. `ended`: no batch is left. */
export type ListStep = 'ran' | 'busy' | 'ended';

const maxLists = 50;
const entriesPerPage = 100;
/** The number of entries that an export holds in memory. */
const entriesPerPart = 200;
/** The maximum number of domains per call in any plan. */
const maxBatchSize = 100;
/** Longer than the calls of one batch take. */
const leaseMs = 30_000;
const idPattern = /^[\w-]{22}$/;

const find = async (deps: Dependencies, { membership }: WorkspaceVisit, id: string): Promise<StoreList> => {
  const found = idPattern.test(id) ? await deps.lists.find(membership.workspaceId, id, deps.clock.now()) : undefined;
  if (!found) throw new AppError('not_found', 'There is no such list in this workspace. Lists are kept for 30 days.');
  return found;
};

const entriesOf = async (deps: Dependencies, list: StoreList, first: number, count: number): Promise<ListEntry[]> => {
  const { id, batchSize, finished } = list;
  const firstBatch = Math.floor(first / batchSize);
  const found = await deps.lists.batches(id, firstBatch, Math.ceil((first + count) / batchSize) - firstBatch);
  const entries = found.flatMap(({ number, domains, rows }) =>
    domains.map((domain, index) => ({
      index: number * batchSize + index,
      domain,
      // The rows of a batch are stored before the batch is counted as finished.
      row: number < finished ? rows?.[index] : undefined,
    })),
  );
  return entries.filter(({ index }) => index >= first && index < first + count);
};

async function* csvParts(deps: Dependencies, list: StoreList): AsyncGenerator<string> {
  yield csvOf([listColumns]);
  for (let first = 0; first < list.total; first += entriesPerPart) {
    const count = Math.min(entriesPerPart, list.total - first);
    const entries = await entriesOf(deps, list, first, count);
    if (entries.length < count) throw new AppError('not_found', 'The list was deleted during the export.');
    yield csvOf(entries.map(({ domain, row }) => csvRow(domain, row)));
  }
}

/**
 * Looks up the domains of a batch in one call. If the plan now allows fewer domains per call than when the list was created, several calls
 * are sent, each with its own Idempotency-Key.
 */
const enrichBatch = async (
  deps: Dependencies,
  visit: WorkspaceVisit,
  idempotencyKey: string,
  domains: readonly string[],
) => {
  const { enrichBatchMax } = await readPlan(deps, visit);
  const size = Math.max(1, enrichBatchMax);
  if (domains.length <= size) return enrich(deps, visit, { domains, refresh: false, idempotencyKey });
  const whole: Awaited<ReturnType<typeof enrich>> = { billed: { lookup_cached: 0, lookup_live: 0 }, results: [] };
  for (let first = 0; first < domains.length; first += size) {
    const part = domains.slice(first, first + size);
    const key = `${idempotencyKey}-${first}-${part.length}`;
    const { billed, results } = await enrich(deps, visit, { domains: part, refresh: false, idempotencyKey: key });
    whole.billed.lookup_cached += billed.lookup_cached;
    whole.billed.lookup_live += billed.lookup_live;
    whole.results.push(...results);
  }
  return whole;
};

/** Creates a list from the bytes of a file or from a pasted text. Nothing is billed. A repeated token does not create a second list. */
export async function create(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { name, bytes, token }: { name: string; bytes: Uint8Array; token: string },
): Promise<StoreList> {
  const { workspaceId } = visit.membership;
  requireFormToken(token);
  if (bytes.length > maxListBytes) throw invalidField('domains', 'A list can have at most 1 MiB.');
  const read = await readDomainList(bytes).catch((error: unknown) => {
    throw error instanceof ListError ? invalidField('domains', error.message) : error;
  });
  const most = maxListLines.toLocaleString('en');
  if (read.tooLongAtLine !== undefined) {
    const line = read.tooLongAtLine.toLocaleString('en');
    throw invalidField('domains', `A list can have at most ${most} lines with text. Split it before line ${line}.`);
  }
  if (read.domains.length === 0) throw invalidField('domains', 'Enter at least one domain, one per line.');
  const { enrichBatchMax } = await readPlan(deps, visit);
  const batchSize = Math.max(1, Math.min(maxBatchSize, enrichBatchMax));
  // A form that was changed after a failure makes another list, because batches of the first attempt may be stored already.
  const identity = JSON.stringify(['list', workspaceId, token, batchSize, read.domains]);
  const id = hash('sha256', identity, 'base64url').slice(0, 22);
  const nowMs = deps.clock.now();
  const earlier = await deps.lists.find(workspaceId, id, nowMs);
  if (earlier) return earlier;
  // Checked before the batches are stored. Concurrent creations are counted when the list is stored.
  if ((await deps.lists.count(workspaceId, nowMs)) >= maxLists) throw tooManyLists();
  const list: StoreList = {
    id,
    name: parseTitle('name', name === '' ? 'Pasted list' : name),
    createdAtMs: nowMs,
    createdBy: visit.person.userId,
    state: 'open',
    total: read.domains.length,
    batchSize,
    batches: Math.ceil(read.domains.length / batchSize),
    finished: 0,
    bad: read.bad,
    duplicates: read.duplicates,
    encoding: read.encoding ?? null,
    billed: { lookup_cached: 0, lookup_live: 0 },
    counts: { matched: 0, stale: 0, no_match: 0, error: 0, unreadable: 0 },
  };
  if (!(await deps.lists.create(workspaceId, list, read.domains, maxLists))) throw tooManyLists();
  return list;
}

export const list = (deps: Dependencies, { membership }: WorkspaceVisit): Promise<StoreList[]> =>
  deps.lists.list(membership.workspaceId, maxLists, deps.clock.now());

/**
 * A page of the stored list. Pages are counted from 1; any other number becomes the nearest page. The entries have rows exactly for the
 * finished batches of `list`.
 */
export async function page(deps: Dependencies, visit: WorkspaceVisit, id: string, asked: number) {
  const list = await find(deps, visit, id);
  const last = Math.ceil(list.total / entriesPerPage);
  const page = Number.isInteger(asked) ? Math.min(last, Math.max(1, asked)) : 1;
  return { list, page, entries: await entriesOf(deps, list, (page - 1) * entriesPerPage, entriesPerPage) };
}

/** Runs the next batch. `after`: runs it only if this many batches are finished, so that a repeated form runs nothing. */
export async function runNext(
  deps: Dependencies,
  visit: WorkspaceVisit,
  id: string,
  after?: number,
): Promise<ListStep> {
  const { workspaceId } = visit.membership;
  const { state } = await find(deps, visit, id);
  if (state !== 'open') return 'ended';
  const nowMs = deps.clock.now();
  const leaseUntil = new Date(nowMs + leaseMs);
  const list = await deps.lists.lease(workspaceId, id, new Date(nowMs), leaseUntil);
  if (!list) return 'busy';
  if (after !== undefined && after !== list.finished) {
    await deps.lists.release(id, leaseUntil);
    return 'busy';
  }
  try {
    const [batch] = await deps.lists.batches(id, list.finished, 1);
    if (!batch) throw new AppError('internal', 'The list lacks a batch.');
    const { billed, results } = await enrichBatch(deps, visit, `dashboard-list-${id}-${batch.number}`, batch.domains);
    const rows = batch.domains.map((domain, index) => {
      const { match = 'error' as const, store } = results[index] ?? {};
      return listRow(domain, match, store);
    });
    await deps.lists.finishBatch(list, rows, billed);
    return 'ran';
  } catch (error) {
    await deps.lists.release(id, leaseUntil);
    throw error;
  }
}

/** Cancels the list. A running batch is finished and billed, and no other batch begins. */
export async function cancel(deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<void> {
  await find(deps, visit, id);
  await deps.lists.cancel(visit.membership.workspaceId, id);
}

export async function deleteList(deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<void> {
  await find(deps, visit, id);
  await deps.lists.delete(visit.membership.workspaceId, id);
}

/**
 * All domains with their results as comma-separated values. Each part is read when the previous one was taken. The list is deleted
 * meanwhile -> the parts end with an error, so that a shorter file does not look complete.
 */
export async function exportCsv(deps: Dependencies, visit: WorkspaceVisit, id: string): Promise<AsyncIterable<string>> {
  return csvParts(deps, await find(deps, visit, id));
}

const tooManyLists = () => new AppError('conflict', `A workspace keeps at most ${maxLists} lists. Delete one first.`);
