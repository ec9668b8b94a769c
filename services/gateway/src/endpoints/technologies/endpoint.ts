import { free } from '../../contract/operation.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import type { CallerRequest } from '../../keys/caller.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import {
  technologyDetails,
  technologyDetailsExample,
  technologyExample,
  technologyPage,
  technologyParams,
  technologyQuery,
} from './contract.ts';
import { figuresOf } from './describe-technology.ts';
import { pageOfTechnologies, readTechnology } from './technologies.ts';

const shared = { method: 'GET', tag: 'Technologies', access: 'key', scope: 'read:stores', billing: free } as const;

const countCallerOf = ({ caller, origin, deadline }: CallerRequest) => ({
  workspaceId: caller.workspaceId,
  origin,
  deadline,
});

export const listTechnologies = defineEndpoint({
  ...shared,
  id: 'listTechnologies',
  path: '/v1/technologies',
  summary: 'The technology vocabulary',
  query: technologyQuery,
  success: {
    status: 200,
    description: 'A page of entries.',
    schema: technologyPage,
    example: { data: [technologyExample], next_cursor: 'a2xhdml5bw.uQ3k5WQ2J0o8Zb1rT7xNfA' },
    headers: ['Cache-Control'],
  },
  async handle({ query, ...request }, deps) {
    const { data, next_cursor } = await pageOfTechnologies(deps, query, countCallerOf(request));
    return jsonReply(200, { data, next_cursor });
  },
});

export const getTechnology = defineEndpoint({
  ...shared,
  id: 'getTechnology',
  path: '/v1/technologies/{slug}',
  summary: 'One technology, and the stores that use it',
  description:
    'An earlier slug of a product finds it, too. The entry has the current slug. The figures are of active stores; they are null while they are ' +
    'not known.',
  params: technologyParams,
  success: {
    status: 200,
    description: 'The entry, with figures.',
    schema: technologyDetails,
    example: technologyDetailsExample,
    headers: ['Cache-Control'],
  },
  errors: ['not_found_technology'],
  async handle({ params, ...request }, deps) {
    const caller = countCallerOf(request);
    const entry = await readTechnology(deps, params.slug, caller);
    return jsonReply(200, { ...entry, ...(await figuresOf(deps, entry, caller)) });
  },
});
