import { scopes } from '@shopscope/proto';
import { z } from 'zod';
import { contractVersion } from '../endpoints/discovery/contract.ts';
import { eventTypeEntries } from '../endpoints/events/event-types.ts';
import { type ErrorName, errorAnswers, errorEnvelope, errorExamples } from './errors.ts';
import { type HeaderName, limitHeaders, publicHeaders, requestHeaders, responseHeaders } from './headers.ts';
import { errorsOf, type Operation, type Success } from './operation.ts';
import { namedSchemas, queryDocumentation } from './schemas.ts';

/**
 * Generates openapi.json (OpenAPI 3.1) from the schemas that validate requests. The output depends only on the contract
 * and on `apiUrl`, the public base URL of the deployment. A test can therefore compare the copy in the repository byte for byte.
 */
type Json = Record<string, unknown>;

const tags = {
  Discovery: 'Public documents.',
  Stores: 'Store profiles.',
  Account: 'Key, plan and consumption.',
  Technologies: 'The vocabulary of slugs in profiles and signals.',
  Signals: 'What changed, by store, across stores, and as events.',
  Lists: 'Stores to enrich together.',
  Watchlists: 'Domains to rescan and to be told about.',
  Jobs: 'Scans, and enrichments of lists.',
  Webhooks: 'Event delivery to your endpoints.',
  GraphQL: 'The same data as a graph.',
  'Test tenant': 'For keys of the test environment only.',
} as const satisfies Record<string, string>;

const componentUri = (id: string) => `#/components/schemas/${id}`;

const draft = { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' } as const;

function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, draft);
  return rest;
}

export function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(namedSchemas, { ...draft, uri: componentUri });
  const sorted = Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b));
  return Object.fromEntries(sorted.map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema as Json]));
}

function reference(schema: z.ZodType): Json {
  const id = namedSchemas.get(schema)?.id;
  if (!id) throw new Error('Bodies of the contract are named schemas');
  return { $ref: componentUri(id) };
}

function header(name: HeaderName, required: boolean): Json {
  const { schema, description } = responseHeaders[name];
  return { description, required, schema: jsonSchema(schema) };
}

const headerRef = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });

function headersOf(names: readonly HeaderName[]): Json {
  return Object.fromEntries(['X-Request-Id' as const, ...names].map((name) => [name, headerRef(name)]));
}

function parametersOf({ params, query, idempotent, success }: Operation): Json[] {
  const documentedIn = (place: 'path' | 'query', schemas: z.ZodObject | undefined) =>
    Object.entries(schemas?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path',
      ...documented(schema as z.ZodType),
    }));
  const headers = [
    'X-Request-Id',
    ...(idempotent ? ['Idempotency-Key'] : []),
    ...(success.conditional ? ['If-None-Match'] : []),
    ...(success.ranged ? ['Range'] : []),
  ];
  return [
    ...documentedIn('path', params),
    ...documentedIn('query', query),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function documented(schema: z.ZodType): Json {
  const { description, ...rest } = (queryDocumentation.get(schema) as Json | undefined) ?? jsonSchema(schema);
  const commas = rest.type === 'array' && { style: 'form', explode: false };
  return { ...(description ? { description } : {}), ...commas, schema: rest };
}

function successResponse(operation: Operation, success: Success): Json {
  const { description, schema, mediaType = 'application/json', otherMediaType, example, headers = [], line } = success;
  const lines = line && { 'application/x-ndjson': { schema: reference(line) } };
  const other = schema && otherMediaType && { [otherMediaType]: { schema: reference(schema) } };
  return {
    description,
    headers: headersOf([
      ...(operation.access === 'key' ? limitHeaders : publicHeaders),
      ...(operation.idempotent ? ['Idempotent-Replayed' as const] : []),
      ...headers,
    ]),
    ...(schema ? { content: { [mediaType]: { schema: reference(schema), example }, ...lines, ...other } } : {}),
  };
}

// These errors can be sent before the key is known. The headers of limits are therefore optional for them.
const earlyErrors: readonly ErrorName[] = ['invalid_request', 'internal', 'unavailable'];

/** Errors with one status become one response, with one example per error. */
function errorResponses(operation: Operation): Map<number, ErrorName[]> {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of errorsOf(operation)) {
    const { status } = errorAnswers[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return byStatus;
}

function errorComponent(names: readonly ErrorName[], access: Operation['access']): Json {
  const limits = access === 'key' && !names.includes('body_too_large') && !names.includes('unauthorized');
  const early = names.some((name) => earlyErrors.includes(name));
  const own: HeaderName[] = access === 'public' ? [...publicHeaders] : [];
  if (names.includes('unauthorized')) own.push('WWW-Authenticate');
  if (names.some((name) => errorAnswers[name].status === 503 || errorAnswers[name].status === 429))
    own.push('Retry-After');
  return {
    description: names.map((name) => errorAnswers[name].description).join(' Or: '),
    headers: {
      ...headersOf(own),
      ...Object.fromEntries(
        (limits ? limitHeaders : []).map((name) => [name, early ? header(name, false) : headerRef(name)]),
      ),
    },
    content: {
      'application/json': {
        schema: reference(errorEnvelope),
        examples: Object.assign({}, ...names.map(errorExamples)),
      },
    },
  };
}

const componentName = (names: readonly ErrorName[], access: Operation['access']) =>
  `${names.map((name) => name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())).join('Or')}${access === 'public' ? 'Public' : ''}`;

function operationObject(operation: Operation): Json {
  const { success, otherSuccess } = operation;
  const responses: Json = { [success.status]: successResponse(operation, success) };
  if (otherSuccess) responses[otherSuccess.status] = successResponse(operation, otherSuccess);
  if (success.ranged) {
    const description = 'The bytes that Range names.';
    const headers = [...(success.headers ?? []), 'Content-Range'] as const;
    responses['206'] = successResponse(operation, { ...success, description, headers });
  }
  if (success.conditional) {
    responses['304'] = {
      description: 'Unchanged. Free.',
      headers: headersOf([
        ...(operation.access === 'key' ? limitHeaders : publicHeaders),
        ...(success.headers ?? []).filter((name) => name !== 'Content-Encoding'),
      ]),
    };
  }
  for (const [status, names] of errorResponses(operation)) {
    responses[status] = { $ref: `#/components/responses/${componentName(names, operation.access)}` };
  }
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [operation.tag],
    security: operation.access === 'key' ? [{ apiKey: [] }] : [],
    ...(operation.scope ? { 'x-scope': operation.scope } : {}),
    ...(operation.environment ? { 'x-environment': operation.environment } : {}),
    ...(operation.moreScopes ? { 'x-more-scopes': operation.moreScopes } : {}),
    'x-billing': operation.billing.when,
    'x-billing-units': operation.billing.units,
    'x-served': operation.served,
    parameters: parametersOf(operation),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.isBodyOptional,
            content: { 'application/json': { schema: reference(operation.body), example: success.requestExample } },
          },
        }
      : {}),
    responses,
  };
}

/** The messages that webhooks send, by type. */
const webhooksOf = (): Json =>
  Object.fromEntries(
    eventTypeEntries.map(({ type, description, message }) => [
      type,
      {
        post: {
          summary: description,
          tags: ['Webhooks'],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(message.schema), example: message.example } },
          },
          responses: { 204: { description: 'The message was received.' } },
        },
      },
    ]),
  );

export const exampleApiUrl = 'https://api.shopscope.example';

export function buildOpenapi(
  operations: readonly Operation[],
  { apiUrl = exampleApiUrl }: { apiUrl?: string } = {},
): Json {
  const paths: Record<string, Json> = {};
  const responses: Record<string, Json> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation);
    paths[operation.path] = item;
    for (const names of errorResponses(operation).values()) {
      responses[componentName(names, operation.access)] = errorComponent(names, operation.access);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shopscope',
      version: contractVersion,
      description:
        'What is known about a web store, by domain: platform, technologies, geography, industry, catalogue, status and signals. ' +
        'Operations with `x-served: false` are announced and answer 501 until they are served. Limits are per key and come from the plan. ' +
        'HEAD is never billed. On free operations it answers as GET without a body. On operations that bill (`x-billing-units`) it ' +
        'answers with the status, X-Request-Id and the headers of limits only, and evaluates no condition.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiUrl, description: 'Public base' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(),
    components: {
      schemas: componentSchemas(),
      responses,
      headers: Object.fromEntries(
        (Object.keys(responseHeaders) as HeaderName[]).map((name) => [
          name,
          header(name, responseHeaders[name].required),
        ]),
      ),
      parameters: Object.fromEntries(
        Object.entries(requestHeaders).map(([name, { schema, description }]) => [
          name,
          { name, in: 'header', required: false, description, schema: jsonSchema(schema) },
        ]),
      ),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `A workspace API key: svc_live_…, or svc_test_… for the test tenant. Scopes: ${scopes.join(', ')}.`,
        },
      },
    },
  };
}
