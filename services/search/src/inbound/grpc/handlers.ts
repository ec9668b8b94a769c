import { type HandlerContext, type Handlers, testTenantOf } from '@shopscope/grpc';
import type { SearchServiceService } from '@shopscope/proto';
import { decodeQuery } from '@shopscope/store-search';
import { countStores } from '../../operations/count-stores.ts';
import type { Dependencies, SearchDependencies } from '../../operations/dependencies.ts';
import { findStores } from '../../operations/find-stores.ts';
import { decodeAfter, decodeContext } from './decode.ts';
import { encodeEdition, encodeFacet, encodePage } from './encode.ts';

/** Every RPC. Each decodes the request, calls one operation, and encodes the result. */
export const searchHandlers = (deps: Dependencies): Handlers<typeof SearchServiceService> => ({
  async findStores({ query, context, editionId, after, limit, workspaceId }, call) {
    const request = { query: decodeQuery(query), context: decodeContext(context), editionId, limit };
    return encodePage(
      await findStores(searched(deps, workspaceId, call), { ...request, after: decodeAfter(after) }, call),
    );
  },

  async countStores({ query, context, editionId, facets, facetSize, workspaceId }, call) {
    const request = { query: decodeQuery(query), context: decodeContext(context), editionId, facets, facetSize };
    const {
      edition,
      facets: counted,
      ...count
    } = await countStores(searched(deps, workspaceId, call), request, call.deadline);
    return { edition: encodeEdition(edition), ...count, facets: counted.map(encodeFacet) };
  },
});

/** A call of the test environment sees only the test stores of its workspace. */
function searched(deps: Dependencies, workspaceId: string | undefined, call: HandlerContext): SearchDependencies {
  if (call.origin.environment !== 'test') return deps;
  return deps.testTenantOf(testTenantOf({ workspaceId: workspaceId ?? '' }, call).workspaceId);
}
