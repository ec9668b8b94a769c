import type { Db } from 'mongodb';
import { createRequestBatchStore, inOrder } from './request-batches.ts';
import { createEarlierRequestStore, type PageOptions, type RequestDocument } from './requests.ts';

export type RequestStore = ReturnType<typeof createRequestStore>;

/** The request log, with the requests that earlier versions stored. */
export function createRequestStore(db: Db) {
  const batches = createRequestBatchStore(db);
  const earlier = createEarlierRequestStore(db);

  const page = async (options: PageOptions, maxTimeMS: number): Promise<RequestDocument[]> => {
    const found = await Promise.all([batches.page(options, maxTimeMS), earlier.page(options, maxTimeMS)]);
    return inOrder(found.flat(), options.from?.direction === 'newer').slice(0, options.limit);
  };

  return {
    add: batches.add,
    page,

    /** The request of this id first, then the latest ones whose caller chose this X-Request-Id: at most `limit`. */
    async withId(
      { workspaceId, id, fromMs, limit }: { workspaceId: string; id: string; fromMs: number; limit: number },
      maxTimeMS: number,
    ): Promise<RequestDocument[]> {
      const own = { workspaceId, id, fromMs };
      const chosen = { workspaceId, filter: { requestId: id, fromMs }, from: undefined, limit };
      const [inBatch, before, others] = await Promise.all([
        batches.withOwnId(own, maxTimeMS),
        earlier.withOwnId(own, maxTimeMS),
        page(chosen, maxTimeMS),
      ]);
      return [inBatch ?? before ?? [], others].flat().slice(0, limit);
    },
  };
}
