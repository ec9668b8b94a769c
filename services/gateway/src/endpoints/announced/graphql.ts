import { z } from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { named } from '../../contract/schemas.ts';

/** The read-only GraphQL endpoint. It has the same data, scopes, metering and limits as the other operations. */
const graphqlRequest = named(
  'GraphqlRequest',
  z.strictObject({
    query: z.string().min(1),
    operationName: z.string().nullable().optional(),
    variables: z.record(z.string(), z.unknown()).nullable().optional(),
  }),
);

const graphqlResponse = named(
  'GraphqlResponse',
  z.object({
    data: z.record(z.string(), z.unknown()).nullable().optional(),
    errors: z
      .array(
        z.object({
          message: z.string(),
          path: z.array(z.union([z.string(), z.int()])).optional(),
          extensions: z.object({ code: z.string() }),
        }),
      )
      .optional(),
  }),
);

export const announcedGraphqlOperations = [
  {
    id: 'graphql',
    method: 'POST',
    path: '/v1/graphql',
    tag: 'GraphQL',
    summary: 'Read-only GraphQL over stores, technologies, signals, account and usage',
    description: 'Depth at most 8. Failures of key, limit and allowance keep their HTTP status and envelope.',
    access: 'key',
    billing: { units: ['lookup_cached', 'history_query'], when: 'As the operations whose data it reads' },
    served: false,
    body: graphqlRequest,
    idempotent: true,
    success: {
      status: 200,
      description: 'Data, and errors of resolvers.',
      schema: graphqlResponse,
      example: { data: { store: { domain: 'shop.example', platform: { slug: 'shopify' } } } },
      requestExample: { query: '{ store(domain: "shop.example") { domain platform { slug } } }' },
    },
    errors: ['forbidden_scope', 'payment_required'],
  },
] as const satisfies readonly Operation[];
