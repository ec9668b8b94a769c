import { randomBytes } from 'node:crypto';
import { hourMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { documentOf } from '@shopscope/store-search';
import {
  beginFilling,
  deletable,
  endFilling,
  type Filling,
  needsFilling,
  takeFilling,
  withoutMissing,
} from '../domain/index-state.ts';
import { schema } from '../domain/schema.ts';
import type { Written } from '../outbound/opensearch/store-indexes.ts';
import type { FactsPage } from '../outbound/store-facts.ts';
import type { Dependencies } from './dependencies.ts';
import { changeState, readState } from './shared-state.ts';

const storesPerPage = 500;
const maxRefusedOfPage = 10;
/** A page takes about a second. An instance that is killed blocks the others for this time. */
const leaseMs = 30_000;
/** An index that no state names is from an instance that was killed while it began. */
const strayAfterMs = hourMs;

/**
 * Makes an index and begins to fill it. The instances of the service continue. An index that was not full yet is given up. Returns the name,
 * or undefined if none is needed.
 */
export async function beginFill(
  deps: Pick<Dependencies, 'clock' | 'logger' | 'indexes' | 'states'>,
  { onlyIfNeeded }: { onlyIfNeeded: boolean },
): Promise<string | undefined> {
  const nowMs = deps.clock.now();
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const name = deps.indexes.nameOf(`${day}-${randomBytes(4).toString('hex')}`);
  await deps.indexes.create(name);
  const begun = await changeState(deps, 'indexes', (state) => {
    // The write may have been repeated after a lost response.
    if (state.filling?.name === name) return state;
    if (onlyIfNeeded && !needsFilling(state, schema)) return undefined;
    return beginFilling(state, { name, schema }, nowMs);
  });
  if (begun) {
    deps.logger.info({ index: name }, 'an index of all stores begins to fill');
    return name;
  }
  await deps.indexes.delete(name);
  return undefined;
}

/**
 * Fills the index that is not full yet from profiles, by ascending domain, and then makes it the serving one. Does nothing if there is none,
 * or if another instance fills it.
 *
 * - Updates of stores go to the index meanwhile. The later sequence of a store wins.
 * - The position is stored after each page. A killed instance -> another one continues there when the lease has expired.
 * - profiles or the engine is not available -> rejects. The next call continues at the position.
 * - The index does not accept the document of a store -> the store is left out and reported. Otherwise no index would ever be full.
 * - It does not accept more than {@link maxRefusedOfPage} of a page -> rejects. The index is then wrong, and must not serve.
 */
export async function fillIndex(deps: Dependencies, abort: AbortSignal): Promise<void> {
  let filling = await takeTurn(deps);
  if (!filling) return;
  const { name } = filling;
  deps.metrics.filling(filling);
  let next = deps.facts.list(filling.afterDomain, storesPerPage);
  for (;;) {
    const page = await next;
    abort.throwIfAborted();
    const last = page.stores.at(-1)?.domain ?? filling.afterDomain;
    // The next page is read while this one is written.
    if (page.hasMore) {
      next = deps.facts.list(last, storesPerPage);
      next.catch(() => {});
    }
    const documents = page.stores.map((store) => documentOf(store, deps.vocabulary));
    const result = await deps.indexes.write(name, documents);
    reportRefused(deps, name, result);
    deps.metrics.written('fill', result);
    const advanced = await advance(deps, filling, page, last);
    if (!advanced) {
      // Another instance goes on, and its metrics have the progress.
      deps.metrics.filling(undefined);
      return;
    }
    filling = advanced;
    deps.metrics.filling(filling);
    if (!page.hasMore) break;
  }
  await deps.indexes.refresh(name);
  const ended = await changeState(deps, 'indexes', (state) => {
    if (state.serving?.name === name) return state;
    return state.filling?.name === name ? endFilling(state, deps.clock.now()) : undefined;
  });
  deps.metrics.filling(undefined);
  if (ended) deps.logger.info({ index: name, stores: filling.written }, 'a full index serves');
}

function reportRefused({ logger }: Pick<Dependencies, 'logger'>, index: string, { refused }: Written): void {
  for (const { id, reason } of refused.slice(0, maxRefusedOfPage))
    logger.error({ index, domain: id, reason }, 'the index does not accept a store, which is left out');
  if (refused.length > maxRefusedOfPage)
    throw new Error(`the index does not accept ${refused.length} stores of one page, so it is not filled`);
}

async function takeTurn(deps: Dependencies): Promise<Filling | undefined> {
  const turn = { holder: deps.instanceId, schema, leaseMs };
  // Without this look, every idle instance would write.
  const current = await readState(deps, 'indexes');
  if (!takeFilling(current, { ...turn, nowMs: deps.clock.now() })) return undefined;
  const taken = await changeState(deps, 'indexes', (state) => takeFilling(state, { ...turn, nowMs: deps.clock.now() }));
  return taken?.filling;
}

/** Stores the position and renews the lease. Resolves to undefined if another instance has taken the index over, or it was given up. */
async function advance(
  deps: Dependencies,
  { name, afterDomain, written }: Filling,
  { stores, corpusStores }: FactsPage,
  last: string,
): Promise<Filling | undefined> {
  const progress = { afterDomain: last, written: written + stores.length, total: corpusStores };
  const state = await changeState(deps, 'indexes', (before) => {
    const { filling } = before;
    if (filling?.name !== name || filling.lease?.holder !== deps.instanceId) return undefined;
    if (filling.afterDomain !== afterDomain && filling.afterDomain !== last) return undefined;
    const lease = { holder: deps.instanceId, untilMs: deps.clock.now() + leaseMs };
    return { ...before, filling: { ...filling, ...progress, lease } };
  });
  return state?.filling ?? undefined;
}

/** Deletes indexes that nothing needs any more: retired ones without editions, and strays. */
export async function deleteOldIndexes(deps: Dependencies): Promise<void> {
  const nowMs = deps.clock.now();
  const { editions } = await readState(deps, 'editions');
  const state = await readState(deps, 'indexes');
  const old = deletable(state, new Set(editions.map(({ index }) => index)), nowMs).map(({ name }) => name);
  for (const name of old) await deps.indexes.delete(name);
  if (old.length > 0) {
    await changeState(deps, 'indexes', (before) => {
      return { ...before, retired: before.retired.filter(({ name }) => !old.includes(name)) };
    });
  }
  const { serving, filling, retired } = state;
  const known = new Set([serving, filling, ...retired].map((index) => index?.name));
  for (const { name, createdAtMs } of await deps.indexes.list())
    if (!known.has(name) && nowMs - createdAtMs >= strayAfterMs) await deps.indexes.delete(name);
}

/** Forgets indexes that the engine has lost, and begins to fill one if this version of the service has none. */
export async function ensureIndex(deps: Dependencies): Promise<void> {
  const known = await readState(deps, 'indexes');
  const existing = new Set((await deps.indexes.list()).map(({ name }) => name));
  if (withoutMissing(known, existing)) {
    deps.logger.error('the engine has lost an index of stores');
    // An index that was named meanwhile may not be in the list.
    await changeState(deps, 'indexes', (state) =>
      state.serving?.name === known.serving?.name && state.filling?.name === known.filling?.name
        ? withoutMissing(state, existing)
        : undefined,
    );
  }
  if (needsFilling(await readState(deps, 'indexes'), schema)) await beginFill(deps, { onlyIfNeeded: true });
}

/** Returns the index of new editions. Throws `unavailable` until an index of this version is full. */
export async function servingIndex(deps: Pick<Dependencies, 'states'>): Promise<string> {
  const { serving } = await readState(deps, 'indexes');
  if (serving?.schema === schema) return serving.name;
  throw new AppError('unavailable', 'Searches are not available yet; retry shortly.', {
    internal: 'no index of this version is full',
  });
}
