import type { z } from 'zod';
import { pageLimits } from '../../contract/schemas.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import type { Route } from '../route.ts';
import type { technologyQuery } from './contract.ts';
import type { ListTechnologies } from './list-technologies.ts';

export function listTechnologies(list: ListTechnologies): Route {
  return async ({ input, origin, deadline }) => {
    const { limit = pageLimits.default, ...filters } = input.query as z.output<typeof technologyQuery>;
    return jsonReply(200, await list({ ...filters, limit }, { origin, deadline }));
  };
}
