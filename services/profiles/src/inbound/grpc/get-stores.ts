import type { Handlers } from '@shopscope/grpc';
import type { StoreSlice, ZeroCopyProfilesService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { deferredOf, getStores } from '../../operations/get-stores.ts';

export const getStoresHandler =
  (deps: Dependencies): Handlers<typeof ZeroCopyProfilesService>['getStores'] =>
  async ({ domains }, context) => {
    const found = await getStores(deps, domains, context.deadline);
    const deferred = deferredOf(found);
    let offset = 0;
    const stores = found.map((store, index): StoreSlice => {
      if (!store) return { offset, length: 0, etag: '', lastCompletedScanAtMs: 0 };
      if (deferred.has(index)) return { offset, length: 0, etag: '', lastCompletedScanAtMs: 0, deferred: true };
      const length = store.body.length;
      offset += length;
      return {
        offset: offset - length,
        length,
        etag: store.etag,
        lastCompletedScanAtMs: store.lastCompletedScanAt.getTime(),
      };
    });
    return { bodies: found.flatMap((store, index) => (store && !deferred.has(index) ? store.body : [])), stores };
  };
