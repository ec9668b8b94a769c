/** Watchlists, which the service subscriptions owns. Everything here calls the API with the workspace's Dashboard key. */

import type { Client, components } from '@shopscope/client';
import { AppError, invalidField } from '@shopscope/errors';
import { isolated } from '@shopscope/text';
import { derivedId } from '../../app/domain/derived-id.ts';
import { isTypedName, parseTitle, requireFormToken } from '../../app/domain/text.ts';
import { requireAdmin, requireStillAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { maxPage, readAll, readStoreQuota, requireQuota } from '../../lists/operations.ts';
import { recordAudit } from '../../people/operations.ts';
import { readPastedStores, readSlugs } from '../domain/pasted-stores.ts';
import * as copies from './list-copies.ts';
import { sendStores } from './send-stores.ts';

export type Watchlist = components['schemas']['Watchlist'];
export type WatchedStore = components['schemas']['MemberStore'];
type Changes = components['schemas']['WatchlistUpdate'];

/** The members of the form of a watchlist. */
export interface WatchlistForm {
  name: string;
  signalTypes: string[];
  technologies: string;
}

export interface NewWatchlistForm extends WatchlistForm {
  domains: string;
  /** The list whose stores are copied. If it is empty, no list is copied. */
  listId: string;
  token: string;
}

/** The members that the forms have as fields. */
const fields = ['name', 'technologies', 'rescan_interval_days'];
const watchlistsPerPage = 50;
const storesPerPage = 100;

/** A page of the workspace's watchlists, the newest first. */
export async function page(deps: Dependencies, visit: WorkspaceVisit, cursor: string | undefined) {
  const query = { limit: watchlistsPerPage, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.listWatchlists(query));
  return { watchlists: data, next: next_cursor ?? undefined };
}

/** All watchlists and lists by name, for forms that offer them. */
export function choices(deps: Dependencies, visit: WorkspaceVisit) {
  return callApi(deps, visit, async (client) => {
    const [watchlists, lists] = await Promise.all([
      readAll(client.listWatchlists({ limit: maxPage })),
      readAll(client.listLists({ limit: maxPage })),
    ]);
    return { watchlists: watchlists.toSorted(byName), lists: lists.toSorted(byName) };
  });
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, 'en');

export const get = (deps: Dependencies, visit: WorkspaceVisit, watchlistId: string): Promise<Watchlist> =>
  callApi(deps, visit, (client) => client.getWatchlist(watchlistId));

/** A page of the stores of a watchlist, by domain. */
export async function stores(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  cursor: string | undefined,
) {
  const query = { limit: storesPerPage, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = await callApi(deps, visit, (client) => client.listWatchlistStores(watchlistId, query));
  return { stores: data, next: next_cursor ?? undefined };
}

/** What the form of a new watchlist has led to. */
export interface NewWatchlist {
  id: string;
  /** The stores that could not be added because others were added meanwhile. */
  missing: number;
  /** The lines without a domain or with an id that the API does not take. */
  unread: number;
  /** The copy of a list that is not complete; undefined if there is none. */
  copyId: string | undefined;
}

/**
 * Creates a watchlist with the stores of a text and of a list, without rescans. A form that is sent again creates no second watchlist.
 *
 * 1. Compare the number of the stores with the quota, unless the form was sent before and has begun. A refusal creates nothing.
 * 2. Create the watchlist. A repeated call gets the same one.
 * 3. Store that the form has begun, and with it the copy of the list.
 * 4. Add the stores of the text, and the first stores of the list. A repeated call adds each store once.
 */
export async function create(deps: Dependencies, visit: WorkspaceVisit, form: NewWatchlistForm): Promise<NewWatchlist> {
  requireFormToken(form.token);
  const members = membersOf(form);
  const { stores: pasted, unread } = await readPastedStores(form.domains);
  const { listId, token } = form;
  const list = listId === '' ? undefined : await callApi(deps, visit, (client) => client.getList(listId));
  const total = list?.store_count ?? 0;
  // A form that was changed after a refusal is another request.
  const idempotencyKey = `dashboard-${derivedId(token, members)}`;
  const formId = copies.copyIdOf(visit, idempotencyKey, listId);
  const copyId = list && formId;
  // Step 1: the quota.
  if (pasted.length + total > 0 && !(await copies.hasBegun(deps, visit, formId))) {
    const quota = await readStoreQuota(deps, visit, 'watchedStores');
    requireQuota(quota, pasted.length + total, list ? 'list_id' : 'domains');
  }
  // Step 2: the watchlist.
  const make = (client: Client) => client.createWatchlist(members, { idempotencyKey });
  const { id } = await callApi(deps, visit, make, { fields });
  // Step 3: the begun form.
  if (list || pasted.length > 0) {
    await copies.begin(deps, visit, formId, { watchlistId: id, fromListId: list?.id ?? null, total });
  }
  // Step 4: the stores.
  const added = await sendStores(deps, visit, id, pasted, isQuotaRefusal);
  const isCopied = copyId === undefined || (await runCopy(deps, visit, copyId));
  return { id, missing: pasted.length - added, unread, copyId: isCopied ? undefined : copyId };
}

/** Whether the API refuses stores because of the quota. Others may have used it up meanwhile. */
const isQuotaRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'invalid_request' && error.publicMessage.startsWith('watched_stores:');

/** Carries out a step of a copy. A copy that the quota refuses is not complete: its page shows the refusal. */
const runCopy = (deps: Dependencies, visit: WorkspaceVisit, copyId: string): Promise<boolean> =>
  copies.run(deps, visit, copyId).catch((error: unknown) => {
    if (isQuotaRefusal(error)) return false;
    throw error;
  });

const membersOf = ({ name, signalTypes, technologies }: WatchlistForm) => {
  if (signalTypes.length === 0) throw invalidField('signal_types', 'Tick at least one kind of change.');
  return {
    name: parseTitle('name', name),
    signal_types: signalTypes as NonNullable<Changes['signal_types']>,
    technologies: readSlugs(technologies),
  };
};

/** Adds the stores of a text. Returns the number of stores, and of lines that were left out. */
export async function addStores(deps: Dependencies, visit: WorkspaceVisit, watchlistId: string, text: string) {
  const { stores: pasted, unread } = await readPastedStores(text);
  if (pasted.length === 0) throw invalidField('domains', 'Enter at least one domain, one per line.');
  return { added: await sendStores(deps, visit, watchlistId, pasted), unread };
}

/** Removes stores. A store that is not in the watchlist is left out. */
export async function removeStores(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  domains: string[],
): Promise<void> {
  if (domains.length === 0) throw invalidField('stores', 'Tick the stores that are removed.');
  await callApi(deps, visit, (client) => client.removeWatchlistStores(watchlistId, { domains }));
}

const update = (deps: Dependencies, visit: WorkspaceVisit, watchlistId: string, changes: Changes): Promise<Watchlist> =>
  callApi(deps, visit, (client) => client.updateWatchlist(watchlistId, changes), { fields });

export const change = (deps: Dependencies, visit: WorkspaceVisit, watchlistId: string, form: WatchlistForm) =>
  update(deps, visit, watchlistId, membersOf(form));

/** Resuming a watchlist with an interval starts its rescans again, which bill each month. Only an admin may do it. */
export async function setState(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  state: 'active' | 'paused',
): Promise<Watchlist> {
  if (state === 'active') {
    const { rescan_interval_days: interval } = await get(deps, visit, watchlistId);
    if (interval !== null) await requireStillAdmin(deps.team, visit);
  }
  return update(deps, visit, watchlistId, { state });
}

/**
 * Switches the rescans on or changes them. They bill the Dashboard key every month without a further request, so only an admin may do it.
 * If the budget is empty, no budget bounds the rescans. The key that sets the interval pays, so an unchanged interval is sent only if the
 * rescans pause until it is set again: after the end of that key, or after a larger plan.
 * The audit log says who has set them.
 */
export async function setRescans(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  form: { days: string; budget: string },
): Promise<Watchlist> {
  await requireStillAdmin(deps.team, visit);
  const days = parseCount('rescan_interval_days', form.days, 1);
  const budget = form.budget === '' ? null : parseCount('budget', form.budget, 0);
  const { rescan_interval_days: current, rescans_paused: paused } = await get(deps, visit, watchlistId);
  const isSent = days !== current || paused === 'key_revoked' || paused === 'allowance_exhausted';
  const interval = isSent ? { rescan_interval_days: days } : {};
  const detail = `every ${days} days, ${budget === null ? 'without a budget' : `at most ${budget} units a month`}`;
  await recordAudit(deps, visit, { action: 'watchlist.rescans_set', subjectId: watchlistId, detail });
  return update(deps, visit, watchlistId, { ...interval, budget: { refresh_requested: budget } });
}

export async function endRescans(deps: Dependencies, visit: WorkspaceVisit, watchlistId: string): Promise<Watchlist> {
  requireAdmin(visit.membership);
  await recordAudit(deps, visit, { action: 'watchlist.rescans_ended', subjectId: watchlistId, detail: '' });
  return update(deps, visit, watchlistId, { rescan_interval_days: null });
}

function parseCount(field: string, text: string, min: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min) return value;
  throw invalidField(field, `Enter a whole number from ${min}.`);
}

/** `confirmation` must be the name of the watchlist. */
export async function deleteWatchlist(
  deps: Dependencies,
  visit: WorkspaceVisit,
  watchlistId: string,
  confirmation: string,
): Promise<void> {
  const { name } = await get(deps, visit, watchlistId);
  if (!isTypedName(confirmation, name)) {
    throw invalidField('name', `Enter the name of this watchlist: ${isolated(name)}`);
  }
  await callApi(deps, visit, (client) => client.deleteWatchlist(watchlistId));
}
