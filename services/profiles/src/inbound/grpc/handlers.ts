import type { KeyedSlots } from '@shopscope/async';
import type { Handlers } from '@shopscope/grpc';
import type { StoreSlice, ZeroCopyProfilesService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { exportObservations } from '../../operations/export-observations.ts';
import { deferredOf, getScanTimes, getStores } from '../../operations/get-stores.ts';
import { getTechnology } from '../../operations/get-technology.ts';
import { importObservations } from '../../operations/import-observations.ts';
import { listDomains } from '../../operations/list-domains.ts';
import { listTechnologies } from '../../operations/list-technologies.ts';
import {
  checkFilters,
  followSignals,
  getHistory,
  getSignals,
  listSignalPlaces,
  searchSignals,
} from '../../operations/query-signals.ts';
import { resolveValues } from '../../operations/resolve-values.ts';
import { encodePage, encodePlaces, encodeSignal, queryOf } from './signals.ts';

const noBody = { length: 0, etag: '', lastCompletedScanAtMs: 0 };

/**
 * Returns the handlers of all RPCs. Each decodes the request, calls one operation, and encodes the response. `slots` bound the
 * transactions of imports and of the consumer together.
 */
export const profilesHandlers = (
  deps: Dependencies,
  slots: Pick<KeyedSlots, 'run'>,
): Handlers<typeof ZeroCopyProfilesService> => ({
  async getStores({ domains }, { deadline }) {
    const found = await getStores(deps, domains, deadline);
    const deferred = deferredOf(found);
    let offset = 0;
    const stores = found.map((store, index): StoreSlice => {
      if (!store) return { offset, ...noBody };
      if (deferred.has(index)) return { offset, ...noBody, deferred: true };
      const { etag, body, lastCompletedScanAt } = store;
      const slice = { offset, length: body.length, etag, lastCompletedScanAtMs: lastCompletedScanAt.getTime() };
      offset += body.length;
      return slice;
    });
    return { bodies: found.flatMap((store, index) => (store && !deferred.has(index) ? store.body : [])), stores };
  },

  async getScanTimes({ domains }, { deadline }) {
    const times = await getScanTimes(deps, domains, deadline);
    return { lastCompletedScanAtMs: times.map((time) => time?.getTime() ?? 0) };
  },

  async getHistory({ domain, ...request }, { deadline }) {
    const found = await getHistory(deps, { domain, ...queryOf(request) }, deadline);
    if (!found) return { observation: undefined, signals: [], next: undefined };
    const { coverage_note, last_completed_scan_at, scope } = found.observation;
    const observation = {
      coverageNote: coverage_note ?? undefined,
      lastCompletedScanAtMs: Date.parse(last_completed_scan_at),
      scope,
    };
    return { observation, ...encodePage(found) };
  },

  async searchSignals(request, { deadline }) {
    if (request.onlyCheck) {
      checkFilters(deps, queryOf(request));
      return { signals: [], next: undefined, hasMore: false };
    }
    const read = request.ascending ? followSignals : searchSignals;
    const { hasMore, ...page } = await read(deps, queryOf(request), deadline);
    return { ...encodePage(page), hasMore };
  },

  async listSignalPlaces({ ascending: isAscending, ...request }, { deadline }) {
    return encodePlaces(await listSignalPlaces(deps, { ...queryOf(request), isAscending }, deadline));
  },

  async getSignals({ ids }, { deadline }) {
    return { signals: (await getSignals(deps, ids, deadline)).map(encodeSignal) };
  },

  async listTechnologies(request) {
    const { countedAt, ...page } = listTechnologies(deps, request);
    return { ...page, countedAtMs: countedAt?.getTime() ?? 0 };
  },

  async getTechnology({ slug }) {
    const { technology, usage } = getTechnology(deps, slug);
    if (!usage) return { technology, usage: undefined };
    const { countedAt, ...counts } = usage;
    return { technology, usage: { ...counts, countedAtMs: countedAt.getTime() } };
  },

  async resolveValues(values) {
    return resolveValues(deps, values);
  },

  async getCorpus() {
    const count = deps.corpusCount();
    return {
      stores: count?.stores ?? 0,
      profiles: count?.profiles ?? 0,
      technologies: deps.technologies.size,
      countedAtMs: count?.countedAt.getTime() ?? 0,
    };
  },

  async listDomainPages() {
    const count = deps.corpusCount();
    const pages = (count?.pages ?? []).map(({ after, through, domains, lastCompletedScanAt }) => ({
      afterDomain: after,
      throughDomain: through,
      domains,
      lastCompletedScanAtMs: lastCompletedScanAt?.getTime() ?? 0,
    }));
    return { pages, countedAtMs: count?.countedAt.getTime() ?? 0 };
  },

  async listDomains(request, { deadline }) {
    const { domains, hasMore } = await listDomains(deps, request, deadline.timeoutMs());
    const listed = domains.map(({ domain, lastCompletedScanAt }) => ({
      domain,
      lastCompletedScanAtMs: lastCompletedScanAt.getTime(),
    }));
    return { domains: listed, hasMore };
  },

  importObservations: ({ observations, environment }, { origin }) =>
    slots.run('merge', () => importObservations(deps, observations, environment, origin)),
  exportObservations: (request, { deadline }) => exportObservations(deps, request, deadline.timeoutMs()),
  resetTestStores: () => Promise.reject(new Error('not served yet')),
});
