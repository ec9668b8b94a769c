import { z } from 'zod';
import type { Billing } from '../../contract/operation.ts';
import { domain, idWith } from '../../contract/schemas.ts';
import { emptyReply, jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { canonicalDomain } from '../canonical-domain.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import {
  exampleStores,
  groupPageQuery,
  memberStorePage,
  storesAdd,
  storesAdded,
  storesRemove,
  storesRemoved,
} from './contract.ts';
import { addStores, pageOfStores, removeStore, removeStores } from './group-stores.ts';
import type { StoreGroupKind } from './store-group.ts';

const headers = ['Cache-Control'] as const;

interface StoresContract {
  kind: StoreGroupKind;
  tag: string;
  billing: Billing;
  idPrefix: string;
  /** The quota of the plan as callers know it. */
  quota: string;
}

/** The four operations on the stores of a list or watchlist. */
export function storesEndpoints({ kind, tag, billing, idPrefix, quota }: StoresContract) {
  const { noun } = kind;
  const idName = `${noun}_id`;
  const id = idWith(idPrefix);
  const params = z.object({ [idName]: id } as Record<string, typeof id>);
  const storeParams = z.object({ ...params.shape, domain: domain() } as Record<string, typeof id>);
  const groupOf = (sent: z.output<typeof params>) => ({ kind, id: sent[idName] ?? '' });
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const shared = { tag, billing, access: 'key', errors: [`not_found_${noun}`] } as const;
  const reads = { ...shared, scope: 'read:watchlists' } as const;
  const writes = { ...shared, scope: 'write:watchlists' } as const;
  const path = `/v1/${noun}s/{${idName}}/stores`;
  const results = { status: 200, description: 'What happened with each input.', headers } as const;

  const add = defineEndpoint({
    ...writes,
    id: `add${title}Stores`,
    method: 'POST',
    path,
    summary: `Add stores to a ${noun}`,
    description:
      `Adds at most 2,000 stores. The request is done as a whole: beyond the quota ${quota} of the plan, which counts the stores of all ` +
      `${noun}s together, it answers 400 and adds none. A domain that occurs twice is added once, and the last external_id counts.`,
    params,
    body: storesAdd,
    idempotent: true,
    success: { ...results, schema: storesAdded, example: exampleStores.added, requestExample: exampleStores.request },
    handle: (request, deps) =>
      runIdempotently(deps, request, { ...request.params, body: request.json }, async () =>
        unchargedReply(200, await addStores(deps, request, groupOf(request.params), request.body)),
      ),
  });

  const list = defineEndpoint({
    ...reads,
    id: `list${title}Stores`,
    method: 'GET',
    path,
    summary: `Stores of a ${noun}, by domain`,
    params,
    query: groupPageQuery,
    success: {
      status: 200,
      description: 'A page of stores.',
      schema: memberStorePage,
      example: exampleStores.page,
      headers,
    },
    handle: async (request, deps) =>
      jsonReply(200, await pageOfStores(deps, request, groupOf(request.params), request.query)),
  });

  const remove = defineEndpoint({
    ...writes,
    id: `remove${title}Stores`,
    method: 'POST',
    path: `${path}/remove`,
    summary: `Remove stores from a ${noun}`,
    params,
    body: storesRemove,
    idempotent: true,
    success: {
      ...results,
      schema: storesRemoved,
      example: exampleStores.removed,
      requestExample: exampleStores.removeRequest,
    },
    handle: (request, deps) =>
      runIdempotently(deps, request, { ...request.params, body: request.json }, async () =>
        unchargedReply(200, await removeStores(deps, request, groupOf(request.params), request.body.domains)),
      ),
  });

  const removeOne = defineEndpoint({
    ...writes,
    id: `remove${title}Store`,
    method: 'DELETE',
    path: `${path}/{domain}`,
    summary: `Remove one store from a ${noun}`,
    description: `A store that the ${noun} does not have answers 404.`,
    params: storeParams,
    success: { status: 204, description: 'Removed.', headers },
    async handle(request, deps) {
      await removeStore(deps, request, groupOf(request.params), canonicalDomain(request.params.domain ?? ''));
      return emptyReply();
    },
  });

  return [add, list, remove, removeOne] as const;
}
