import { expect, test } from 'vitest';
import { cut, json, startScriptedService } from '../test/scripted-service.ts';
import type { Client } from './client.ts';

test.each<[call: (client: Client) => PromiseLike<unknown>, line: string, body?: object]>([
  [(client) => client.resetTestTenant(), 'POST /v1/test/reset'],
  [
    (client) => client.appendTestEvent({ type: 'scan.failed', data: { domain: 'slow.test' } }),
    'POST /v1/test/events',
    { type: 'scan.failed', data: { domain: 'slow.test' } },
  ],
  [(client) => client.setTestAllowance({ lookup_cached: 3 }), 'POST /v1/test/allowance', { lookup_cached: 3 }],
])('%s sends one request: %s', async (call, line, body) => {
  await using service = await startScriptedService([json(200, { answer: line })]);
  expect(await call(service.client)).toEqual({ answer: line });
  expect(service.received.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([[line, body]]);
});

test('an event is appended once when an attempt is lost, because both attempts have one Idempotency-Key', async () => {
  await using service = await startScriptedService([cut, json(200, { event: { id: 'evt_1' } })]);
  expect(await service.client.appendTestEvent({ type: 'scan.failed' })).toEqual({ event: { id: 'evt_1' } });
  const keys = service.received.map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});
