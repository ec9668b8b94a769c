import { emptyReply, jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { groupPageQuery } from '../store-groups/contract.ts';
import { exampleList, list, listCreate, listPage, listParams, listUpdate, reads, writes } from './contract.ts';
import { change, create, pageOfLists, read, remove } from './lists.ts';

const ofOne = { path: '/v1/lists/{list_id}', params: listParams, errors: ['not_found_list'] } as const;
const headers = ['Cache-Control'] as const;
const success = { status: 200, description: 'The list.', schema: list, example: exampleList, headers } as const;

export const createList = defineEndpoint({
  ...writes,
  id: 'createList',
  method: 'POST',
  path: '/v1/lists',
  summary: 'Create a list of stores',
  description:
    'The plan bounds the lists of a workspace (lists). A request beyond the quota answers 400 and changes nothing.',
  body: listCreate,
  idempotent: true,
  success: {
    ...success,
    status: 201,
    example: { ...exampleList, store_count: 0 },
    requestExample: { name: 'Prospects' },
  },
  handle: (request, deps) =>
    runIdempotently(deps, request, request.json, async ({ chargeId }) =>
      unchargedReply(201, await create(deps, request, request.body.name, chargeId)),
    ),
});

export const listLists = defineEndpoint({
  ...reads,
  id: 'listLists',
  method: 'GET',
  path: '/v1/lists',
  summary: 'Every list of the workspace, newest first',
  query: groupPageQuery,
  success: {
    status: 200,
    description: 'A page of lists.',
    schema: listPage,
    example: { data: [exampleList], next_cursor: null },
    headers,
  },
  handle: async (request, deps) => jsonReply(200, await pageOfLists(deps, request, request.query)),
});

export const getList = defineEndpoint({
  ...reads,
  ...ofOne,
  id: 'getList',
  method: 'GET',
  summary: 'One list',
  success,
  handle: async (request, deps) => jsonReply(200, await read(deps, request, request.params.list_id)),
});

export const updateList = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'updateList',
  method: 'PATCH',
  summary: 'Change a list',
  description: 'Changes the members that the request has.',
  body: listUpdate,
  success: { ...success, requestExample: { name: 'Prospects 2026' } },
  handle: async (request, deps) => jsonReply(200, await change(deps, request, request.params.list_id, request.body)),
});

export const deleteList = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'deleteList',
  method: 'DELETE',
  summary: 'Delete a list',
  description:
    'The list and its stores are gone for every later request, and no longer count to the quotas. Its unfinished jobs are canceled; ' +
    'results stay for 30 days.',
  success: { status: 204, description: 'Deleted.', headers },
  async handle(request, deps) {
    await remove(deps, request, request.params.list_id);
    return emptyReply();
  },
});
