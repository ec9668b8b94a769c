import { buildSchema } from 'graphql';
import { componentSchemas } from '../../contract/openapi.ts';
import { argumentDefinitions } from './arguments.ts';
import { pageFields } from './page-fields.ts';
import { createTypeDefinitions, described, type JsonSchema, type TypeDefinitions } from './type-definitions.ts';

/**
 * The GraphQL schema. It is built from the contract of REST when the process starts, so it cannot differ from it. docs/schema.graphql is a
 * copy for readers. A test compares both with each other and with openapi.json.
 */

/** Members of a REST type that its GraphQL type does not have: GraphQL requests no scans. */
export const withoutMembers: Readonly<Record<string, readonly string[]>> = {
  EnrichResult: ['scan_requested', 'scan_job_id'],
};

const pageInfo = `type PageInfo {
  hasNextPage: Boolean!
  """Whether the page was asked for with a cursor"""
  hasPreviousPage: Boolean!
  startCursor: String
  """The next_cursor of the REST page, or on the last page the cursor of its last row"""
  endCursor: String
}`;

/** Defines the connection to rows of the component `node`. `more` are the definitions of its further members. */
function connection(types: TypeDefinitions, node: string, name: string, more = ''): string {
  types.component(node);
  types.add(`${name}Edge`, `type ${name}Edge {\n  """A cursor of REST, too"""\n  cursor: String!\n  node: ${node}!\n}`);
  types.add(`${name}Connection`, `type ${name}Connection {\n${more}  edges: [${name}Edge!]!\n  pageInfo: PageInfo!\n}`);
  return `${name}Connection`;
}

function buildSdl(): string {
  const types = createTypeDefinitions(componentSchemas() as Record<string, JsonSchema>);
  types.add('Query', '');
  types.add('PageInfo', pageInfo);
  types.component('EnrichResult', withoutMembers.EnrichResult);
  const historyMembers = (componentSchemas().History as JsonSchema).properties ?? {};
  const { data: _, next_cursor: __, ...ofHistory } = historyMembers;
  const history = connection(types, 'HistorySignal', 'History', types.fieldsOf('History', ofHistory));
  const signals = connection(types, 'StoreSignal', 'Signal');
  const technologies = connection(types, 'Technology', 'Technology');
  const jobs = connection(types, 'Job', 'Job');
  const argumentsOf = (name: keyof typeof pageFields) => argumentDefinitions(types, pageFields[name]);
  const field = (description: string, definition: string) => `${described(description, '  ')}  ${definition}\n`;
  const domainArgument = '    """A hostname or an http(s) URL"""\n    domain: String!\n';
  const fields = [
    field(
      'The profile of a store. One lookup_cached, if the store is known; scope read:stores.',
      `store(\n${domainArgument}  ): EnrichResult!`,
    ),
    field(
      'The profiles of stores, in the order of the domains. One lookup_cached for each known store; scope read:stores.',
      'stores(\n    """Hostnames or http(s) URLs; at most plan.limits.enrich_batch_max"""\n    domains: [String!]!\n  ): [EnrichResult!]!',
    ),
    field(
      'Signals of one store, newest effective_at first; null if the store is not known. One history_query for a page with a row; scope read:signals.',
      `history(\n${domainArgument}${argumentsOf('history')}  ): ${history}`,
    ),
    field(
      'Signals of all stores, newest confirmed_at first. One history_query for a page with a row; scope read:signals.',
      `signals(\n${argumentsOf('signals')}  ): ${signals}!`,
    ),
    field(
      'The technology vocabulary. Free; scope read:stores.',
      `technologies(\n${argumentsOf('technologies')}  ): ${technologies}!`,
    ),
    field('Jobs, newest first. Free; scope read:jobs.', `jobs(\n${argumentsOf('jobs')}  ): ${jobs}!`),
    field(
      'A job; null if the workspace has no such job. Free; scope read:jobs.',
      `job(id: ID!): ${types.component('Job')}`,
    ),
    field('The key of the request, its plan and its period. Free.', `account: ${types.component('Account')}!`),
    field('The usage of the period. Free.', `usage: ${types.component('Usage')}!`),
  ];
  types.add(
    'Query',
    `"""What a key can read. Each field needs the scope of its REST operation."""\ntype Query {\n${fields.join('')}}`,
  );
  return types.text();
}

export const sdl = buildSdl();
export const schema = buildSchema(sdl);
