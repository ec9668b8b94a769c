import type { KeyedSlots } from '@shopscope/async';
import type { HandlerContext, Handlers } from '@shopscope/grpc';
import type { StoreSlice, ZeroCopyProfilesService } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { Dependencies, ReadDependencies } from '../../operations/dependencies.ts';
import { getStoreFacts, listStoreFacts } from '../../operations/get-store-facts.ts';
import { deferredOf, getScanTimes, getStores } from '../../operations/get-stores.ts';
import {
  checkFilters,
  followSignals,
  getHistory,
  getSignals,
  listSignalPlaces,
  searchSignals,
} from '../../operations/query-signals.ts';
import type { TestDependencies } from '../../operations/test-stores/dependencies.ts';
import { inTurn } from './in-turn.ts';
import { encodePage, encodePlaces, encodeSignal, queryOf } from './signals.ts';
import { encodeFacts } from './store-facts.ts';

/** Live stores belong to no workspace. Every workspace has test stores of its own. */
export interface EveryEnvironment {
  live: Dependencies;
  test: TestDependencies;
}

type ReadRpc =
  | 'getStores'
  | 'getScanTimes'
  | 'getStoreFacts'
  | 'listStoreFacts'
  | 'getHistory'
  | 'searchSignals'
  | 'listSignalPlaces'
  | 'getSignals';

const noBody = { length: 0, etag: '', lastCompletedScanAtMs: 0 };

/**
 * Returns the handlers of the RPCs that read stores and signals. A call of the test environment reads the test stores of its workspace.
 * The workspaces take turns for `testSlots`. Every other call reads the live stores.
 */
export function readHandlers(
  { live, test }: EveryEnvironment,
  testSlots: Pick<KeyedSlots, 'take'>,
): Pick<Handlers<typeof ZeroCopyProfilesService>, ReadRpc> {
  const read = <T>(
    { workspaceId = '' }: { workspaceId?: string | undefined },
    { origin, deadline }: Pick<HandlerContext, 'origin' | 'deadline'>,
    work: (deps: ReadDependencies) => Promise<T>,
  ): Promise<T> => {
    if (origin.environment !== 'test') return work(live);
    const deps = test.readsOf(parseId('workspace_id', workspaceId, 'ws'));
    return inTurn(testSlots, workspaceId, deadline, () => work(deps));
  };

  return {
    async getStores(request, context) {
      const found = await read(request, context, (deps) => getStores(deps, request.domains, context.deadline));
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

    async getScanTimes(request, context) {
      const times = await read(request, context, (deps) => getScanTimes(deps, request.domains, context.deadline));
      return { lastCompletedScanAtMs: times.map((time) => time?.getTime() ?? 0) };
    },

    async getStoreFacts(request, context) {
      const { stores, domainsCovered } = await read(request, context, (deps) =>
        getStoreFacts(deps, request.domains, context.deadline),
      );
      return { stores: stores.map(encodeFacts), domainsCovered };
    },

    async listStoreFacts(request, context) {
      const { stores, ...page } = await read(request, context, (deps) =>
        listStoreFacts(deps, request, context.deadline),
      );
      return { stores: stores.map(encodeFacts), ...page };
    },

    async getHistory(request, context) {
      const query = { domain: request.domain, ...queryOf(request) };
      const found = await read(request, context, (deps) => getHistory(deps, query, context.deadline));
      if (!found) return { observation: undefined, signals: [], next: undefined };
      const { coverage_note, last_completed_scan_at, scope } = found.observation;
      const observation = {
        coverageNote: coverage_note ?? undefined,
        lastCompletedScanAtMs: Date.parse(last_completed_scan_at),
        scope,
      };
      return { observation, ...encodePage(found) };
    },

    async searchSignals(request, context) {
      if (request.onlyCheck) {
        checkFilters(live, queryOf(request));
        return { signals: [], next: undefined, hasMore: false };
      }
      const search = request.ascending ? followSignals : searchSignals;
      const { hasMore, ...page } = await read(request, context, (deps) =>
        search(deps, queryOf(request), context.deadline),
      );
      return { ...encodePage(page), hasMore };
    },

    async listSignalPlaces(request, context) {
      const query = { ...queryOf(request), isAscending: request.ascending };
      return encodePlaces(await read(request, context, (deps) => listSignalPlaces(deps, query, context.deadline)));
    },

    async getSignals(request, context) {
      const signals = await read(request, context, (deps) => getSignals(deps, request.ids, context.deadline));
      return { signals: signals.map(encodeSignal) };
    },
  };
}
