import { free } from '../../contract/operation.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { technology, technologyExample, technologyPage, technologyParams, technologyQuery } from './contract.ts';
import { pageOfTechnologies, readTechnology } from './technologies.ts';

const shared = { method: 'GET', tag: 'Technologies', access: 'key', scope: 'read:stores', billing: free } as const;

export const listTechnologies = defineEndpoint({
  ...shared,
  id: 'listTechnologies',
  path: '/v1/technologies',
  summary: 'The technology vocabulary',
  query: technologyQuery,
  success: {
    status: 200,
    description: 'A page of entries by slug.',
    schema: technologyPage,
    example: { data: [technologyExample], next_cursor: 'a2xhdml5bw.uQ3k5WQ2J0o8Zb1rT7xNfA' },
    headers: ['Cache-Control'],
  },
  handle: async ({ query, origin, deadline }, deps) =>
    jsonReply(200, await pageOfTechnologies(deps, query, origin, deadline)),
});

export const getTechnology = defineEndpoint({
  ...shared,
  id: 'getTechnology',
  path: '/v1/technologies/{slug}',
  summary: 'One entry of the technology vocabulary',
  description: 'An earlier slug of a product finds it, too. The entry has the current slug.',
  params: technologyParams,
  success: {
    status: 200,
    description: 'The entry.',
    schema: technology,
    example: technologyExample,
    headers: ['Cache-Control'],
  },
  errors: ['not_found_technology'],
  handle: async ({ params, origin, deadline }, deps) =>
    jsonReply(200, await readTechnology(deps, params.slug, origin, deadline)),
});
