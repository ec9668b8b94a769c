import type { components } from './api.gen.ts';
import type { Requests } from './requests.ts';
import type { CallOptions, PostOptions } from './send.ts';

type Schemas = components['schemas'];

export interface GraphqlOptions extends PostOptions {
  /** The operation to execute, if the document has several. */
  operationName?: string | undefined;
  /** The most units that the document may bill. A document that could bill more is refused, and billed nothing. */
  maxUnits?: NonNullable<NonNullable<Schemas['GraphqlRequest']['extensions']>['maxUnits']> | undefined;
}

export type GraphqlCost = Schemas['GraphqlResponse']['extensions']['cost'];

export interface GraphqlAnswer<Data> {
  data: Data;
  extensions: { cost: GraphqlCost };
}

export interface GraphqlOperations {
  /**
   * Reads several resources with one document. The caller gives the type of the data. One lookup_cached per known store, one
   * history_query per page of history or signals with at least one row, all or nothing.
   */
  graphql<Data = Record<string, unknown>>(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: GraphqlOptions,
  ): Promise<GraphqlAnswer<Data>>;
  /** What a document would cost at most. Free. */
  quoteGraphql(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: GraphqlOptions,
  ): Promise<GraphqlCost>;
  /** The schema in the GraphQL schema language. Free. */
  getGraphqlSchema(options?: CallOptions): Promise<string>;
}

export function createGraphqlOperations({ get, post }: Requests): GraphqlOperations {
  const send = <Answer>(
    query: string,
    variables: Readonly<Record<string, unknown>> | undefined,
    { operationName, maxUnits, ...options }: GraphqlOptions,
    dryRun?: true,
  ) => {
    // Members that are undefined are not sent. The same request from another client has the same body.
    const extensions = maxUnits || dryRun ? { maxUnits, dryRun } : undefined;
    return post<Answer>('/v1/graphql', { query, variables, operationName, extensions }, options);
  };
  return {
    graphql: async <Data>(document: string, variables?: Readonly<Record<string, unknown>>, options = {}) =>
      send<GraphqlAnswer<Data>>(document, variables, options),
    async quoteGraphql(document, variables, options = {}) {
      const { extensions } = await send<Pick<GraphqlAnswer<never>, 'extensions'>>(document, variables, options, true);
      return extensions.cost;
    },
    getGraphqlSchema: async (options) => get('/v1/graphql/schema', options),
  };
}
