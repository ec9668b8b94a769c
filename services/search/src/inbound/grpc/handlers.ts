import { invalidField } from '@shopscope/errors';
import type { HandlerContext, Handlers } from '@shopscope/grpc';
import type { SearchServiceService } from '@shopscope/proto';
import { decodeQuery } from '@shopscope/store-search';
import { countStores } from '../../operations/count-stores.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { findStores } from '../../operations/find-stores.ts';
import { decodeAfter, decodeContext } from './decode.ts';
import { encodeEdition, encodeFacet, encodePage } from './encode.ts';

/** Every RPC. Each decodes the request, calls one operation, and encodes the result. */
export const searchHandlers = (deps: Dependencies): Handlers<typeof SearchServiceService> => ({
  async findStores({ query, context, editionId, after, limit }, call) {
    requireLive(call);
    const request = { query: decodeQuery(query), context: decodeContext(context), editionId, limit };
    return encodePage(await findStores(deps, { ...request, after: decodeAfter(after) }, call));
  },

  async countStores({ query, context, editionId, facets, facetSize }, call) {
    requireLive(call);
    const request = { query: decodeQuery(query), context: decodeContext(context), editionId, facets, facetSize };
    const { edition, facets: counted, ...count } = await countStores(deps, request, call.deadline);
    return { edition: encodeEdition(edition), ...count, facets: counted.map(encodeFacet) };
  },
});

/** The index has live stores. A test key must not see them. */
function requireLive({ origin }: Pick<HandlerContext, 'origin'>): void {
  if (origin.environment === 'test') throw invalidField('environment', 'must be live');
}
