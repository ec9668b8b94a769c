import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { httpStatus } from '@shopscope/errors';
import { workspaceEventTypes } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../endpoints/endpoints.ts';
import { eventTypeEntries } from '../endpoints/events/event-types.ts';
import { type ErrorName, errorAnswers, errorEnvelope, errorExample } from './errors.ts';
import { buildOpenapi } from './openapi.ts';
import { errorsOf, isBilled, type Operation } from './operation.ts';

type Json = { [name: string]: Json };
const document = buildOpenapi(operations) as Json;
const clone = () => structuredClone(document) as Json;
const verdict = async (candidate: Record<string, unknown>) => (await new Validator().validate(candidate)).valid;

function resolve(node: Json): Json {
  const ref = node.$ref as unknown as string | undefined;
  if (!ref) return node;
  return ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name] as Json, document);
}

const responsesOf = (operation: Operation): [string, Json][] =>
  Object.entries(document.paths?.[operation.path]?.[operation.method.toLowerCase()]?.responses as Json).map(
    ([status, node]) => [status, resolve(node)],
  );

describe('openapi.json', () => {
  it('openapi.json is valid OpenAPI 3.1 for an independent validator', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await verdict(clone())).toBe(true);
  });

  it('openapi.json says of a body that it may be absent only where an object without members is accepted and nothing is billed', () => {
    const optional = operations.filter(({ path, method }) => {
      const requestBody = document.paths?.[path]?.[method.toLowerCase()]?.requestBody;
      return requestBody && !requestBody.required;
    });
    expect(optional.map(({ id }) => id)).toEqual(['testWebhook', 'rotateWebhookSecret']);
    for (const operation of optional) {
      expect([operation.id, operation.body?.safeParse({}).success, isBilled(operation)]).toEqual([
        operation.id,
        true,
        false,
      ]);
    }
  });

  it('openapi.json is invalid for the validator after a mutation', async () => {
    const withoutDescription = clone();
    delete withoutDescription.paths?.['/v1/account']?.get?.responses?.['200']?.description;
    expect(await verdict(withoutDescription)).toBe(false);
    const wrongType = clone() as Record<string, unknown>;
    wrongType.info = { title: 1 };
    expect(await verdict(wrongType)).toBe(false);
  });

  it('openapi.json in the repository equals the document that the schemas generate', () => {
    const committed = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(committed).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it('openapi.json describes every operation under its id, with its scope, its units and whether it is served', () => {
    const ids = Object.values(document.paths as Json).flatMap((item) => Object.values(item).map((o) => o.operationId));
    expect(new Set(ids)).toEqual(new Set(operations.map((operation) => operation.id)));
    expect(ids).toHaveLength(operations.length);
    for (const operation of operations) {
      const described = document.paths?.[operation.path]?.[operation.method.toLowerCase()] as Json;
      expect(described['x-served'], operation.id).toBe(operation.served);
      expect(described.security, operation.id).toEqual(operation.access === 'key' ? [{ apiKey: [] }] : []);
      expect(described['x-scope'], operation.id).toBe(operation.scope);
      expect(described['x-more-scopes'], operation.id).toEqual(operation.moreScopes);
      expect(described['x-billing-units'], operation.id).toEqual(operation.billing.units);
      expect(isBilled(operation), operation.id).toBe(!operation.billing.when.startsWith('free'));
    }
  });

  it('openapi.json documents the headers of every response', () => {
    for (const operation of operations) {
      for (const [status, response] of responsesOf(operation)) {
        const names = Object.keys(response.headers ?? {});
        expect(names, `${operation.id} ${status}`).toContain('X-Request-Id');
        if (status === '401') expect(names).toContain('WWW-Authenticate');
        if (status === '429' || status === '503') expect(names).toContain('Retry-After');
        if (operation.access === 'key' && status !== '401' && status !== '413') {
          expect(names, `${operation.id} ${status}`).toContain('X-RateLimit-Remaining');
        }
      }
    }
  });

  it('openapi.json documents Idempotent-Replayed and 409 for every operation with an Idempotency-Key', () => {
    for (const operation of operations.filter(({ idempotent }) => idempotent)) {
      const responses = new Map(responsesOf(operation));
      const success = responses.get(String(operation.success.status));
      expect(Object.keys(success?.headers ?? {}), operation.id).toContain('Idempotent-Replayed');
      expect(Object.keys(responses.get('409')?.content?.['application/json']?.examples ?? {}), operation.id).toEqual([
        'conflict',
      ]);
    }
  });

  it.each(operations.filter(({ path }) => path.includes('{')))(
    'openapi.json has a 404 of $id that names what was not found',
    (operation) => {
      const [, noun = ''] = /\{(\w+?)(?:_id)?\}/.exec(operation.path) ?? [];
      const response = new Map(responsesOf(operation)).get('404');
      if (!errorsOf(operation).some((name) => name.startsWith('not_found'))) return expect(response).toBeUndefined();
      const examples = response?.content?.['application/json']?.examples ?? {};
      const messages = Object.values(examples).map(({ value }) => value?.error?.message);
      const shared = { domain: 'The domain is not in the corpus;', slug: 'The vocabulary has no such technology.' };
      const expected =
        Object.entries(shared).find(([name]) => name === noun)?.[1] ?? `The workspace has no such ${noun}.`;
      const inBody = errorsOf(operation).filter((name) => name === 'not_found_watchlist' && noun === 'webhook');
      expect(messages).toEqual([
        expect.stringContaining(expected),
        ...inBody.map(() => 'The workspace has no such watchlist.'),
      ]);
    },
  );

  it('openapi.json has an example of every error code of every operation', () => {
    for (const operation of operations) {
      const responses = new Map(responsesOf(operation));
      for (const name of errorsOf(operation)) {
        const response = responses.get(String(errorAnswers[name].status));
        const examples = response?.content?.['application/json']?.examples;
        expect(Object.keys(examples ?? {}), `${operation.id} ${name}`).toContain(name);
      }
      expect(responses.has('501'), operation.id).toBe(!operation.served);
    }
  });
});

describe('events', () => {
  it('openapi.json has the webhook of each type of event, with the schema and the example of its message', () => {
    const webhooks = document.webhooks as Json;
    expect(Object.keys(webhooks)).toEqual(workspaceEventTypes);
    for (const { type, message } of eventTypeEntries) {
      const content = webhooks[type]?.post?.requestBody?.content?.['application/json'] as Json;
      expect(resolve(content.schema as Json).properties?.type?.const).toBe(type);
      expect(Object.keys(content.example as Json)).toEqual(['type', 'timestamp', 'data', 'sequence', 'environment']);
      expect(z.strictObject(message.schema.shape).parse(content.example)).toEqual(content.example);
    }
  });
});

describe('examples', () => {
  it.each(operations)('the examples of $id match its schemas', ({ success, otherSuccess, body }) => {
    for (const { schema, example } of otherSuccess ? [success, otherSuccess] : [success]) {
      if (schema) expect(schema.parse(example)).toEqual(example);
    }
    if (body) expect(body.parse(success.requestExample)).toEqual(success.requestExample);
  });

  it.each(Object.keys(errorAnswers) as ErrorName[])('the example of the error %s matches the envelope', (name) => {
    expect(errorEnvelope.parse(errorExample(name))).toEqual(errorExample(name));
    if (name !== 'body_too_large') expect(errorAnswers[name].status).toBe(httpStatus(errorAnswers[name].code));
  });
});
