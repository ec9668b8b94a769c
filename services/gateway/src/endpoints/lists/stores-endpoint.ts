import { emptyReply, jsonReply, storableReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import { canonicalDomain } from '../canonical-domain.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import {
  exampleStores,
  groupPageQuery,
  listParams,
  listStoreParams,
  memberStorePage,
  reads,
  storesAdd,
  storesAdded,
  storesRemove,
  storesRemoved,
  writes,
} from './contract.ts';
import { addStores, pageOfStores, removeStore, removeStores } from './list-stores.ts';

const path = '/v1/lists/{list_id}/stores';
const errors = ['not_found_list'] as const;
const headers = ['Cache-Control'] as const;

export const addListStores = defineEndpoint({
  ...writes,
  id: 'addListStores',
  method: 'POST',
  path,
  summary: 'Add stores to a list',
  description:
    'Adds at most 2,000 stores. The request is done as a whole: beyond the quota list_stores of the plan, which counts the stores of all ' +
    'lists together, it answers 400 and adds none. A domain that occurs twice is added once, and the last external_id counts.',
  params: listParams,
  body: storesAdd,
  idempotent: true,
  success: {
    status: 200,
    description: 'What happened with each input.',
    schema: storesAdded,
    example: exampleStores.added,
    requestExample: exampleStores.request,
    headers,
  },
  errors,
  handle(request, deps) {
    const { list_id } = request.params;
    return runIdempotently(deps, request, { list_id, body: request.json }, async () => ({
      ...storableReply(200, await addStores(deps, request, list_id, request.body)),
      voidCharge: undefined,
    }));
  },
});

export const listListStores = defineEndpoint({
  ...reads,
  id: 'listListStores',
  method: 'GET',
  path,
  summary: 'Stores of a list, by domain',
  params: listParams,
  query: groupPageQuery,
  success: {
    status: 200,
    description: 'A page of stores.',
    schema: memberStorePage,
    example: exampleStores.page,
    headers,
  },
  errors,
  handle: async (request, deps) =>
    jsonReply(200, await pageOfStores(deps, request, request.params.list_id, request.query)),
});

export const removeListStores = defineEndpoint({
  ...writes,
  id: 'removeListStores',
  method: 'POST',
  path: `${path}/remove`,
  summary: 'Remove stores from a list',
  params: listParams,
  body: storesRemove,
  idempotent: true,
  success: {
    status: 200,
    description: 'What happened with each input.',
    schema: storesRemoved,
    example: exampleStores.removed,
    requestExample: exampleStores.removeRequest,
    headers,
  },
  errors,
  handle(request, deps) {
    const { list_id } = request.params;
    return runIdempotently(deps, request, { list_id, body: request.json }, async () => ({
      ...storableReply(200, await removeStores(deps, request, list_id, request.body.domains)),
      voidCharge: undefined,
    }));
  },
});

export const removeListStore = defineEndpoint({
  ...writes,
  id: 'removeListStore',
  method: 'DELETE',
  path: `${path}/{domain}`,
  summary: 'Remove one store from a list',
  description: 'A store that the list does not have answers 404.',
  params: listStoreParams,
  success: { status: 204, description: 'Removed.', headers },
  errors,
  async handle(request, deps) {
    const { list_id, domain } = request.params;
    await removeStore(deps, request, list_id, canonicalDomain(domain));
    return emptyReply();
  },
});
