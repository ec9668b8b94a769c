import { free } from '../../contract/operation.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { contractVersion, health, hostDocument, openapiDocument, serviceIndex } from './contract.ts';
import { hostExample, indexExample } from './examples.ts';

const discovery = { method: 'GET', tag: 'Discovery', access: 'public', billing: free } as const;

export const getHost = defineEndpoint({
  ...discovery,
  id: 'getHost',
  path: '/',
  summary: 'What this host offers',
  success: {
    status: 200,
    description: 'Host document.',
    schema: hostDocument,
    example: hostExample,
    headers: ['Cache-Control', 'ETag'],
    conditional: true,
  },
  handle: ({ headers }, { documents }) => documents.host(headers),
});

export const getIndex = defineEndpoint({
  ...discovery,
  id: 'getIndex',
  path: '/v1',
  summary: 'The operations that this build serves',
  success: {
    status: 200,
    description: 'Service index.',
    schema: serviceIndex,
    example: indexExample,
    headers: ['Cache-Control', 'ETag', 'Vary', 'Content-Encoding'],
    conditional: true,
  },
  handle: ({ headers }, { documents }) => documents.index(headers),
});

/** Reports whether a dependency is unavailable, but not which one. */
export const getHealth = defineEndpoint({
  ...discovery,
  id: 'getHealth',
  path: '/v1/health',
  summary: 'Whether the service is well',
  success: {
    status: 200,
    description: 'The service answers; degraded when something it depends on does not.',
    schema: health,
    example: { status: 'ok', version: '1.0.0' },
    headers: ['Cache-Control'],
  },
  handle: (_request, { isDegraded }) =>
    jsonReply(200, { status: isDegraded() ? 'degraded' : 'ok', version: contractVersion }),
});

export const getOpenapi = defineEndpoint({
  ...discovery,
  id: 'getOpenapi',
  path: '/v1/openapi.json',
  summary: 'This contract',
  success: {
    status: 200,
    description: 'OpenAPI 3.1, the whole surface, served or not.',
    schema: openapiDocument,
    example: { openapi: '3.1.0', info: { title: 'Shopscope', version: '1.0.0' }, paths: {} },
    headers: ['Cache-Control', 'ETag', 'Vary', 'Content-Encoding'],
    conditional: true,
  },
  handle: ({ headers }, { documents }) => documents.openapi(headers),
});
