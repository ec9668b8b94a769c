import { free } from '../../contract/operation.ts';
import { pageLimits } from '../../contract/schemas.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { technologyExample, technologyPage, technologyQuery } from './contract.ts';
import { pageOfTechnologies } from './list-technologies.ts';

export const listTechnologies = defineEndpoint({
  id: 'listTechnologies',
  method: 'GET',
  path: '/v1/technologies',
  tag: 'Technologies',
  summary: 'The technology vocabulary',
  access: 'key',
  scope: 'read:stores',
  billing: free,
  query: technologyQuery,
  success: {
    status: 200,
    description: 'A page of entries by slug.',
    schema: technologyPage,
    example: { data: [technologyExample], next_cursor: 'a2xhdml5bw.uQ3k5WQ2J0o8Zb1rT7xNfA' },
    headers: ['Cache-Control'],
  },
  async handle({ query, origin, deadline }, deps) {
    const { limit = pageLimits.default, ...filters } = query;
    return jsonReply(200, await pageOfTechnologies(deps, { ...filters, limit }, origin, deadline));
  },
});
