import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { callPeer, callPeerForCaller, type GrpcClient, orRefusal, orUnavailable } from '@shopscope/grpc';
import type { SearchServiceService, StoreRow } from '@shopscope/proto';
import { encodeQuery, type QueryContext, type StoreQuery } from '@shopscope/store-search';
import type { Origin } from '@shopscope/telemetry';

/** The edition that an export reads has ended. */
export class EditionEndedError extends Error {
  constructor() {
    super('The edition has ended');
    this.name = 'EditionEndedError';
  }
}

export interface SearchedStores {
  query: StoreQuery;
  context: QueryContext;
  workspaceId: string;
}

export interface SearchPage {
  rows: StoreRow[];
  /** Empty on the last page. */
  next: string;
}

export type StoreSearch = ReturnType<typeof createStoreSearch>;

/**
 * Counts and reads the stores of a search.
 *
 * - search or its engine is unavailable -> `unavailable`.
 * - Earlier searches of the workspace take too long -> `concurrency_limited` for a count. A page fails, and its step is repeated.
 * - The edition has ended -> {@link EditionEndedError}.
 */
export function createStoreSearch(client: Pick<GrpcClient<typeof SearchServiceService>, 'findStores' | 'countStores'>) {
  const encode = ({ query, context, workspaceId }: SearchedStores) => ({
    workspaceId,
    query: encodeQuery(query),
    context: {
      windowFrom: context.windowFrom ?? 0,
      lists: [...(context.lists ?? [])].map(([listId, domains]) => ({ listId, domains: [...domains] })),
    },
  });

  return {
    /** Counts in the latest edition. */
    async count(stores: SearchedStores, origin: Origin, deadline: Deadline) {
      const request = { ...encode(stores), editionId: '', facets: [], facetSize: 0 };
      const call = { origin, deadline };
      const run = callPeerForCaller((options) => orUnavailable(client.countStores(request, options)), call);
      const { edition, total, notJudged } = answered(await run);
      return { editionId: edition?.id ?? '', total, notJudged };
    },

    async page(
      stores: SearchedStores & { editionId: string; after: string; limit: number },
      origin: Origin,
      deadline: Deadline,
    ): Promise<SearchPage> {
      const { editionId, after, limit } = stores;
      const request = { ...encode(stores), editionId, after, limit };
      const found = await callPeer((options) => orUnavailable(orRefusal(client.findStores(request, options))), {
        origin,
        deadline,
      });
      if (found instanceof AppError && found.details.field === 'edition_id') throw new EditionEndedError();
      return answered(found);
    },
  };
}

function answered<Answer>(answer: Answer | AppError): Answer {
  if (answer instanceof AppError) throw answer;
  return answer;
}
