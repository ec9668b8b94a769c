import { type HandlerContext, type Handlers, testTenantOf } from '@shopscope/grpc';
import type { SearchServiceService } from '@shopscope/proto';
import { decodeQuery } from '@shopscope/store-search';
import { countStores } from '../../operations/count-stores.ts';
import type { Dependencies, SearchDependencies } from '../../operations/dependencies.ts';
import { findStores } from '../../operations/find-stores.ts';
import { decodeAfter, decodeContext } from './decode.ts';
import { encodeEdition, encodeFacet, encodePage } from './encode.ts';

/** Every RPC. Each decodes the request, calls one operation in the turn of its workspace, and encodes the result. */
export const searchHandlers = (deps: Dependencies): Handlers<typeof SearchServiceService> => ({
  findStores({ query, context, editionId, after, limit, workspaceId }, call) {
    const request = { query: decodeQuery(query), context: decodeContext(context), editionId, limit };
    return inTurn(deps, workspaceId, call, async (searched) =>
      encodePage(await findStores(searched, { ...request, after: decodeAfter(after) }, call)),
    );
  },

  countStores({ query, context, editionId, facets, facetSize, workspaceId }, call) {
    const request = { query: decodeQuery(query), context: decodeContext(context), editionId, facets, facetSize };
    return inTurn(deps, workspaceId, call, async (searched) => {
      const { edition, facets: counted, ...count } = await countStores(searched, request, call.deadline);
      return { edition: encodeEdition(edition), ...count, facets: counted.map(encodeFacet) };
    });
  },
});

/** Runs a search in the turn of its workspace. A call of the test environment sees only the test stores of its workspace. */
function inTurn<T>(
  deps: Dependencies,
  workspaceId: string | undefined,
  call: HandlerContext,
  search: (deps: SearchDependencies) => Promise<T>,
): Promise<T> {
  if (call.origin.environment !== 'test') return deps.turns.run(workspaceId ?? '', call.deadline, () => search(deps));
  const tenant = testTenantOf({ workspaceId: workspaceId ?? '' }, call).workspaceId;
  return deps.turns.run(`${tenant}/test`, call.deadline, () => search(deps.testTenantOf(tenant)));
}
