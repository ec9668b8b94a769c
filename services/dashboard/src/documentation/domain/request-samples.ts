import type { Environment } from '@shopscope/environment';
import type { Field } from './fields.ts';
import type { Operation, Parameter } from './reference.ts';

/** The languages of samples, in their order on pages. */
export const sampleLanguages = { sh: 'curl', ts: 'TypeScript', python: 'Python' } as const;
export type SampleLanguage = keyof typeof sampleLanguages;
export type Samples = Readonly<Record<SampleLanguage, string>>;

/** The part of an id after its prefix. */
const idBody = '01kandxv3w9p4nsbq7g8e2hm5t';
const idempotencyKey = 'list-42-batch-1';

/** The parts of a request as text: its path with values, its query and its body. */
export interface SampleRequest {
  method: string;
  path: string;
  /** The body as JSON. */
  body: string | undefined;
}

/** Stores of the test tenant, in place of those of the contract, which exist in no environment. */
const testStores = {
  'shop.example': 'matched.test',
  'other.example': 'stale.test',
  'new-shop.example': 'unknown.test',
};

/** The text with stores that a key of the environment finds. Which live stores are known depends on the corpus. */
function withStores(text: string, environment: Environment): string {
  if (environment === 'live') return text;
  return text.replaceAll(
    /(?<![\w-])(?:www\.)?((?:shop|other|new-shop)\.example)\b/g,
    (_, store: keyof typeof testStores) => testStores[store],
  );
}

const knownValues: Readonly<Record<string, string>> = { domain: 'shop.example', slug: 'klaviyo', part: '1' };

export function sampleValueOf(
  { name, constraints }: Pick<Field, 'name' | 'constraints'>,
  environment: Environment = 'test',
): string {
  const prefix = constraints.find((words) => words.startsWith('begins with '))?.slice('begins with '.length);
  if (prefix) return prefix + idBody;
  return withStores(knownValues[name] ?? name, environment);
}

const pathParametersOf = ({ parameters }: Operation): Parameter[] => parameters.filter((each) => each.in === 'path');

/** The request in the examples of an operation, for a key of the environment. */
export function sampleRequestOf(operation: Operation, environment: Environment = 'test'): SampleRequest {
  const path = pathParametersOf(operation).reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, sampleValueOf(parameter, environment)),
    operation.path,
  );
  const example = exampleOf(operation, environment);
  return { method: operation.method, path, body: example === undefined ? undefined : JSON.stringify(example, null, 2) };
}

const exampleOf = ({ body }: Operation, environment: Environment): unknown =>
  body && JSON.parse(withStores(JSON.stringify(body.example), environment));

export const takesIdempotencyKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === 'Idempotency-Key');

/** Whether the operation is a list. The clients read all its pages. A page of POST is one response. */
const isList = ({ method, successes }: Operation): boolean =>
  method === 'GET' && successes.some(({ fields }) => fields.some(({ name }) => name === 'next_cursor'));

/** Whether the response has no body. The methods of the clients then return nothing. */
const hasNoBody = ({ successes }: Operation): boolean => successes[0]?.status === 204;

/** Whether the clients have a method for the operation. They have one for each served operation that needs a key. */
const isInClients = ({ isServed, needsKey }: Operation): boolean => isServed && needsKey;

/** A request of the operation in each language. */
export function samplesOf(operation: Operation, apiUrl: string): Samples {
  const request = sampleRequestOf(operation);
  return {
    sh: curlOf(request, {
      apiUrl,
      needsKey: operation.needsKey,
      idempotencyKey: takesIdempotencyKey(operation) ? idempotencyKey : undefined,
    }),
    ts: isInClients(operation) ? clientCall(operation, apiUrl) : plainCall(operation, request, apiUrl),
    python: isInClients(operation) ? pythonClientCall(operation, apiUrl) : plainPythonCall(operation, request, apiUrl),
  };
}

/** A request with a key in each language, without the clients. */
export const plainSamplesOf = (request: SampleRequest, apiUrl: string): Samples => ({
  sh: curlOf(request, { apiUrl, needsKey: true }),
  ts: plainCall({ needsKey: true }, request, apiUrl),
  python: plainPythonCall({ needsKey: true }, request, apiUrl),
});

/** A curl command. It reads the key from the environment, so that the key is not in the history of the shell. */
export function curlOf(
  { method, path, body }: SampleRequest,
  { apiUrl, needsKey, idempotencyKey }: { apiUrl: string; needsKey: boolean; idempotencyKey?: string | undefined },
): string {
  return [
    `curl${method === 'GET' || body !== undefined ? '' : ` -X ${method}`} ${shellWord(apiUrl + path)}`,
    ...(method === 'PATCH' && body !== undefined ? ['-X PATCH'] : []),
    ...(needsKey ? [`-H "Authorization: Bearer $SHOPSCOPE_API_KEY"`] : []),
    ...(idempotencyKey === undefined ? [] : [`-H ${shellWord(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
}

/** The text as one word of a shell command. */
export const shellWord = (text: string): string =>
  /^[\w./:@%?=&,+-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The method of GraphQL takes the document and its variables. Every other method takes the body. */
function bodyArgumentsOf(id: string, example: unknown): unknown[] {
  if (id !== 'graphql') return [example];
  const { query, variables } = example as { query: string; variables: object };
  return [query, variables];
}

/** The value of a path parameter as an argument in a language, whose texts `quote` writes. */
const argumentOf = (parameter: Parameter, quote: (value: string) => string): string =>
  parameter.type === 'integer' ? sampleValueOf(parameter) : quote(sampleValueOf(parameter));

function clientCall(operation: Operation, apiUrl: string): string {
  const { id } = operation;
  const args = [
    ...pathParametersOf(operation).map((parameter) => argumentOf(parameter, text)),
    ...(operation.body ? bodyArgumentsOf(id, exampleOf(operation, 'test')).map((each) => script(each)) : []),
    ...(takesIdempotencyKey(operation) ? [`{ idempotencyKey: ${text(idempotencyKey)} }`] : []),
  ].join(', ');
  const call = isList(operation)
    ? `for await (const item of shopscope.${id}(${args})) {\n  console.log(item);\n}`
    : hasNoBody(operation)
      ? `await shopscope.${id}(${args});`
      : `const response = await shopscope.${id}(${args});\nconsole.log(response);`;
  return `import { createClient } from '@shopscope/client';

const shopscope = createClient({
  apiKey: process.env.SHOPSCOPE_API_KEY ?? '',
  baseUrl: ${text(apiUrl)},
});

${call}`;
}

function plainCall(
  { needsKey }: Pick<Operation, 'needsKey'>,
  { method, path, body }: SampleRequest,
  apiUrl: string,
): string {
  const headers = [
    ...(needsKey ? ["    Authorization: 'Bearer ' + process.env.SHOPSCOPE_API_KEY,"] : []),
    ...(body === undefined ? [] : [`    'Content-Type': 'application/json',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${text(method)},`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${script(JSON.parse(body)).replaceAll('\n', '\n  ')}),`]),
  ];
  const more = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `const response = await fetch(${text(apiUrl + path)}${more});\nconsole.log(response.status, await response.text());`;
}

/** A method takes a search as a whole. Every other method takes the members of the body. */
function pythonBodyOf({ body }: Operation, example: Record<string, unknown>): string[] {
  const fields = body?.fields ?? [];
  if (fields.some(({ name }) => name === 'where')) return [python(example)];
  return fields.flatMap(({ name, isRequired }) =>
    name in example ? [`${isRequired ? '' : `${name}=`}${python(example[name])}`] : [],
  );
}

function pythonClientCall(operation: Operation, apiUrl: string): string {
  const { id } = operation;
  const example = (exampleOf(operation, 'test') ?? {}) as Record<string, unknown>;
  const args = [
    ...pathParametersOf(operation).map((parameter) => argumentOf(parameter, python)),
    ...pythonBodyOf(operation, example),
    ...(takesIdempotencyKey(operation) ? [`idempotency_key=${python(idempotencyKey)}`] : []),
  ];
  const method = id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const list = args.length > 1 ? `\n    ${args.join(',\n    ')},\n` : args.join('');
  const call = isList(operation)
    ? `for item in client.${method}(${list}):\n    print(item)`
    : hasNoBody(operation)
      ? `client.${method}(${list})`
      : `response = client.${method}(${list})\nprint(response)`;
  return `import os

from shopscope import Client

client = Client(
    api_key=os.environ["SHOPSCOPE_API_KEY"],
    base_url=${python(apiUrl)},
)

${call}`;
}

function plainPythonCall(
  { needsKey }: Pick<Operation, 'needsKey'>,
  { method, path, body }: SampleRequest,
  apiUrl: string,
): string {
  const args = [
    python(method),
    python(apiUrl + path),
    ...(needsKey ? [`headers={"Authorization": f"Bearer {os.environ['SHOPSCOPE_API_KEY']}"}`] : []),
    ...(body === undefined ? [] : [`json=${python(JSON.parse(body)).replaceAll('\n', '\n    ')}`]),
  ];
  return `${needsKey ? 'import os\n\n' : ''}import httpx\n\nresponse = httpx.request(\n    ${args.join(',\n    ')},\n)\nprint(response.status_code, response.text)`;
}

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A JSON value as TypeScript. */
function script(value: unknown, indent = ''): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((each) => script(each, inner)).join(', ')}]`;
  const nameOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : text(name));
  const members = Object.entries(value).map(([name, each]) => `${inner}${nameOf(name)}: ${script(each, inner)},\n`);
  return `{\n${members.join('')}${indent}}`;
}

/** A JSON value as Python. */
function python(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((each) => python(each, inner)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${python(each, inner)},\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}
