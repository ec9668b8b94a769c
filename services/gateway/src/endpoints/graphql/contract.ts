import { z } from 'zod';
import { count, named } from '../../contract/schemas.ts';

/** The units that a document can bill. */
export const graphqlUnits = ['lookup_cached', 'history_query'] as const;

/** More units than a document can bill. */
const maxUnitsCeiling = 1_000_000_000;

export const graphqlRequest = named(
  'GraphqlRequest',
  z.strictObject({
    query: z.string().min(1).describe('The document; at most 5,000 tokens, 50 aliases and a depth of 8'),
    operationName: z.string().nullable().optional().describe('The operation to execute, if the document has several'),
    variables: z
      // A record would check each name, and 20,000 of them take it twice as long.
      .looseObject({})
      .meta({ properties: undefined })
      .nullable()
      .optional()
      .describe('The values of the variables; 2,000 at most'),
    extensions: z
      .strictObject({
        maxUnits: z
          .strictObject({
            lookup_cached: count().max(maxUnitsCeiling).optional(),
            history_query: count().max(maxUnitsCeiling).optional(),
          })
          .optional()
          .describe('The most units that the document may bill. A document that could bill more answers 400'),
        dryRun: z.boolean().optional().describe('true answers extensions.cost only, and bills nothing'),
      })
      .nullable()
      .optional(),
  }),
);

const units = z.object({
  lookup_cached: count().describe('Profiles'),
  history_query: count().describe('Pages of history or signals'),
});

export const graphqlResponse = named(
  'GraphqlResponse',
  z.object({
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The members that the document asks for; absent with dryRun'),
    extensions: z.object({
      cost: z
        .object({
          requested: units.describe('The most that the document could bill'),
          billed: units.describe('What it has billed'),
          nodes: z
            .object({
              requested: count().describe('The stores and rows that the document asks for'),
              limit: count().describe('The most of them'),
            })
            .describe('The size of the document'),
        })
        .describe('The cost of the document'),
    }),
  }),
);

export const graphqlSchema = named('GraphqlSchema', z.string(), 'A schema in the GraphQL schema language.');
