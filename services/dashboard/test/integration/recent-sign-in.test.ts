import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromiumPath, launchBrowser, newPage, openPage, signIn, type Viewport, viewports } from '@shopscope/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startWebhooksOf, type TestWebhooks } from './support/webhooks.ts';

type Form = Record<string, string>;
/**
 * What a form requires in addition to the session: a recent sign-in (`requireRecentSignIn`), or the password in the
 * form itself. `nothing` has the reason why an older session is enough.
 */
type Asks = 'recent' | 'password' | { nothing: string };

const entrance = { nothing: 'It is for people without a session.' };
const billed = { nothing: 'It spends units, as every key does, within the limits of the plan.' };
const stores = { nothing: 'It changes lists, as every key with write:watchlists does.' };
const less = { nothing: 'It only takes rights away.' };
const trial = { nothing: 'It changes nothing.' };
const words = { nothing: 'It changes a name or a look.' };

const workspace = '/workspaces/:workspaceId';
const settings = `${workspace}/settings`;
const testTenant = `${settings}/test`;
const keyForm = {
  label: 'New',
  environment: 'live',
  access: 'full',
  expires: 'none',
  expires_on: '',
  request_token: 'a-token-of-a-form',
};

const webhookForm = { token: 'a-token-of-a-form', url: 'http://127.0.0.1:9/x', event_types: 'scan.failed' };

/** Every form of the application, with its intents: `PATH` or `PATH INTENT`. Each new one has to be added here. */
const forms: Record<string, [Asks, form?: () => Form]> = {
  '/sign-in': [entrance],
  '/sign-in/code': [entrance],
  '/sign-up': [entrance],
  '/verify': [entrance],
  '/verify resend': [entrance],
  '/forgot-password': [entrance],
  '/reset-password': [entrance],
  '/confirm': ['password'],
  '/sign-out': [less],
  '/theme': [words],
  '/invitations/:token': [{ nothing: 'It accepts what an admin or an operator grants.' }],
  '/invitations/:token sign-up': [entrance],
  '/invitations/:token decline': [less],
  '/workspaces': [{ nothing: 'It makes an empty workspace without a key.' }],
  '/account name': [words],
  '/account email': ['recent', () => ({ email: 'elsewhere@example.com' })],
  '/account password': ['password', () => ({ currentPassword: '', newPassword: 'another long password' })],
  '/account end-session': [less],
  '/account end-others': [less],
  '/account/address': [{ nothing: 'It needs the link that was mailed after a recent sign-in.' }],
  '/account/two-factor begin': ['password'],
  '/account/two-factor codes': ['password'],
  '/account/two-factor disable': ['password'],
  '/account/two-factor/set-up': ['recent', () => ({ code: '123456' })],
  '/account/two-factor/set-up cancel': [{ nothing: 'It ends a set-up that nothing depends on.' }],
  '/account/delete': ['recent', () => ({ address: ann.email })],
  [`${workspace}/stores`]: [billed],
  [`${workspace}/stores switch_on`]: ['recent'],
  [`${workspace}/stores/:domain/scan`]: [billed],
  [`${workspace}/find count`]: [billed],
  [`${workspace}/find rows`]: [billed],
  [`${workspace}/find export`]: [billed],
  [`${workspace}/find save`]: [stores],
  [`${workspace}/lists/new`]: [stores],
  [`${workspace}/lists/imports/:importId`]: [stores],
  [`${workspace}/lists/:listId add`]: [stores],
  [`${workspace}/lists/:listId remove`]: [stores],
  [`${workspace}/lists/:listId rename`]: [words],
  [`${workspace}/lists/:listId/import`]: [stores],
  [`${workspace}/lists/:listId/delete`]: [stores],
  [`${workspace}/lists/:listId/enrich`]: [billed],
  [`${workspace}/watchlists/new add`]: [stores],
  [`${workspace}/watchlists/copies/:copyId`]: [stores],
  [`${workspace}/watchlists/:watchlistId add`]: [stores],
  [`${workspace}/watchlists/:watchlistId remove`]: [stores],
  [`${workspace}/watchlists/:watchlistId change`]: [words],
  [`${workspace}/watchlists/:watchlistId pause`]: [less],
  [`${workspace}/watchlists/:watchlistId resume`]: [billed],
  [`${workspace}/watchlists/:watchlistId rescans`]: [billed],
  [`${workspace}/watchlists/:watchlistId end_rescans`]: [less],
  [`${workspace}/watchlists/:watchlistId/delete`]: [stores],
  [`${workspace}/webhooks/new`]: ['recent', () => ({ ...webhookForm, intent: 'create' })],
  [`${workspace}/webhooks/new check_url`]: [trial],
  [`${workspace}/webhooks/new count`]: [trial],
  [`${workspace}/webhooks/:webhookId test`]: [{ nothing: 'It sends an example to a URL that an admin has set.' }],
  [`${workspace}/webhooks/:webhookId pause`]: [less],
  [`${workspace}/webhooks/:webhookId resume`]: [{ nothing: 'It sends events to a URL that an admin has set.' }],
  [`${workspace}/webhooks/:webhookId/edit`]: ['recent', () => ({ ...webhookForm, intent: 'change' })],
  [`${workspace}/webhooks/:webhookId/edit check_url`]: [trial],
  [`${workspace}/webhooks/:webhookId/edit count`]: [trial],
  [`${workspace}/webhooks/:webhookId/rotate`]: ['recent', () => ({ overlap_hours: '0', token: 'a-token-of-a-form' })],
  [`${workspace}/webhooks/:webhookId/delete`]: ['recent', () => ({ host: '127.0.0.1:9' })],
  [`${workspace}/changes`]: [billed],
  [`${workspace}/jobs/:jobId`]: [{ nothing: 'It cancels a job, as every key with its scope does.' }],
  [`${workspace}/jobs/:jobId save`]: [stores],
  [`${workspace}/webhooks/deliveries/:deliveryId`]: [
    { nothing: 'It sends an event again, as every key with write:webhooks does.' },
  ],
  [`${workspace}/webhooks/:webhookId/replay`]: [
    { nothing: 'It sends events again, as every key with write:webhooks does.' },
  ],
  [`${workspace}/try/:operationId`]: [billed],
  [`${workspace}/try/graphql cost`]: [trial],
  [`${workspace}/try/graphql run`]: [billed],
  [`${workspace}/usage.csv`]: ['recent'],
  [`${settings}/keys/new`]: ['recent', () => keyForm],
  [`${settings}/keys/:keyId/revoke`]: ['recent', () => ({ prefix: key.prefix })],
  [`${settings}/members invite`]: ['recent', () => ({ email: 'new@example.com', role: 'admin' })],
  [`${settings}/members send_again`]: ['recent', () => ({ email: 'pending@example.com' })],
  [`${settings}/members withdraw`]: [less, () => ({ email: 'pending@example.com' })],
  [`${settings}/members set_role`]: ['recent', () => ({ user_id: mia.id, role: 'admin' })],
  [`${settings}/members/:userId/keys`]: ['recent', () => ({ name: mia.name, keys: key.id })],
  [`${settings}/members/:userId/remove`]: ['recent', () => ({ name: mia.name })],
  [`${settings}/leave`]: [less],
  [`${testTenant} event`]: [{ nothing: 'It makes a test event, as every key with write:webhooks does.' }],
  [`${testTenant} allowance`]: [{ nothing: 'It changes the allowance of the test environment only.' }],
  [`${testTenant} reset`]: ['recent', () => ({ request_token: 'a-token-of-a-form' })],
  [`${settings}/audit-log.csv`]: ['recent'],
  [`${settings}/workspace`]: [words],
  [`${settings}/workspace/delete`]: ['recent', () => ({ name: 'Acme' })],
};

/** Pages whose only purpose is such a form, and downloads: opening them asks as well, so that nobody types a form that is then refused. */
const pages = [
  '/account/export',
  `${workspace}/webhooks/new`,
  `${workspace}/webhooks/:webhookId/edit`,
  `${workspace}/webhooks/:webhookId/rotate`,
  `${workspace}/webhooks/:webhookId/delete`,
  `${settings}/keys/new`,
  `${settings}/keys/new?rotate=:keyId`,
  `${settings}/keys/:keyId/revoke`,
  `${settings}/members/:userId/demote`,
  `${settings}/members/:userId/keys`,
  `${settings}/members/:userId/remove`,
  `${settings}/workspace/delete`,
];

let system: TestSystem;
let webhooks: TestWebhooks;
let ann: Awaited<ReturnType<TestSystem['person']>>;
let mia: Awaited<ReturnType<TestSystem['person']>>;
let workspaceId: string;
let webhookId: string;
let key: { id: string; prefix: string };
let admin: Awaited<ReturnType<TestSystem['signIn']>>;

beforeAll(async () => {
  system = await startTestSystem();
  [ann, mia] = [await system.person('Ann Admin'), await system.person('Mia Member')];
  const members = [
    { id: ann.id, role: 'admin' as const },
    { id: mia.id, role: 'member' as const },
  ];
  const made = await system.workspace('Acme', members);
  workspaceId = made.workspaceId;
  const given = {
    workspaceId,
    label: 'Job',
    preset: 'full',
    scopes: [],
    actor: mia.id,
    actorAddress: '',
    requestToken: '',
  };
  const created = await system.clients.keys.createKey(given);
  key = { id: created.key?.id ?? '', prefix: created.key?.prefix ?? '' };
  webhooks = await startWebhooksOf(system);
  webhookId = await webhooks.create(workspaceId, { url: 'http://127.0.0.1:9/x' });
  admin = await system.signIn(ann);
  await admin.submit(pathOf(`${settings}/members`), { intent: 'invite', email: 'pending@example.com', role: 'admin' });
  await system.ageSignIns(ann.id);
});
afterAll(async () => {
  await webhooks.stop();
  await system.stop();
});

const pathOf = (route: string) =>
  route
    // Only the test environment has this page.
    .replace(':workspaceId', route === testTenant ? `${workspaceId}-test` : workspaceId)
    .replace(':webhookId', webhookId)
    .replace(':keyId', key.id)
    .replace(':userId', mia.id);

/** Everything that a form with a recent sign-in can change or send. */
async function state() {
  const names = [
    'user',
    'member',
    'invitation',
    'organization',
    'address_changes',
    'dashboard_keys',
    'development_mails',
  ];
  const documents = await Promise.all(
    names.map((name) => system.db.collection(name).find().sort({ _id: 1 }).toArray()),
  );
  const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: true });
  const { entries } = await system.clients.keys.listAuditEntries({ workspaceId, beforeId: '', limit: 200 });
  const { endpoints } = await webhooks.list(workspaceId);
  return JSON.stringify([documents, keys, entries, endpoints]);
}

/** The forms of the build, and the intents that the sources of their routes compare. */
async function formsOfBuild(): Promise<string[]> {
  const build = pathToFileURL(resolve(import.meta.dirname, '../../gen/web/server/index.js')).href;
  const { routes } = (await import(build)) as {
    routes: Record<string, { id: string; path?: string; module: { action?: unknown } }>;
  };
  const sources = readFileSync(resolve(import.meta.dirname, '../../src/routes.ts'), 'utf8');
  return Object.values(routes)
    .filter(({ module }) => module.action)
    .flatMap(({ id, path }) => {
      const file = sources.match(new RegExp(`'(${id}\\.tsx?)'`))?.[1] as string;
      const source = readFileSync(resolve(import.meta.dirname, '../../src', file), 'utf8');
      const intents = [...source.matchAll(/(?:\bcase|\bintent'?\)? ===) '([\w-]+)'/g)].map(([, intent]) => intent);
      return [`/${path}`, ...new Set(intents)].map((name, n) => (n === 0 ? name : `/${path} ${name}`)) as string[];
    });
}

describe('table of forms', () => {
  it('the table of forms has every form of the application with every intent', async () => {
    const built = await formsOfBuild();
    expect(Object.keys(forms).filter((name) => !built.includes(name))).toEqual([]);
    // A route all of whose forms have an intent needs no row of its own.
    const rows = Object.keys(forms);
    const covered = (name: string) =>
      rows.includes(name) || (!name.includes(' ') && rows.some((row) => row.startsWith(`${name} `)));
    expect(built.filter((name) => !covered(name))).toEqual([]);
  });
});

const named = (asks: 'recent' | 'password' | 'nothing') =>
  Object.entries(forms).filter(([, [given]]) => (typeof given === 'string' ? given : 'nothing') === asks);
const partsOf = (name: string, form: (() => Form) | undefined): [path: string, form: Form] => {
  const [route = '', intent] = name.split(' ');
  return [pathOf(route), { ...(intent && { intent }), ...form?.() }];
};

/** Pages that ask when they are opened, and files: their forms lead to the confirmation when they are sent without script. */
const leadsAway = (name: string) => name.endsWith('.csv') || pages.includes(name);
/** Ann is the last admin, and has begun no set-up, so these pages have no form that could contain a link. */
const hasNoForm = ['/account/delete', '/account/two-factor/set-up'];

describe('sign-ins of more than 15 minutes ago', () => {
  it.each([
    ['resetTestTenant', {}],
    ['createWebhook', { url: 'http://127.0.0.1:9/tried', event_types: ['scan.failed'] }],
  ])('the tried operation %s asks for a confirmation, as its own page does', async (id, body) => {
    const before = await state();
    const path = `/workspaces/${workspaceId}-test/try/${id}`;
    const response = await admin.submit(path, { token: 'a-token-of-a-form', body: JSON.stringify(body) });
    expect([response.status, (await response.text()).includes('/confirm?next=')]).toEqual([401, true]);
    expect(await state()).toBe(before);
  });

  it.each(named('recent'))(
    'the form %s without a recent sign-in changes nothing and asks for a confirmation',
    async (name, [, form]) => {
      const before = await state();
      const [path, fields] = partsOf(name, form);
      const confirm = `/confirm?next=${encodeURIComponent(path)}`;
      const response = await admin.submit(path, fields);
      if (leadsAway(name)) expect(response.headers.get('location')).toBe(confirm);
      else {
        expect(response.status).toBe(401);
        const hasLink = (await response.text()).includes(`<a href="${confirm}" target="_blank"`);
        expect(hasLink).toBe(!hasNoForm.includes(name));
      }
      expect(await state()).toBe(before);
    },
  );

  it('a form without a recent sign-in keeps what was typed, and is carried out after a confirmation in another tab', async () => {
    const path = pathOf(`${settings}/members`);
    const form = { intent: 'invite', email: 'typed@example.com', role: 'admin' };
    const html = await (await admin.submit(path, form)).text();
    expect(html).toMatch(/<input[^>]*name="email"[^>]*value="typed@example.com"/);
    expect(html).toMatch(/<option[^>]*value="admin"[^>]*selected|<input[^>]*value="admin"[^>]*checked/);
    await admin.submit(`/confirm?next=${path}`, { password: ann.password });
    expect((await admin.submit(path, form)).status).toBe(200);
    await system.mails('typed@example.com');
    await system.ageSignIns(ann.id);
  });

  it.each(named('password'))('the form %s changes nothing without the password', async (name, [, form]) => {
    const before = await state();
    const [path, fields] = partsOf(name, form);
    expect((await admin.submit(path, fields)).status).toBe(400);
    expect(await state()).toBe(before);
  });

  it.each(pages)('the page %s without a recent sign-in asks for a confirmation', async (page) => {
    const path = pathOf(page);
    expect((await admin.get(path)).headers.get('location')).toBe(`/confirm?next=${encodeURIComponent(path)}`);
  });
});

const chromium = chromiumPath(process.env.PATH ?? '');

it.skipIf(!chromium)(
  'a form that was open for more than 15 minutes keeps what was typed in a browser',
  async () => {
    const browser = await launchBrowser(chromium as string);
    try {
      const page = await newPage(browser, viewports[0] as Viewport);
      await signIn(page, system.url, ann);
      await openPage(page, system.url + pathOf(`${settings}/keys/new`));
      await page.getByLabel('Label').fill('Typed for a long time');
      await system.ageSignIns(ann.id);
      await page.getByRole('button', { name: 'Create key' }).click();
      const link = page.getByRole('link', { name: 'Confirm in a new tab' });
      const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      await tab.getByLabel('Password').fill(ann.password);
      await tab.getByRole('button', { name: 'Confirm', exact: true }).click();
      await tab.waitForURL(/\/keys\/new$/);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'Store this key now' }).waitFor();
      const { keys } = await system.clients.keys.listKeys({ workspaceId, includeInactive: false });
      expect(keys.map(({ label }) => label)).toContain('Typed for a long time');
    } finally {
      await browser.close();
    }
  },
  60_000,
);
