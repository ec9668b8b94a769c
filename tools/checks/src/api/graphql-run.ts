import type { Run } from './schemathesis.ts';
import type { ApiCheckSettings } from './settings.ts';

/** The run that sends GraphQL documents with one key. Its hooks compare each response with the schema. */
export const graphqlRun = (
  { environment, ...api }: { url: string; key: string; environment: 'live' | 'test'; listId: string },
  { documentsPerField }: Pick<ApiCheckSettings, 'documentsPerField'>,
): Run => ({
  name: `graphql-${environment}`,
  config: 'graphql.toml',
  target: `${api.url}/v1/graphql`,
  options: { 'max-examples': documentsPerField, phases: 'fuzzing' },
  env: { SHOPSCOPE_CHECK_KEY: api.key, SHOPSCOPE_CHECK_LIST_ID: api.listId },
});

/** The fields of Query, with the names of schemathesis (`Query.account`). */
export async function queryFields(apiUrl: string, key: string): Promise<string[]> {
  const response = await fetch(`${apiUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __schema { queryType { fields { name } } } }' }),
  });
  if (!response.ok) throw new Error(`the introspection answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { __schema: { queryType: { fields: { name: string }[] } } } };
  return data.__schema.queryType.fields.map(({ name }) => `Query.${name}`);
}
