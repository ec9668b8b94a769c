import { free } from '../../contract/operation.ts';
import { refuseFaultAmong } from '../../http/steps/refuse-fault-domain.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { answerDocument } from './answer-document.ts';
import { bounds } from './bounds.ts';
import { graphqlRequest, graphqlResponse, graphqlSchema } from './contract.ts';
import { planDocument } from './plan-document.ts';
import { sdl } from './schema.ts';

const headers = ['Cache-Control'] as const;
const billing = {
  units: ['lookup_cached', 'history_query'],
  when: 'One lookup_cached per matched or stale store, one history_query per page of history or signals with at least one row',
} as const;

export const graphql = defineEndpoint({
  id: 'graphql',
  method: 'POST',
  path: '/v1/graphql',
  tag: 'GraphQL',
  summary: 'Read several resources with one GraphQL document',
  description:
    'Reads what the GET operations and enrich read, with the same values, cursors and units. GET /v1/graphql/schema has the schema. Each ' +
    'field needs the scope of its REST operation; a field outside the scopes of the key fails the whole document. Everything is billed or ' +
    'nothing.\n\nBounds: 5,000 tokens, 50 aliases, fields nested 8 deep, 1,000 nodes (the domains and the `first` of the document), 16 ' +
    'MiB of response. Introspection is free and exempt from depth and nodes. Beyond a bound of the document, and ' +
    'for a document that does not parse or validate, the response is 400 with line and column; other errors are those of REST. There are ' +
    'no mutations and no subscriptions: webhooks and GET /v1/events deliver what changes.',
  access: 'key',
  billing,
  body: graphqlRequest,
  idempotent: true,
  success: {
    status: 200,
    description: 'The data, and what it cost.',
    schema: graphqlResponse,
    example: {
      data: { store: { match: 'matched', store: { domain: 'shop.example', platform: { slug: 'shopify' } } } },
      extensions: {
        cost: {
          requested: { lookup_cached: 1, history_query: 0 },
          billed: { lookup_cached: 1, history_query: 0 },
          nodes: { requested: 1, limit: bounds.nodes },
        },
      },
    },
    requestExample: {
      query: 'query ($domain: String!) { store(domain: $domain) { match store { domain platform { slug } } } }',
      variables: { domain: 'shop.example' },
    },
    headers,
  },
  errors: ['forbidden_scope', 'not_found_list', 'payment_required'],
  handle(request, deps) {
    // The scopes are checked before the Idempotency-Key, because they apply to replays, too.
    const plan = planDocument(request.body, request.caller);
    refuseFaultAmong(deps, { unit: 'lookup_cached', caller: request.caller }, plan.inputs);
    refuseFaultAmong(deps, { unit: 'history_query', caller: request.caller }, plan.histories);
    const isDryRun = request.body.extensions?.dryRun === true;
    return runIdempotently(deps, request, request.json, async (charge) =>
      answerDocument(deps, request, plan, charge, { isDryRun }),
    );
  },
});

export const getGraphqlSchema = defineEndpoint({
  id: 'getGraphqlSchema',
  method: 'GET',
  path: '/v1/graphql/schema',
  tag: 'GraphQL',
  summary: 'The GraphQL schema',
  description: 'The types of POST /v1/graphql in the GraphQL schema language, with their descriptions.',
  access: 'key',
  billing: free,
  success: {
    status: 200,
    description: 'The schema.',
    schema: graphqlSchema,
    mediaType: 'application/graphql',
    example: 'type Query {\n  store(domain: String!): EnrichResult!\n}\n',
    headers,
  },
  handle: () => ({
    status: 200,
    headers: { 'Content-Type': 'application/graphql; charset=utf-8', 'Cache-Control': 'private, max-age=300' },
    body: schemaBytes,
  }),
});

const schemaBytes = Buffer.from(sdl);
