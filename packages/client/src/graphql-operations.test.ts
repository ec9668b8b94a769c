import { expect, expectTypeOf, test } from 'vitest';
import { cut, json, startScriptedService } from '../test/scripted-service.ts';

const document = 'query ($domain: String!) { store(domain: $domain) { match } }';
const cost = {
  requested: { lookup_cached: 1, history_query: 0 },
  billed: { lookup_cached: 1, history_query: 0 },
  nodes: { requested: 1, limit: 1_000 },
};
const answer = { data: { store: { match: 'matched' } }, extensions: { cost } };

test('graphql sends the document and its variables, and resolves to data of the type that the caller gives', async () => {
  await using service = await startScriptedService([json(200, answer)]);
  const { data, extensions } = await service.client.graphql<{ store: { match: string } }>(document, {
    domain: 'shop.example',
  });
  expectTypeOf(data.store.match).toEqualTypeOf<string>();
  expect([data, extensions]).toEqual([answer.data, answer.extensions]);
  const [sent] = service.received;
  expect(`${sent?.method} ${sent?.url}`).toBe('POST /v1/graphql');
  expect(sent?.body).toEqual({ query: document, variables: { domain: 'shop.example' } });
});

test('graphql bills once when an attempt is lost, because both attempts have one Idempotency-Key', async () => {
  await using service = await startScriptedService([cut, json(200, answer)]);
  await service.client.graphql(document, { domain: 'shop.example' }, { maxUnits: { lookup_cached: 1 } });
  expect(new Set(service.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(service.received.map(({ body }) => (body as { extensions: unknown }).extensions)).toEqual([
    { maxUnits: { lookup_cached: 1 } },
    { maxUnits: { lookup_cached: 1 } },
  ]);
});

test('quoteGraphql asks for a dry run, and resolves to the cost', async () => {
  await using service = await startScriptedService([json(200, { extensions: { cost } })]);
  expect(await service.client.quoteGraphql(document, {}, { operationName: 'a' })).toEqual(cost);
  expect(service.received[0]?.body).toEqual({
    query: document,
    variables: {},
    operationName: 'a',
    extensions: { dryRun: true },
  });
});

test('getGraphqlSchema resolves to the text of the schema', async () => {
  await using service = await startScriptedService([
    (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/graphql; charset=utf-8' }).end('type Query'),
  ]);
  expect(await service.client.getGraphqlSchema()).toBe('type Query');
});
