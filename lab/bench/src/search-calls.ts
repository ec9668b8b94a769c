import { createDeadline } from '@shopscope/async';
import { createGrpcClient } from '@shopscope/grpc';
import { CountStoresRequest, FindStoresRequest, SearchServiceService } from '@shopscope/proto';
import { encodeQuery } from '@shopscope/store-search';
import { queryOf } from './random-store-queries.ts';

/** Calls of search through gRPC, of one workspace. */
export type SearchCalls = ReturnType<typeof createSearchCalls>;

export interface PageOptions {
  limit?: number;
  editionId?: string;
  after?: string;
  sort?: string;
  /** Instead of the workspace of the calls. */
  workspaceId?: string;
  lists?: readonly StoreList[];
}

export interface CountOptions {
  facets?: readonly string[];
  facetSize?: number;
  editionId?: string;
  lists?: readonly StoreList[];
}

interface StoreList {
  listId: string;
  domains: string[];
}

const timeoutMs = 10_000;

export function createSearchCalls(address: string, workspace: string) {
  const client = createGrpcClient({ definition: SearchServiceService, address });
  const call = () => ({
    origin: { requestId: 'req_bench', traceparent: '', environment: 'live' as const },
    deadline: createDeadline(timeoutMs),
  });
  const contextOf = (lists: readonly StoreList[] = []) => ({ windowFrom: 0, lists: [...lists] });
  return {
    page(
      where: object,
      { limit = 50, editionId = '', after = '', sort, lists, workspaceId = workspace }: PageOptions = {},
    ) {
      const query = encodeQuery({ ...queryOf(where), ...(sort !== undefined && { sort: sort as 'domain' }) });
      const request = { query, limit, editionId, after, context: contextOf(lists), workspaceId };
      return client.findStores(FindStoresRequest.fromPartial(request as never), call());
    },

    count(where: object, { facets = [], facetSize = 10, editionId = '', lists }: CountOptions = {}) {
      const request = {
        query: encodeQuery(queryOf(where)),
        facets,
        facetSize,
        editionId,
        context: contextOf(lists),
        workspaceId: workspace,
      };
      return client.countStores(CountStoresRequest.fromPartial(request as never), call());
    },

    close: () => client.close(),
  };
}

/** Resolves to the result of the call and its time. */
export async function timed<Result>(call: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startMs = performance.now();
  const result = await call();
  return { ms: performance.now() - startMs, result };
}
