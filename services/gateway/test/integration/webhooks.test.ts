import type { Technology } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetIdempotency, startTestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';
import { startWebhookSystem, type WebhookSystem } from './support/webhooks.ts';

const scopes = ['read:webhooks', 'write:webhooks', 'read:watchlists', 'write:watchlists'];
const noFilters = {
  signal_type: [],
  technology: [],
  category: [],
  platform: [],
  country: [],
  industry: [],
  confidence_min: null,
};
const whsec = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

describe('webhooks', () => {
  let system: WebhookSystem;
  const quotas = { lists: 1, listStores: 10, watchlists: 5, watchedStores: 10, webhooks: 3 };
  beforeAll(async () => {
    system = await startWebhookSystem({ scopes, plan: { quotas } });
    const { technologies } = system.backends;
    technologies.push(...['klarna', 'klaviyo', 'shopify'].map((slug) => ({ slug }) as Technology));
  });
  afterAll(() => system?.stop());
  beforeEach(() => {
    system.changeWorkspace();
    system.receiver.status = 204;
  });

  const send: WebhookSystem['send'] = (...request) => system.send(...request);
  const url = () => system.receiver.url + system.hookPath();
  const minimal = () => ({ url: url(), event_types: ['watchlist.paused'] });
  const post = (body: object) => send('POST', '/v1/webhooks', body);
  const messageOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error?.message];
  const foreignKeys = () => [
    system.newKey(),
    system.newKey({ workspaceId: system.key.workspaceId, environment: 'test' }),
  ];

  it('a webhook with only its required members has no filters and no bound, and its secret is in the first response only', async () => {
    const created = await post(minimal());
    expect(created.status).toBe(201);
    fitsContract(created, 'createWebhook');
    const { secret, ...webhook } = created.body;
    expect(secret).toMatch(whsec);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^whk_/),
      ...minimal(),
      description: null,
      watchlist_ids: [],
      filters: noFilters,
      max_per_minute: null,
      headers: {},
      state: 'active',
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: webhook.created_at,
    });
    const read = await send('GET', `/v1/webhooks/${webhook.id}`);
    fitsContract(read, 'getWebhook');
    expect(read.body).toEqual(webhook);
    const listed = await send('GET', '/v1/webhooks');
    fitsContract(listed, 'listWebhooks');
    expect(listed.body).toEqual({ data: [webhook], next_cursor: null });
  });

  it('a repeated request with an Idempotency-Key creates one webhook and answers without the secret, even when the stored response is lost', async () => {
    const once = () => send('POST', '/v1/webhooks', minimal(), { idempotencyKey: 'create-the-webhook' });
    const [first, second] = [await once(), await once()];
    fitsContract(second, 'createWebhook');
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(second.body).toEqual({ ...first.body, secret: null });
    const { body } = await send(
      'POST',
      '/v1/webhooks',
      { ...minimal(), url: `${url()}/2` },
      { idempotencyKey: 'create-the-webhook' },
    );
    expect(body.error.code).toBe('conflict');
    await forgetIdempotency(system.backends.namespace);
    expect((await once()).body).toEqual({ ...first.body, secret: null });
    expect((await send('GET', '/v1/webhooks')).body.data).toHaveLength(1);
  });

  it('the values of headers are shown in no response', async () => {
    const created = await post({ ...minimal(), headers: { 'X-Team': 'the-value' } });
    const path = `/v1/webhooks/${created.body.id}`;
    const answers = [
      created,
      await send('GET', path),
      await send('GET', '/v1/webhooks'),
      await send('PATCH', path, {}),
    ];
    for (const { text } of answers)
      expect([text.includes('"x-team":"***"'), text.includes('the-value')]).toEqual([true, false]);
  });

  it('a watchlist of another workspace or environment is 404 in watchlist_ids, and nothing is changed', async () => {
    const own = (await send('POST', '/v1/watchlists', { name: 'Own' })).body.id;
    const { id } = await system.newWebhook({ watchlist_ids: [own] });
    for (const { secret } of foreignKeys()) {
      const foreign = (await send('POST', '/v1/watchlists', { name: 'Foreign' }, { secret })).body.id;
      const refused = [
        await post({ ...minimal(), watchlist_ids: [own, foreign] }),
        await send('PATCH', `/v1/webhooks/${id}`, { watchlist_ids: [foreign], description: 'changed' }),
      ];
      for (const answer of refused) expect(messageOf(answer)).toEqual([404, 'The workspace has no such watchlist.']);
    }
    expect((await send('GET', '/v1/webhooks')).body.data).toMatchObject([{ watchlist_ids: [own], description: null }]);
  });

  it.each([
    ['technology', ['klaviyo', 'klavio'], 'klaviyo'],
    ['category', ['analytics', 'analitics'], 'analytics'],
    ['platform', ['shopify', 'shopfy'], 'shopify'],
    ['country', ['ZZ', 'DX'], 'DE'],
    ['industry', ['apparel', 'aparel'], 'apparel'],
  ])(
    'a value of the filter %s that does not exist is 400 with its path, the value and near ones, and nothing is changed',
    async (filter, values, near) => {
      const { id } = await system.newWebhook();
      const refused = [
        await post({ ...minimal(), filters: { [filter]: values } }),
        await send('PATCH', `/v1/webhooks/${id}`, { filters: { [filter]: values }, description: 'changed' }),
      ];
      const text = `filters.${filter}[1]: must be a value that exists, not "${values[1]}"; near ones: ${near}`;
      for (const { status, body } of refused)
        expect([status, body.error.message.slice(0, text.length)]).toEqual([400, text]);
      expect((await send('GET', '/v1/webhooks')).body.data).toMatchObject([{ filters: noFilters, description: null }]);
    },
  );

  it('an earlier slug in a filter becomes the present one', async () => {
    const { faults } = system.backends;
    faults.set('resolveValues', (values: object) => ({ ...values, technologies: ['shopify'] }));
    const { filters } = await system.newWebhook({ filters: { technology: ['shopify-old'], country: ['ZZ'] } });
    faults.delete('resolveValues');
    expect(filters).toEqual({ ...noFilters, technology: ['shopify'], country: ['ZZ'] });
  });

  it.each([
    ['a private address', 'https://10.0.0.8/', 'url: The host does not have public addresses only.'],
    ['an address of metadata', 'https://169.254.169.254/latest', 'url: The host does not have public addresses only.'],
    [
      'a private address in IPv6',
      'https://[::ffff:192.168.0.1]/',
      'url: The host does not have public addresses only.',
    ],
    ['a local name', 'https://printer.local/', 'url: The host does not have public addresses only.'],
    ['a name that cannot exist', 'https://hooks.test/', 'url: The host name has no address.'],
    ['http', 'http://93.184.215.14/', 'url: The URL must begin with https://.'],
    ['a password', 'https://u:p@93.184.215.14/', 'url: The URL must contain neither a user nor a password.'],
  ])('a URL with %s is 400 at creation and at a change, and nothing is changed', async (_, refusedUrl, message) => {
    const { id } = await system.newWebhook();
    expect(messageOf(await post({ ...minimal(), url: refusedUrl }))).toEqual([400, message]);
    expect(messageOf(await send('PATCH', `/v1/webhooks/${id}`, { url: refusedUrl }))).toEqual([400, message]);
    expect((await send('GET', '/v1/webhooks')).body.data).toMatchObject([{ url: url() }]);
  });

  it('a webhook beyond the quota of the plan is 400, names the quota, and is not created; a deleted one gives its place back', async () => {
    const ids: string[] = [];
    for (let n = 0; n < quotas.webhooks; n++) ids.push((await system.newWebhook()).id);
    const message = 'webhooks: the plan allows 3, the workspace uses 3, and this request would add 1';
    expect(messageOf(await post(minimal()))).toEqual([400, message]);
    expect((await send('GET', '/v1/webhooks')).body.data).toHaveLength(3);
    await send('DELETE', `/v1/webhooks/${ids[0]}`);
    expect((await post(minimal())).status).toBe(201);
  });

  it('a change replaces whole arrays, filters and headers, clears with null, and leaves what it does not name', async () => {
    const {
      id,
      secret: _,
      ...before
    } = await system.newWebhook({
      description: 'Production',
      filters: { technology: ['klaviyo'], country: ['DE', 'AT'], confidence_min: 'high' },
      max_per_minute: 60,
      headers: { 'X-Team': 'growth', 'X-Env': 'live' },
    });
    const path = `/v1/webhooks/${id}`;
    const untouched = await send('PATCH', path, {});
    fitsContract(untouched, 'updateWebhook');
    expect(untouched.body).toEqual({ id, ...before, updated_at: expect.any(String) });
    const changed = await send('PATCH', path, {
      event_types: ['signal.confirmed', 'scan.failed'],
      filters: { country: ['AT'] },
      headers: { 'X-Team': 'sales' },
    });
    expect(changed.body).toMatchObject({
      url: url(),
      event_types: ['signal.confirmed', 'scan.failed'],
      description: 'Production',
      filters: { ...noFilters, country: ['AT'] },
      max_per_minute: 60,
      headers: { 'x-team': '***' },
    });
    expect(Object.keys(changed.body.headers)).toEqual(['x-team']);
    const cleared = await send('PATCH', path, { description: null, max_per_minute: null });
    expect(cleared.body).toMatchObject({ description: null, max_per_minute: null, filters: { country: ['AT'] } });
    expect((await send('GET', path)).body).toEqual(cleared.body);
  });

  it('wrong bodies are 400 and name the member', async () => {
    const { id } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    const cases: [string, string, object, RegExp][] = [
      ['POST', '/v1/webhooks', {}, /^url: is required/],
      ['POST', '/v1/webhooks', { url: url() }, /^event_types: is required/],
      ['POST', '/v1/webhooks', { ...minimal(), event_types: [] }, /^event_types: must have at least 1 entry/],
      ['POST', '/v1/webhooks', { ...minimal(), event_types: ['scan.ended'] }, /^event_types\[0\]: must be one of/],
      ['POST', '/v1/webhooks', { ...minimal(), state: 'paused' }, /^state: is not a known member/],
      [
        'POST',
        '/v1/webhooks',
        { ...minimal(), filters: { technologies: [] } },
        /^filters\.technologies: is not a known/,
      ],
      [
        'POST',
        '/v1/webhooks',
        { ...minimal(), filters: { country: ['de'] } },
        /^filters\.country\[0\]: must be two capital/,
      ],
      ['POST', '/v1/webhooks', { ...minimal(), max_per_minute: 0 }, /^max_per_minute: must be/],
      ['POST', '/v1/webhooks', { ...minimal(), watchlist_ids: ['lst_1'] }, /^watchlist_ids\[0\]: must/],
      [
        'POST',
        '/v1/webhooks',
        { ...minimal(), headers: { 'Webhook-Id': 'a' } },
        /^headers\.webhook-id: is set by the service/,
      ],
      ['POST', '/v1/webhooks', { ...minimal(), headers: { 'X-A': 'a\r\nB: c' } }, /^headers\.x-a: must have/],
      ['PATCH', path, { state: 'disabled' }, /^state: must be/],
      ['PATCH', path, { url: null }, /^url: must be a string/],
      ['POST', `${path}/test`, { type: 'scan.ended' }, /^type: must be one of/],
      ['POST', `${path}/rotate_secret`, { overlap_hours: 169 }, /^overlap_hours: must be/],
    ];
    for (const [method, at, body, message] of cases) {
      const answer = await send(method, at, body);
      expect([body, ...messageOf(answer)]).toEqual([body, 400, expect.stringMatching(message)]);
    }
  });

  it('a paused webhook keeps its events until it is active again', async () => {
    const { id } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    expect((await send('PATCH', path, { state: 'paused' })).body.state).toBe('paused');
    await system.pauseWatchlist();
    const deliveries = async () => (await send('GET', `${path}/deliveries`)).body.data;
    await waitUntil('the delivery', async () => (await deliveries()).length === 1);
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: [] }]);
    expect((await send('PATCH', path, { state: 'active' })).body.state).toBe('active');
    await waitUntil('the message', () => system.receiver.at(system.hookPath()).length === 1);
  });

  it('a receiver that answers 410 disables its webhook, a replay of it is 400, and active ends that', async () => {
    const { id } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    system.receiver.status = 410;
    await system.pauseWatchlist();
    await waitUntil('the state', async () => (await send('GET', path)).body.state === 'disabled');
    const disabled = await send('GET', path);
    fitsContract(disabled, 'getWebhook');
    expect(disabled.body.disabled_reason).toBe('gone');
    const span = { from: disabled.body.created_at, to: disabled.body.updated_at };
    expect(messageOf(await send('POST', `${path}/replay`, span))).toEqual([400, 'state: the webhook is disabled']);
    expect((await send('PATCH', path, { state: 'active' })).body).toMatchObject({
      state: 'active',
      disabled_reason: null,
    });
  });

  it('a deleted webhook is 404 for every operation but its deliveries, which stay readable', async () => {
    const { id } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    await system.pauseWatchlist();
    const delivered = async () => (await send('GET', `${path}/deliveries?state=succeeded`)).body.data;
    await waitUntil('the delivery', async () => (await delivered()).length === 1);
    const [delivery] = await delivered();
    const deleted = await send('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const span = { from: delivery.created_at, to: delivery.created_at };
    const asked: [string, string, unknown?][] = [
      ['GET', path],
      ['PATCH', path, { state: 'paused' }],
      ['DELETE', path],
      ['POST', `${path}/test`],
      ['POST', `${path}/rotate_secret`],
      ['POST', `${path}/replay`, span],
    ];
    for (const [method, at, body] of asked) {
      expect([method, at, ...messageOf(await send(method, at, body))]).toEqual([
        method,
        at,
        404,
        'The workspace has no such webhook.',
      ]);
    }
    expect(await delivered()).toEqual([delivery]);
    expect((await send('GET', `/v1/deliveries?webhook_id=${id}`)).body.data).toEqual([delivery]);
    expect((await send('GET', `/v1/deliveries/${delivery.id}`)).body).toEqual(delivery);
    expect(messageOf(await send('POST', `/v1/deliveries/${delivery.id}/retry`))).toEqual([
      400,
      'state: the webhook is deleted',
    ]);
  });

  it('a webhook of another workspace or environment is 404 for every operation, and unchanged', async () => {
    const { id } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    const before = (await send('GET', path)).body;
    const span = { from: before.created_at, to: before.updated_at };
    const asked: [string, string, unknown?][] = [
      ['GET', path],
      ['PATCH', path, { description: 'stolen', state: 'paused' }],
      ['DELETE', path],
      ['POST', `${path}/test`, {}],
      ['POST', `${path}/rotate_secret`, {}],
      ['POST', `${path}/replay`, span],
      ['GET', `${path}/deliveries`],
      ['GET', `/v1/deliveries?webhook_id=${id}`],
    ];
    for (const { secret } of foreignKeys()) {
      for (const [method, at, body] of asked) {
        const answer = await send(method, at, body, { secret });
        expect([method, at, ...messageOf(answer)]).toEqual([method, at, 404, 'The workspace has no such webhook.']);
      }
      expect((await send('GET', '/v1/webhooks', undefined, { secret })).body.data).toEqual([]);
    }
    expect((await send('GET', path)).body).toEqual(before);
    expect(system.receiver.at(system.hookPath())).toEqual([]);
  });

  it('the pages of webhooks are newest first, and a cursor belongs to its workspace and is not a cursor of lists', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await system.newWebhook()).id);
    const first = await send('GET', '/v1/webhooks?limit=2');
    const cursor = encodeURIComponent(first.body.next_cursor);
    const second = await send('GET', `/v1/webhooks?limit=1&cursor=${cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect(second.body.next_cursor).toBeNull();
    const refused = [
      await send('GET', `/v1/lists?cursor=${cursor}`),
      ...(await Promise.all(foreignKeys().map((key) => send('GET', `/v1/webhooks?cursor=${cursor}`, undefined, key)))),
    ];
    for (const answer of refused) expect(messageOf(answer)).toEqual([400, expect.stringMatching(/^cursor: /)]);
  });

  it('reading needs read:webhooks, and changing needs write:webhooks', async () => {
    const { id, created_at: at } = await system.newWebhook();
    const path = `/v1/webhooks/${id}`;
    const { workspaceId } = system.key;
    const reader = system.newKey({ scopes: ['read:webhooks'], workspaceId });
    const writer = system.newKey({ scopes: ['write:webhooks'], workspaceId });
    const reads = ['/v1/webhooks', path, `${path}/deliveries`, '/v1/deliveries', '/v1/deliveries/dlv_1'];
    const writes: [string, string, object?][] = [
      ['POST', '/v1/webhooks', minimal()],
      ['PATCH', path, {}],
      ['DELETE', path],
      ['POST', `${path}/test`, {}],
      ['POST', `${path}/rotate_secret`, {}],
      ['POST', `${path}/replay`, { from: at, to: at }],
      ['POST', '/v1/deliveries/dlv_1/retry'],
    ];
    for (const at of reads) {
      expect([at, (await send('GET', at, undefined, writer)).body.error.code]).toEqual([at, 'forbidden_scope']);
      expect([at, (await send('GET', at, undefined, reader)).body.error?.code ?? 'not_found']).toEqual([
        at,
        'not_found',
      ]);
    }
    for (const [method, at, body] of writes) {
      expect([at, (await send(method, at, body, reader)).body.error.code]).toEqual([at, 'forbidden_scope']);
    }
    expect((await send('DELETE', path, undefined, writer)).status).toBe(204);
  });

  it('HEAD of webhooks and of deliveries has the status of GET and no body', async () => {
    const { id } = await system.newWebhook();
    for (const [path, status] of [
      ['/v1/webhooks', 200],
      [`/v1/webhooks/${id}`, 200],
      ['/v1/webhooks/whk_00000000000000000000000000', 404],
      [`/v1/webhooks/${id}/deliveries`, 200],
      ['/v1/deliveries', 200],
    ] as const) {
      const answer = await send('HEAD', path);
      expect([path, answer.status, answer.text]).toEqual([path, status, '']);
    }
  });

  it('webhooks being unavailable is 500 internal for its operations, and nothing else changes', async () => {
    const alone = await startTestGateway({ backends: system.backends, env: { WEBHOOKS_ADDRESS: '127.0.0.1:1' } });
    try {
      const answer = await call(alone, '/v1/webhooks', { key: system.key.secret });
      expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
      expect((await call(alone, '/v1/account', { key: system.key.secret })).status).toBe(200);
    } finally {
      await alone.stop();
    }
  });
});
