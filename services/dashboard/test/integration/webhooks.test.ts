import type { Visitor } from '@shopscope/browser/visitor';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCorpus } from './support/corpus.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { read, textOf, tokenIn } from './support/html.ts';
import { startReceiver } from './support/receiver.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startWebhooksOf, type TestWebhooks } from './support/webhooks.ts';
import { startStoresWorkspace } from './support/workspace.ts';

let corpus: Awaited<ReturnType<typeof startCorpus>>;
let system: TestSystem;
let gateway: TestGateway;
let webhooks: TestWebhooks;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  corpus = await startCorpus([]);
  system = await startTestSystem({ PROFILES_ADDRESS: corpus.address });
  gateway = await startGatewayOf(system, { withLists: true });
  webhooks = await startWebhooksOf(system, gateway.subscriptions?.grpcAddress);
  receiver = await startReceiver();
}, 120_000);
afterAll(async () => {
  await receiver?.stop();
  await webhooks?.stop();
  await gateway?.stop();
  await system?.stop();
  await corpus?.stop();
});

async function startWorkspace(planSlug?: string) {
  const world = await startStoresWorkspace(system, planSlug);
  return { ...world, base: `${world.home}/webhooks` };
}
type World = Awaited<ReturnType<typeof startWorkspace>>;

const tokenOf = async (browser: Visitor, path: string) => tokenIn(await (await browser.get(path)).text());
const formOf = (over: Record<string, string> = {}) => ({
  intent: 'create',
  url: `${receiver.url}/hooks/secret-path`,
  event_types: 'watchlist.paused',
  ...over,
});

/** Sends the form of a new webhook. */
async function send({ admin, base }: World, over: Record<string, string> = {}) {
  const token = await tokenOf(admin, `${base}/new`);
  return admin.submit(`${base}/new`, formOf({ token, ...over }));
}

async function create(world: World, over: Record<string, string> = {}) {
  const html = await (await send(world, over)).text();
  const [, secret = ''] = /(whsec_[\w+/=]+)/.exec(html) ?? [];
  const [, path = ''] = /href="([^"]*\/webhooks\/whk_\w+)"/.exec(html) ?? [];
  expect([secret, path]).toEqual([expect.stringMatching(/^whsec_/), expect.stringContaining(world.base)]);
  return { secret, path };
}

/** The names of the fields that are marked as wrong. */
const invalidIn = (html: string) =>
  [...html.matchAll(/<(?:input|textarea|select)[^>]*aria-invalid="true"[^>]*>/g)].map(
    ([tag]) => /name="([^"]+)"/.exec(tag)?.[1],
  );

const watchlistForm = { name: 'Rivals', signal_types: 'technology_added', technologies: '', domains: '', list_id: '' };

/** Makes an event of the type `watchlist.paused`. */
async function makeEvent({ admin, home }: World) {
  const token = await tokenOf(admin, `${home}/watchlists/new`);
  const made = await admin.submit(`${home}/watchlists/new`, { ...watchlistForm, intent: 'create', token });
  await admin.submit(made.headers.get('location') ?? '', { intent: 'pause' });
}

describe('a new webhook', () => {
  it('a new webhook shows its secret once, and the same form sent again creates no second one', async () => {
    const world = await startWorkspace();
    const { admin, base } = world;
    expect(await read(await admin.get(base))).toContain('No webhooks yet');
    const token = await tokenOf(admin, `${base}/new`);
    const first = await (await admin.submit(`${base}/new`, formOf({ token }))).text();
    expect(textOf(first)).toContain('This secret is shown only now');
    const [secret = ''] = /whsec_[\w+/=]+/.exec(first) ?? [];
    const again = await (await admin.submit(`${base}/new`, formOf({ token }))).text();
    expect(textOf(again)).toContain('No second webhook was created');
    expect(again).not.toContain('whsec_');
    const list = await (await admin.get(base)).text();
    expect(list.match(/href="[^"]*\/webhooks\/whk_\w+"/g)).toHaveLength(1);
    const [path = ''] = /[^"]*\/webhooks\/whk_\w+/.exec(list) ?? [];
    for (const page of ['', '/edit', '/verify', '/rotate'])
      expect(await (await admin.get(path + page)).text()).not.toContain(secret);
  });

  it('the audit log names the host of the URL, whose path and query may have secrets', async () => {
    const world = await startWorkspace();
    await create(world);
    const log = await read(await world.admin.get(`${world.home}/settings/audit-log`));
    expect(log).toContain('Created a webhook');
    expect(log).toContain(new URL(receiver.url).host);
    expect(log).not.toContain('secret-path');
  });

  it.each([
    ['http://hooks.example/', 'https'],
    ['https://10.0.0.1/', 'public'],
    ['https://user:password@hooks.example/', 'password'],
    ['', 'Enter the URL that receives the events.'],
  ])('the URL %j is refused at its field, as a trial and when it is saved', async (url, words) => {
    const { admin, base } = await startWorkspace();
    const token = await tokenOf(admin, `${base}/new`);
    for (const intent of url === '' ? ['create'] : ['check_url', 'create']) {
      const response = await admin.submit(`${base}/new`, formOf({ token, url, intent }));
      const html = await response.text();
      expect([intent, response.status]).toEqual([intent, 400]);
      expect(invalidIn(html)).toEqual(['url']);
      expect(textOf(html)).toContain(words);
    }
    expect(await read(await admin.get(base))).toContain('No webhooks yet');
  });

  it.each([
    ['technology', 'klavio', 'klaviyo'],
    ['category', 'analytic', 'analytics'],
    ['platform', 'shopfy', 'shopify'],
    ['country', 'XQ', 'near ones'],
    ['industry', 'aparel', 'apparel'],
  ])('an unknown name of the filter %s is refused at its field with near names', async (name, value, near) => {
    const { admin, base } = await startWorkspace();
    const token = await tokenOf(admin, `${base}/new`);
    for (const intent of ['count', 'create']) {
      const html = await (await admin.submit(`${base}/new`, formOf({ token, intent, [name]: value }))).text();
      expect(invalidIn(html)).toEqual([name]);
      expect(textOf(html)).toMatch(new RegExp(`must be a value that exists, not .*${near}`));
    }
  });

  it.each([
    [{ event_types: '' }, 'must be a type of event'],
    [{ max_per_minute: '0' }, 'must be from 1 to 6000'],
    [{ max_per_minute: 'many' }, 'Enter a whole number'],
    [{ secret_headers: 'no colon' }, 'Line 1 has no name before a colon'],
    [{ secret_headers: 'Host: a.example' }, 'is set by the service'],
  ])('a form with %j is refused at its field', async (over, words) => {
    const world = await startWorkspace();
    const response = await send(world, over);
    const html = await response.text();
    expect([response.status, textOf(html).includes(words)]).toEqual([400, true]);
    expect(invalidIn(html)).toEqual(Object.keys(over));
  });

  it('a workspace has at most as many webhooks as its plan allows', async () => {
    const world = await startWorkspace('free');
    for (let n = 0; n < 2; n++) await create(world);
    expect(await read(await send(world))).toContain('the plan allows 2');
  });

  it('the count of matching events is shown above the form, which keeps what was typed', async () => {
    const world = await startWorkspace();
    const { admin, base } = world;
    await makeEvent(world);
    const token = await tokenOf(admin, `${base}/new`);
    const count = async (over: Record<string, string>) => {
      const form = formOf({ token, intent: 'count', description: 'Typed', ...over });
      return (await admin.submit(`${base}/new`, form)).text();
    };
    const html = await count({});
    expect(textOf(html)).toMatch(/1 event of the last 7 days matches/);
    expect(html).toMatch(/<input[^>]*name="description"[^>]*value="Typed"/);
    expect(textOf(await count({ event_types: 'scan.failed' }))).toMatch(/0 events of the last 7 days match/);
    expect(await read(await admin.get(base))).toContain('No webhooks yet');
  });
});

describe('a webhook', () => {
  it('a webhook is changed, its headers stay hidden, and an empty field keeps them', async () => {
    const world = await startWorkspace();
    const { admin } = world;
    const { path } = await create(world, { secret_headers: 'Authorization: Bearer hunter2\nX-Team: growth' });
    const change = (over: Record<string, string>) =>
      admin.submit(`${path}/edit`, formOf({ intent: 'change', description: 'CRM', ...over }));
    expect((await change({ event_types: 'scan.failed', technology: 'klaviyo', max_per_minute: '60' })).status).toBe(
      302,
    );
    const page = await read(await admin.get(path));
    for (const text of ['CRM', 'scan.failed', 'Technologies: klaviyo', 'At most 60', 'authorization, x-team'])
      expect(page).toContain(text);
    const edit = await (await admin.get(`${path}/edit`)).text();
    expect(edit).not.toContain('hunter2');
    receiver.received.length = 0;
    await admin.submit(path, { intent: 'test', type: 'scan.failed' });
    expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer hunter2', 'x-team': 'growth' });
    await change({ remove_headers: 'yes' });
    await admin.submit(path, { intent: 'test', type: 'scan.failed' });
    expect(receiver.received[1]?.headers.authorization).toBeUndefined();
  });

  it('a test message shows what the receiver answered, and its body as text', async () => {
    const world = await startWorkspace();
    const { path } = await create(world);
    receiver.answer = { status: 500, body: '<script>alert(1)</script><b>no</b>' };
    const html = await (await world.admin.submit(path, { intent: 'test', type: 'watchlist.paused' })).text();
    receiver.answer = { status: 204, body: '' };
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script>alert');
    expect(textOf(html)).toMatch(/did not accept the message.*500.*ms/);
    const accepted = await read(await world.admin.submit(path, { intent: 'test', type: 'watchlist.paused' }));
    expect(accepted).toMatch(/The receiver accepted the message.*204/);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ test: true, type: 'watchlist.paused' });
  });

  it('a webhook is paused and resumed, and shows its latest success', async () => {
    const world = await startWorkspace();
    const { admin } = world;
    const { path } = await create(world);
    expect(await read(await admin.get(path))).toContain('No success yet');
    await admin.submit(path, { intent: 'pause' });
    expect(await read(await admin.get(path))).toContain('This webhook is paused');
    await admin.submit(path, { intent: 'resume' });
    await makeEvent(world);
    await waitUntil('a success', async () => /Succeeded/.test(await read(await admin.get(path))));
  });

  it('a webhook that answered 410 is shown as disabled, and an admin revives it', async () => {
    const world = await startWorkspace();
    const { admin, member } = world;
    const { path } = await create(world);
    receiver.answer = { status: 410, body: '' };
    await makeEvent(world);
    await waitUntil('the end of the webhook', async () => /is disabled/.test(await read(await admin.get(path))));
    receiver.answer = { status: 204, body: '' };
    expect(await read(await member.get(path))).toMatch(/410 Gone.*An admin of this workspace can revive it/);
    await admin.submit(path, { intent: 'resume' });
    expect(await read(await admin.get(path))).toContain('Active');
  });

  it('a rotation shows the new secret once, and both secrets sign until the overlap ends', async () => {
    const world = await startWorkspace();
    const { admin } = world;
    const { path, secret } = await create(world);
    const token = await tokenOf(admin, `${path}/rotate`);
    const form = { token, overlap_hours: '24' };
    const html = await (await admin.submit(`${path}/rotate`, form)).text();
    const [rotated = ''] = /whsec_[\w+/=]+/.exec(html) ?? [];
    expect([rotated.length, rotated === secret]).toEqual([secret.length, false]);
    expect(await (await admin.submit(`${path}/rotate`, form)).text()).not.toContain('whsec_');
    await admin.submit(path, { intent: 'test', type: 'watchlist.paused' });
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  it('a webhook is deleted when the host of its URL is typed', async () => {
    const world = await startWorkspace();
    const { admin, base } = world;
    const { path } = await create(world);
    expect(await read(await admin.submit(`${path}/delete`, { host: 'other.example' }))).toContain('Enter the host');
    const { host } = new URL(receiver.url);
    expect((await admin.submit(`${path}/delete`, { host })).headers.get('location')).toBe(base);
    expect((await admin.get(path)).status).toBe(404);
  });

  it('members read webhooks and get none of the forms', async () => {
    const world = await startWorkspace();
    const { path } = await create(world);
    const { member, base } = world;
    expect(await read(await member.get(base))).not.toContain('New webhook');
    const html = await (await member.get(path)).text();
    for (const words of ['Pause', 'Send a test message', 'Rotate the secret', 'Delete the webhook'])
      expect(textOf(html)).not.toContain(words);
    for (const page of ['/edit', '/rotate', '/delete']) expect((await member.get(path + page)).status).toBe(403);
  });

  it('a page of webhooks has 50, the newest first', async () => {
    const world = await startWorkspace('scale');
    for (let n = 0; n < 51; n++) {
      await webhooks.create(world.workspaceId, { url: receiver.url, description: `Number ${n}` });
    }
    const html = await (await world.admin.get(world.base)).text();
    const [, older = ''] = /href="[^"]*(\?page=[^"]+)"/.exec(html) ?? [];
    expect([textOf(html).includes('Number 50 '), textOf(html).includes('Number 0 ')]).toEqual([true, false]);
    expect(await read(await world.admin.get(`${world.base}${older}`))).toContain('Number 0 ');
  });

  it('the pages say so while the webhooks service is unavailable', async () => {
    const alone = await startTestSystem({}, system.services);
    const { admin, home } = await startStoresWorkspace(alone);
    const response = await admin.get(`${home}/webhooks`);
    expect(response.status).toBe(503);
    await alone.stop();
  });
});
