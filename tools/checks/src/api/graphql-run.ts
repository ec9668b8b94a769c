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

/** Creates a list in the environment of the key, so that a document can name it. Resolves to its id. */
export async function createList(apiUrl: string, key: string): Promise<string> {
  const { id } = await post<{ id: string }>(`${apiUrl}/v1/lists`, key, { name: 'For documents' });
  return id;
}

/** The fields of Query, with the names of schemathesis (`Query.account`). */
export async function queryFields(apiUrl: string, key: string): Promise<string[]> {
  type Introspected = { data: { __schema: { queryType: { fields: { name: string }[] } } } };
  const query = '{ __schema { queryType { fields { name } } } }';
  const { data } = await post<Introspected>(`${apiUrl}/v1/graphql`, key, { query });
  return data.__schema.queryType.fields.map(({ name }) => `Query.${name}`);
}

async function post<T>(url: string, key: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
