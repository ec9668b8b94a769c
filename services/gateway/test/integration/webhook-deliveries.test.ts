import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventTypeEntries } from '../../src/endpoints/events/event-types.ts';
import { fitsContract } from './support/http.ts';
import { signatureOf, startWebhookSystem, type WebhookSystem } from './support/webhooks.ts';

const scopes = ['read:webhooks', 'write:webhooks', 'read:watchlists', 'write:watchlists', 'read:signals'];

describe('messages of webhooks', () => {
  let system: WebhookSystem;
  const quotas = { lists: 1, listStores: 10, watchlists: 50, watchedStores: 10, webhooks: 5 };
  beforeAll(async () => {
    system = await startWebhookSystem({ scopes, plan: { quotas } });
  });
  afterAll(() => system?.stop());
  beforeEach(() => {
    system.changeWorkspace();
    system.receiver.status = 204;
    system.receiver.text = '';
  });

  const send: WebhookSystem['send'] = (...request) => system.send(...request);
  const received = () => system.receiver.at(system.hookPath());
  const bodies = () => received().map(({ body }) => JSON.parse(body));
  const messageOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error?.message];
  const foreignKeys = () => [
    system.newKey(),
    system.newKey({ workspaceId: system.key.workspaceId, environment: 'test' }),
  ];
  /** Pauses watchlists one after another, and waits until the webhook has a delivery in the state for each. Newest first. */
  async function deliver(webhookId: string, { count = 1, state = 'succeeded' } = {}) {
    for (let n = 0; n < count; n++) await system.pauseWatchlist();
    const path = `/v1/webhooks/${webhookId}/deliveries?state=${state}`;
    await waitUntil('the deliveries', async () => (await send('GET', path)).body.data.length === count);
    return (await send('GET', path)).body.data;
  }

  it('an event of the workspace arrives at its webhook, signed with the secret that was shown, with the body of the event and the headers of the webhook', async () => {
    const { id, secret } = await system.newWebhook({ headers: { 'X-Team': 'growth' } });
    const [delivery] = await deliver(id);
    const { data: events } = (await send('GET', '/v1/events?types=watchlist.paused')).body;
    const { id: eventId, type, created_at: timestamp, sequence, environment, data } = events[0];
    expect(events).toHaveLength(1);
    expect(bodies()).toEqual([{ type, timestamp, data, sequence, environment }]);
    const [message] = received();
    expect(message?.headers).toMatchObject({
      'webhook-id': eventId,
      'webhook-signature': message && signatureOf(message, secret),
      'user-agent': 'Shopscope-Webhooks/1',
      'x-team': 'growth',
    });
    const read = await send('GET', `/v1/deliveries/${delivery.id}`);
    fitsContract(read, 'getDelivery');
    expect(read.body).toEqual({
      id: expect.stringMatching(/^dlv_/),
      webhook_id: id,
      event_id: eventId,
      event_type: type,
      sequence,
      state: 'succeeded',
      attempts: [
        { at: expect.any(String), status: 204, error: null, latency_ms: expect.any(Number), body_excerpt: '' },
      ],
      next_attempt_at: null,
      created_at: expect.any(String),
    });
    expect(delivery).toEqual(read.body);
  });

  it('an event of another workspace or environment, or of another type, never arrives', async () => {
    await system.newWebhook();
    const { id } = await system.newWebhook({ event_types: ['scan.completed'] });
    for (const { secret } of foreignKeys()) await system.pauseWatchlist(secret);
    const watchlistId = await system.pauseWatchlist();
    await waitUntil('the message', () => received().length > 0);
    expect(bodies().map(({ data }) => data.watchlist_id)).toEqual([watchlistId]);
    expect((await send('GET', `/v1/webhooks/${id}/deliveries`)).body.data).toEqual([]);
  });

  it('a webhook of a test key receives the events of its environment', async () => {
    const { secret } = system.newKey({ workspaceId: system.key.workspaceId, environment: 'test' });
    await system.newWebhook({}, secret);
    await system.pauseWatchlist();
    await system.pauseWatchlist(secret);
    await waitUntil('the message', () => received().length > 0);
    expect(bodies().map(({ environment }) => environment)).toEqual(['test']);
  });

  it('a test sends the example of a type at once, signed, with test and without a sequence, and shows what the receiver answered', async () => {
    const { id, secret } = await system.newWebhook({ event_types: ['scan.failed', 'watchlist.paused'] });
    Object.assign(system.receiver, { status: 422, text: '<b>no</b>' });
    const sent = await send('POST', `/v1/webhooks/${id}/test`, { type: 'webhook.failing' });
    fitsContract(sent, 'testWebhook');
    const example = eventTypeEntries
      .find(({ type }) => type === 'webhook.failing')
      ?.exampleOf('https://api.shopscope.test');
    const body = {
      type: 'webhook.failing',
      timestamp: expect.any(String),
      test: true,
      data: example?.data,
      environment: 'live',
    };
    expect([sent.status, sent.body]).toEqual([
      200,
      {
        event: { id: expect.stringMatching(/^evt_/), ...body },
        attempt: {
          at: expect.any(String),
          status: 422,
          error: null,
          latency_ms: expect.any(Number),
          body_excerpt: '<b>no</b>',
        },
      },
    ]);
    expect(bodies()).toEqual([body]);
    const [message] = received();
    expect(message?.headers).toMatchObject({
      'webhook-id': sent.body.event.id,
      'webhook-signature': message && signatureOf(message, secret),
    });
    expect((await send('GET', '/v1/deliveries')).body.data).toEqual([]);
    expect((await send('GET', '/v1/events')).body.data).toEqual([]);
  });

  it('a test without a body, or with one without members, sends the first type of the webhook', async () => {
    const { id } = await system.newWebhook({ event_types: ['scan.failed', 'watchlist.paused'] });
    for (const body of [undefined, {}]) {
      const sent = await send('POST', `/v1/webhooks/${id}/test`, body);
      expect([sent.status, sent.body.event?.type]).toEqual([200, 'scan.failed']);
    }
  });

  it('a test of a webhook that is paused, or whose receiver is away, answers with its attempt', async () => {
    const { id } = await system.newWebhook({ url: 'http://127.0.0.1:1/' });
    await send('PATCH', `/v1/webhooks/${id}`, { state: 'paused' });
    const sent = await send('POST', `/v1/webhooks/${id}/test`);
    fitsContract(sent, 'testWebhook');
    expect(sent.body.attempt).toMatchObject({ status: null, error: 'connection_refused', body_excerpt: '' });
  });

  it('a repeated test with an Idempotency-Key sends one message', async () => {
    const { id } = await system.newWebhook();
    const once = () => send('POST', `/v1/webhooks/${id}/test`, undefined, { idempotencyKey: 'test-the-webhook' });
    const [first, second] = [await once(), await once()];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(received()).toHaveLength(1);
  });

  it('a rotation without a body shows a new secret once, and both secrets sign; with overlap_hours 0 only the new one signs', async () => {
    const { id, secret: oldSecret } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    const once = () => send('POST', `${path}/rotate_secret`, undefined, { idempotencyKey: 'rotate-the-secret' });
    const [rotated, replayed] = [await once(), await once()];
    fitsContract(rotated, 'rotateWebhookSecret');
    fitsContract(replayed, 'rotateWebhookSecret');
    expect([rotated.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(replayed.body).toEqual({ ...rotated.body, secret: null });
    await send('POST', `${path}/test`);
    const ended = await send('POST', `${path}/rotate_secret`, { overlap_hours: 0 });
    await send('POST', `${path}/test`);
    expect(new Set([oldSecret, rotated.body.secret, ended.body.secret]).size).toBe(3);
    const signers = [[rotated.body.secret, oldSecret], [ended.body.secret]];
    expect(received().map(({ headers }) => headers['webhook-signature'])).toEqual(
      received().map((message, at) => signers[at]?.map((secret) => signatureOf(message, secret)).join(' ')),
    );
  });

  it('deliveries are filtered by webhook, event, state and time, also together', async () => {
    const [one, two] = [await system.newWebhook(), await system.newWebhook({ event_types: ['watchlist.resumed'] })];
    const [newer, older] = await deliver(one.id, { count: 2 });
    const found = async (query: string) => {
      const page = await send('GET', `/v1/deliveries?${query}`);
      fitsContract(page, 'listDeliveries');
      return page.body.data.map(({ id }: { id: string }) => id);
    };
    const ids = [newer.id, older.id];
    const before = new Date(Date.parse(older.created_at) - 1).toISOString();
    const cases: [string, string[]][] = [
      ['', ids],
      [`webhook_id=${one.id}`, ids],
      [`webhook_id=${two.id}`, []],
      [`event_id=${older.event_id}`, [older.id]],
      ['state=succeeded', ids],
      ['state=failed', []],
      [`from=${newer.created_at}`, [newer.id]],
      [`to=${older.created_at}`, [older.id]],
      [`to=${before}`, []],
      [`webhook_id=${one.id}&event_id=${newer.event_id}&state=succeeded&from=${older.created_at}`, [newer.id]],
    ];
    for (const [query, expected] of cases) expect([query, await found(query)]).toEqual([query, expected]);
    const listed = await send('GET', `/v1/webhooks/${one.id}/deliveries?state=succeeded`);
    fitsContract(listed, 'listWebhookDeliveries');
    expect(listed.body).toEqual({ data: [newer, older], next_cursor: null });
  });

  it('a page of deliveries continues at its cursor, which is bound to its filters and its workspace', async () => {
    const { id } = await system.newWebhook();
    const all = await deliver(id, { count: 3 });
    const first = (await send('GET', '/v1/deliveries?limit=2&state=succeeded')).body;
    const cursor = encodeURIComponent(first.next_cursor);
    const second = (await send('GET', `/v1/deliveries?limit=1&state=succeeded&cursor=${cursor}`)).body;
    expect([[...first.data, ...second.data], second.next_cursor]).toEqual([all, null]);
    const elsewhere = [
      '/v1/deliveries?',
      '/v1/deliveries?state=failed&',
      `/v1/deliveries?state=succeeded&webhook_id=${id}&`,
      `/v1/deliveries?state=succeeded&event_id=${all[0].event_id}&`,
      `/v1/deliveries?state=succeeded&from=${all[0].created_at}&`,
      `/v1/deliveries?state=succeeded&to=${all[0].created_at}&`,
      `/v1/webhooks/${id}/deliveries?state=succeeded&`,
      '/v1/webhooks?',
    ].map((path) => send('GET', `${path}cursor=${cursor}`));
    const foreign = foreignKeys().map(({ secret }) =>
      send('GET', `/v1/deliveries?state=succeeded&cursor=${cursor}`, undefined, { secret }),
    );
    for (const answer of await Promise.all([...elsewhere, ...foreign])) {
      expect(messageOf(answer)).toEqual([400, expect.stringMatching(/^cursor: /)]);
    }
  });

  it('an event without any delivery of the workspace is 404, and other filters may leave none of its deliveries', async () => {
    const [delivery] = await deliver((await system.newWebhook()).id);
    const path = `/v1/deliveries?event_id=${delivery.event_id}`;
    for (const { secret } of foreignKeys()) {
      const answer = await send('GET', path, undefined, { secret });
      expect(messageOf(answer)).toEqual([404, 'The workspace has no such delivery.']);
    }
    const none = await send('GET', `${path}&state=failed`);
    expect([none.status, none.body]).toEqual([200, { data: [], next_cursor: null }]);
  });

  it('a delivery of another workspace or environment is 404, and is not tried again', async () => {
    const [delivery] = await deliver((await system.newWebhook()).id);
    const path = `/v1/deliveries/${delivery.id}`;
    for (const { secret } of foreignKeys()) {
      for (const [method, at] of [
        ['GET', path],
        ['POST', `${path}/retry`],
      ] as const) {
        const answer = await send(method, at, undefined, { secret });
        expect([at, ...messageOf(answer)]).toEqual([at, 404, 'The workspace has no such delivery.']);
      }
      expect((await send('GET', '/v1/deliveries', undefined, { secret })).body.data).toEqual([]);
    }
    expect((await send('GET', path)).body).toEqual(delivery);
  });

  it('a retry of a delivery is 202 and makes one more attempt now, in the same record and with the same webhook-id', async () => {
    system.receiver.status = 500;
    const [delivery] = await deliver((await system.newWebhook()).id, { state: 'retrying' });
    expect(delivery).toMatchObject({ attempts: [{ status: 500 }], next_attempt_at: expect.any(String) });
    system.receiver.status = 204;
    const path = `/v1/deliveries/${delivery.id}`;
    const once = () => send('POST', `${path}/retry`, undefined, { idempotencyKey: 'retry-the-delivery' });
    const [retried, replayed] = [await once(), await once()];
    expect([retried.status, retried.body.id]).toEqual([202, delivery.id]);
    fitsContract(retried, 'retryDelivery');
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([retried.text, 'true']);
    await waitUntil('the attempt', async () => (await send('GET', path)).body.state === 'succeeded');
    expect((await send('GET', path)).body.attempts).toMatchObject([{ status: 500 }, { status: 204 }]);
    expect(received().map(({ headers }) => headers['webhook-id'])).toEqual([delivery.event_id, delivery.event_id]);
  });

  it('a retry is 400 and names the state while the webhook is paused', async () => {
    const { id } = await system.newWebhook();
    const [delivery] = await deliver(id);
    await send('PATCH', `/v1/webhooks/${id}`, { state: 'paused' });
    const refused = await send('POST', `/v1/deliveries/${delivery.id}/retry`);
    expect(messageOf(refused)).toEqual([400, 'state: the webhook is paused']);
    expect(received()).toHaveLength(1);
  });
});
