import type { Environment } from '@shopscope/environment';
import type { StoreUpdate } from '../domain/signal-events.ts';
import type { Watcher } from '../outbound/mongo/watchers.ts';
import type { Published } from './append-events.ts';
import { appendSignals, stepTimeoutMs } from './append-signals.ts';
import type { FanOutDependencies } from './event-dependencies.ts';

export interface DirectSizes {
  /** A store with more watchers is queued and fanned out page by page, so that other stores do not wait for it. */
  maxDirectWatchers: number;
  /** The watchers that are in memory at the same time. It is greater than `maxDirectWatchers`. */
  pageSize: number;
}
export const directSizes: DirectSizes = { maxDirectWatchers: 100, pageSize: 1_000 };

/**
 * Appends the events of updates to the workspaces that watch the stores (decision 72). Resolves to true if fan-outs were queued.
 *
 * - A store with many watchers, or with earlier updates in the queue -> its updates are queued, so that their order holds.
 * - It resolves -> every event is durable, or its update is durable in the queue.
 * - It rejects, or the process ends -> the same call again appends and queues what is missing.
 */
export async function fanOutUpdates<E extends Environment>(
  deps: FanOutDependencies<E>,
  updates: readonly Published<StoreUpdate>[],
  sizes = directSizes,
): Promise<boolean> {
  const byDomain = Map.groupBy(updates, ({ event }) => event.domain);
  const queued = await deps.fanOuts.pending([...byDomain.keys()], stepTimeoutMs);
  let domains = [...byDomain.keys()].filter((domain) => !queued.has(domain)).sort();
  while (domains.length > 0) {
    const page = await readPage(deps, domains, sizes);
    for (const domain of page.large) queued.add(domain);
    const own = updates.filter(({ event }) => page.complete.has(event.domain));
    await appendSignals(deps, own, [...page.complete.values()].flat());
    domains = page.rest;
  }
  for (const { event: update, origin } of updates) {
    if (queued.has(update.domain)) await deps.fanOuts.add(update, origin, new Date(deps.clock.now()), stepTimeoutMs);
  }
  return queued.size > 0;
}

/** Reads watchers from the first of the sorted domains on. `rest`: the domains of which it has not read all watchers. */
async function readPage<E extends Environment>(
  { watchers }: FanOutDependencies<E>,
  domains: readonly string[],
  { maxDirectWatchers, pageSize }: DirectSizes,
) {
  const found = await watchers.ofDomains(domains, pageSize, stepTimeoutMs);
  const byDomain = Map.groupBy(found, ({ domain }) => domain);
  const large = [...byDomain].flatMap(([domain, { length }]) => (length > maxDirectWatchers ? [domain] : []));
  const complete = new Map<string, Watcher[]>(byDomain);
  for (const domain of large) complete.delete(domain);
  const last = found.at(-1)?.domain;
  if (found.length < pageSize || last === undefined) return { complete, large, rest: [] };
  // A domain without watchers has no rows, so the domains up to the last row are complete, except for the last one itself.
  complete.delete(last);
  return {
    complete,
    large,
    rest: domains.filter((domain) => domain > last || (domain === last && !large.includes(last))),
  };
}
