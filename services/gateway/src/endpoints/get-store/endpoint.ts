import { jsonType } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { storeParams, storeResponse } from './contract.ts';
import { storeExample } from './examples.ts';
import { answerStore, lookUpStore } from './look-up-store.ts';

export const getStore = defineEndpoint({
  id: 'getStore',
  method: 'GET',
  path: '/v1/stores/{domain}',
  tag: 'Stores',
  summary: 'Profile of one store',
  description:
    'A 404 means unknown, which does not mean that the site is not a store. To request a scan, use POST /v1/stores/enrich ' +
    'with refresh true. A domain whose first scan is queued, is running or has failed answers 404.',
  access: 'key',
  scope: 'read:stores',
  billing: { units: ['lookup_cached'], when: 'One lookup_cached on 200; 304 and 404 are free' },
  params: storeParams,
  lookedUp: ({ params }) => [params.domain as string],
  success: {
    status: 200,
    description: 'The store. Identical until its next completed observation.',
    schema: storeResponse,
    example: { match: 'matched', store: storeExample },
    headers: ['ETag', 'Cache-Control', 'Vary'],
    conditional: true,
  },
  errors: ['not_found', 'payment_required'],
  begin: (request, deps) => lookUpStore(deps, request.params.domain, request),
  async handle(request, deps, begun) {
    const { etag, ...found } = await answerStore(deps, request, await begun);
    const headers = { ETag: etag, 'Cache-Control': 'private, max-age=60', Vary: 'Authorization' };
    if (!found.body) return { status: 304, headers, body: undefined };
    return {
      status: 200,
      headers: { 'Content-Type': jsonType, ...headers },
      body: found.body,
      usageRemaining: found.remaining,
    };
  },
});
