import { chargeOf } from '@shopscope/charging';
import { newId } from '@shopscope/ids';
import { storeQueryOf, whereOfFlat } from '@shopscope/store-search';
import { storeVocabulary } from '@shopscope/store-search/vocabulary';
import { emptyReply, jsonType, storableReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { storeCount, storeCountRequest, storeListQuery, storePage, storeSearchRequest } from './contract.ts';
import { countStores as count } from './count-stores.ts';
import { countExample, countRequestExample, pageExample, searchRequestExample } from './examples.ts';
import { findPage } from './find-stores.ts';
import { bodyNeeds, flatNeeds, requireMaxUnits } from './needs.ts';
import { openSearch, requireLists } from './search-request.ts';

const shared = { tag: 'Stores', access: 'key', scope: 'read:stores' } as const;
const rowsBilling = {
  units: ['lookup_cached', 'history_query'],
  when: 'One lookup_cached per row; with dropped or moved, one history_query per page with a row. Empty pages and 304 are free',
} as const;
const editions =
  'All pages of a cursor are of one edition, a frozen view of all stores: following next_cursor answers every store of it that matches once. ' +
  'A cursor of an edition that has ended answers 400; begin again. dropped and moved need read:signals too, and list needs ' +
  'read:watchlists too.';
const success = { status: 200, description: 'A page of stores.', schema: storePage, example: pageExample } as const;

export const listStores = defineEndpoint({
  ...shared,
  id: 'listStores',
  method: 'GET',
  path: '/v1/stores',
  summary: 'Which stores match, in the flat form',
  description: `The parameters are ANDed. POST /v1/stores/search has the whole language. ${editions}`,
  queryScopes: flatNeeds,
  billing: rowsBilling,
  query: storeListQuery,
  success: { ...success, headers: ['ETag', 'Cache-Control', 'Vary'], conditional: true },
  errors: ['not_found_list', 'payment_required'],
  async handle(request, deps) {
    const { sort, view, limit, cursor } = request.query;
    const query = storeQueryOf({ ...whereOfFlat(request.query), sort }, storeVocabulary);
    const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
    if (request.isHead) {
      openSearch(deps, request, query, cursor);
      await requireLists(deps, request, query);
      return { ...emptyReply(), status: 200 };
    }
    const charge = { ...chargeOf(request), chargeId: newId('chg'), fingerprint: undefined };
    const { etag, body, remaining } = await findPage(
      deps,
      charge,
      { query, view, limit, cursor },
      request.headers['if-none-match'],
    );
    const sent = { ...headers, ETag: etag };
    if (!body) return { status: 304, headers: sent, body };
    return { status: 200, headers: { ...sent, 'Content-Type': jsonType }, body, usageRemaining: remaining };
  },
});

export const searchStores = defineEndpoint({
  ...shared,
  id: 'searchStores',
  method: 'POST',
  path: '/v1/stores/search',
  summary: 'Which stores match',
  description: `${editions} max_units smaller than what a page of limit rows may bill answers 400. With a list, a full page must be left of the period, else 402.`,
  bodyScopes: bodyNeeds,
  billing: rowsBilling,
  body: storeSearchRequest,
  idempotent: true,
  success: { ...success, requestExample: searchRequestExample, headers: ['Cache-Control'] },
  errors: ['not_found_list', 'payment_required'],
  handle(request, deps) {
    const { where, sort, view, limit, cursor, max_units } = request.body;
    const query = storeQueryOf({ where, sort }, storeVocabulary);
    requireMaxUnits(query, limit, max_units);
    return runIdempotently(deps, request, request.json, async (charge) => {
      const found = await findPage(deps, charge, { query, view, limit, cursor: cursor ?? undefined });
      return { ...storableReply(200, found.body as Buffer, found.remaining), voidCharge: found.voidCharge };
    });
  },
});

export const countStores = defineEndpoint({
  ...shared,
  id: 'countStores',
  method: 'POST',
  path: '/v1/stores/count',
  summary: 'How many stores match, and how they divide',
  description:
    'The total is exact, and facets count within the whole where. A total below 5 is hidden with all that stands beside it, and smaller ' +
    'values of facets are in other. With a list, numbers are rounded to tens, and a total below 10, also 0, is hidden. The stores of ' +
    'list.none leave a number in whole tens. dropped and moved need read:signals too, and list needs read:watchlists too.',
  bodyScopes: bodyNeeds,
  billing: { units: ['history_query'], when: 'One history_query with dropped or moved; otherwise free' },
  body: storeCountRequest,
  idempotent: true,
  success: {
    status: 200,
    description: 'The count.',
    schema: storeCount,
    example: countExample,
    requestExample: countRequestExample,
    headers: ['Cache-Control'],
  },
  errors: ['not_found_list', 'payment_required'],
  handle(request, deps) {
    const { where, facets, facet_size: facetSize } = request.body;
    const query = storeQueryOf({ where, sort: 'domain' }, storeVocabulary);
    return runIdempotently(deps, request, request.json, async (charge) => {
      const { body, remaining, voidCharge } = await count(deps, charge, { query, facets, facetSize });
      return { ...storableReply(200, body, remaining), voidCharge };
    });
  },
});
