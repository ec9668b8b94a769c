import type { z } from 'zod';
import { pageLimits } from '../../../contract/schemas.ts';
import type { technologyQuery } from '../../../contract/technologies.ts';
import type { ListTechnologies } from '../../../operations/list-technologies.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

export function listTechnologies(list: ListTechnologies): Route {
  return async ({ input, origin, deadline }) => {
    const { limit = pageLimits.default, ...filters } = input.query as z.output<typeof technologyQuery>;
    return jsonReply(200, await list({ ...filters, limit }, { origin, deadline }));
  };
}
