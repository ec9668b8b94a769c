import { expect, test } from 'vitest';
import { type Answer, cut, json, startScriptedService } from '../test/scripted-service.ts';
import type { Client } from './client.ts';

const answer: Answer = (received, response) =>
  received.method === 'DELETE'
    ? response.writeHead(204).end()
    : json(200, { data: [], next_cursor: null })(received, response);
const from = '2026-01-01T00:00:00Z';
const to = '2026-01-02T00:00:00Z';

test.each<[call: (client: Client) => PromiseLike<unknown>, line: string, body?: object]>([
  [
    (client) => client.createWebhook({ url: 'https://hooks.example', event_types: ['scan.failed'] }),
    'POST /v1/webhooks',
    { url: 'https://hooks.example', event_types: ['scan.failed'] },
  ],
  [(client) => client.listWebhooks({ limit: 5 }), 'GET /v1/webhooks?limit=5'],
  [(client) => client.getWebhook('whk_1'), 'GET /v1/webhooks/whk_1'],
  [(client) => client.updateWebhook('whk_1', { state: 'paused' }), 'PATCH /v1/webhooks/whk_1', { state: 'paused' }],
  [(client) => client.deleteWebhook('whk_1'), 'DELETE /v1/webhooks/whk_1'],
  [(client) => client.testWebhook('whk_1'), 'POST /v1/webhooks/whk_1/test', {}],
  [(client) => client.rotateWebhookSecret('whk_1'), 'POST /v1/webhooks/whk_1/rotate_secret', {}],
  [(client) => client.replayWebhook('whk_1', { from, to }), 'POST /v1/webhooks/whk_1/replay', { from, to }],
  [
    (client) => client.listWebhookDeliveries('whk_1', { state: 'failed' }),
    'GET /v1/webhooks/whk_1/deliveries?state=failed',
  ],
  [(client) => client.listDeliveries({ event_id: 'evt_1' }), 'GET /v1/deliveries?event_id=evt_1'],
  [(client) => client.getDelivery('dlv_1'), 'GET /v1/deliveries/dlv_1'],
  [(client) => client.retryDelivery('dlv_1'), 'POST /v1/deliveries/dlv_1/retry'],
])('%s sends one request: %s', async (call, line, body) => {
  await using service = await startScriptedService([answer]);
  await call(service.client);
  expect(service.received.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([[line, body]]);
});

test('a webhook is created once when an attempt is lost, because both attempts have one Idempotency-Key', async () => {
  await using service = await startScriptedService([cut, json(201, { id: 'whk_1', secret: null })]);
  const creation = { url: 'https://hooks.example', event_types: ['scan.failed'] } as const;
  expect(await service.client.createWebhook(creation)).toEqual({ id: 'whk_1', secret: null });
  const keys = service.received.map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test('the deliveries of a webhook come from all pages', async () => {
  const page = (ids: string[], cursor: string | null) =>
    json(200, { data: ids.map((id) => ({ id })), next_cursor: cursor });
  await using service = await startScriptedService([page(['dlv_2'], 'next'), page(['dlv_1'], null)]);
  const deliveries = await Array.fromAsync(service.client.listWebhookDeliveries('whk_1'));
  expect(deliveries.map(({ id }) => id)).toEqual(['dlv_2', 'dlv_1']);
  expect(service.received[1]?.url).toBe('/v1/webhooks/whk_1/deliveries?cursor=next');
});

test('waitForJob follows a replay to its end', async () => {
  const job = (state: string) => json(200, { id: 'job_o1', type: 'replay', state });
  await using service = await startScriptedService([job('queued'), job('running'), job('succeeded')]);
  const { id } = await service.client.replayWebhook('whk_1', { from, to, only: 'all' });
  const seen: string[] = [];
  const ended = await service.client.waitForJob(id, { onProgress: ({ state }) => void seen.push(state) });
  expect([seen, ended]).toEqual([['running'], { id: 'job_o1', type: 'replay', state: 'succeeded' }]);
});
