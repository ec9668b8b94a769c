import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { domainOf } from './corpus.ts';
import { addStores, callApi, createGroup, storesPerCall } from './list-calls.ts';
import { createProgress } from './progress.ts';
import type { Bench } from './system.ts';

export interface ListGrowthRow {
  name: string;
  /** The time of each call. */
  ms: number[];
}

export interface ListGrowthResult {
  listStores: number;
  watchedStores: number;
  rows: ListGrowthRow[];
}

/** The largest list that one enrichment takes. */
const storesPerList = 250_000;
const pages = 200;
const removals = 5;
const pollMs = 250;
const maxDeletionMs = 600_000;

/**
 * Measures calls of one workspace with millions of stores in lists and hundreds of thousands in watchlists: the first calls, when it has few
 * stores, and the same calls when it has all of them.
 */
export async function measureListGrowth(bench: Bench): Promise<ListGrowthResult> {
  const { listStores, watchedStores } = bench.settings;
  const rows: ListGrowthRow[] = [];
  const groups: string[] = [];
  const added = { lists: [] as number[], watchlists: [] as number[] };
  const add = async (kind: 'lists' | 'watchlists', total: number) => {
    const progress = createProgress({ what: `stores in ${kind}`, total, say: bench.say });
    for (let first = 0; first < total; first += storesPerList) {
      const group = await createGroup(bench, kind, `bench ${first}`);
      groups.push(group);
      added[kind].push(...(await addStores(bench, group, first, Math.min(storesPerList, total - first))));
      progress.update(Math.min(first + storesPerList, total));
    }
    const share = Math.ceil(added[kind].length / 10);
    rows.push({ name: `add ${storesPerCall} to ${kind}, first tenth of the calls`, ms: added[kind].slice(0, share) });
    rows.push({ name: `add ${storesPerCall} to ${kind}, last tenth of the calls`, ms: added[kind].slice(-share) });
  };
  await add('lists', listStores);
  await add('watchlists', watchedStores);

  const [list, watchlist] = [groups[0] as string, groups.at(-1) as string];
  for (const group of [list, watchlist]) {
    const kind = group === list ? 'list' : 'watchlist';
    rows.push({ name: `page of 200 of a ${kind}`, ms: await readPages(bench, group) });
    rows.push({ name: `remove ${storesPerCall} from a ${kind}`, ms: await removeStores(bench, group) });
  }
  rows.push(...(await deleteGroups(bench, groups)));
  return { listStores, watchedStores, rows };
}

async function readPages(bench: Bench, group: string): Promise<number[]> {
  const times: number[] = [];
  let cursor = '';
  while (times.length < pages) {
    type Page = { next_cursor: string | null };
    const { body, ms } = await callApi<Page>(bench, 'GET', `${group}/stores?limit=200${cursor && `&cursor=${cursor}`}`);
    times.push(ms);
    if (body.next_cursor === null) break;
    cursor = encodeURIComponent(body.next_cursor);
  }
  return times;
}

async function removeStores(bench: Bench, group: string): Promise<number[]> {
  const { body } = await callApi<{ data: { domain: string }[] }>(bench, 'GET', `${group}/stores?limit=1`);
  const first = Number(/\d+/.exec(body.data[0]?.domain ?? '')?.[0] ?? 0);
  const times: number[] = [];
  for (let call = 0; call < removals; call++) {
    const domains = Array.from({ length: storesPerCall }, (_, n) => domainOf(first + call * storesPerCall + n));
    times.push((await callApi(bench, 'POST', `${group}/stores/remove`, { domains })).ms);
  }
  return times;
}

/** Deletes all lists and watchlists. The stores are deleted after the calls. */
async function deleteGroups(bench: Bench, groups: readonly string[]): Promise<ListGrowthRow[]> {
  const times: number[] = [];
  const startMs = performance.now();
  for (const group of groups) times.push((await callApi(bench, 'DELETE', group)).ms);
  const mongo = await new MongoClient(bench.system.mongoUrl).connect();
  try {
    const ids = groups.map((group) => group.split('/').at(-1) as string);
    const db = mongo.db('subscriptions');
    const hasStores = async () =>
      (await db.collection('list_stores').findOne({ listId: { $in: ids } })) !== null ||
      (await db.collection('watched_stores').findOne({ watchlistId: { $in: ids } })) !== null;
    while (await hasStores()) {
      if (performance.now() - startMs > maxDeletionMs) throw new Error('the stores of deleted lists are still there');
      await sleep(pollMs);
    }
  } finally {
    await mongo.close();
  }
  return [
    { name: 'delete a list or a watchlist', ms: times },
    { name: 'until all stores of deleted lists and watchlists are gone', ms: [performance.now() - startMs] },
  ];
}
