import { chromiumPath, launchBrowser, newPage, type Viewport, viewports } from '@shopscope/browser';
import { minuteMs } from '@shopscope/clock';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { invite, join, password } from './people.ts';

/**
 * The first steps of a new customer, in a browser and on real servers: accept the invitation, create a key, call the
 * API, see the usage, revoke the key. Without Chromium the tests are skipped: apt-get install --no-install-recommends
 * chromium-headless-shell
 */
const chromium = chromiumPath(process.env.PATH ?? '');
const viewport = viewports[0] as Viewport;
/** The contract's bound for a revocation. */
const revokedWithinMs = 60_000;

describe.skipIf(!chromium)('the dashboard for a new workspace', () => {
  let env: DevEnv;
  let browser: Browser;
  let page: Page;
  let workspaceId: string;
  let domain: string;
  const secrets: string[] = [];
  const outsideRequests: string[] = [];
  const violations: string[] = [];

  const callApi = (secret: string) =>
    fetch(`${env.apiUrls[0]}/v1/stores/${domain}`, { headers: { Authorization: `Bearer ${secret}` } });

  const goTo = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

  beforeAll(async () => {
    env = await startDevEnv({ label: 'journey', dashboard: true, gateways: 2 });
    browser = await launchBrowser(chromium as string);
    const existing = await env.createWorkspace({ name: 'Northwind' });
    workspaceId = existing.workspaceId;
    domain = env.demoStores.domains[0]?.domain ?? '';
    const body = JSON.stringify({ domains: [domain], refresh: true });
    const headers = { Authorization: `Bearer ${existing.secret}`, 'Content-Type': 'application/json' };
    await fetch(`${env.apiUrls[0]}/v1/stores/enrich`, { method: 'POST', body, headers });
    await env.settle();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await env?.stop();
  });

  it('an admin joins a new workspace by the invitation', async () => {
    const link = await invite(env, workspaceId, 'ann@northwind.example', 'admin');
    page = await join(browser, viewport, link, 'Ann Northwind');
    page.on('request', (request) => {
      if (!request.url().startsWith(env.dashboard?.url ?? '')) outsideRequests.push(request.url());
    });
    page.on('console', (message) => {
      // The browser reports each request that it could not send.
      const isOffline = message.text().includes('ERR_INTERNET_DISCONNECTED');
      if (message.type() === 'error' && !isOffline) violations.push(message.text());
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Northwind').filter({ visible: true }).first().waitFor();
  });

  it('an admin creates a key, whose secret the page shows once', async () => {
    await goTo('API keys');
    await page
      .getByRole('link', { name: /create key/i })
      .first()
      .click();
    await page.getByLabel('Label').fill('import job');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Store this key now' }).waitFor();
    const secret = (await page.locator('code').allTextContents()).find((text) => text.startsWith('svc_live_')) ?? '';
    expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{40}$/);
    expect(page.url()).not.toContain('svc_live_');
    secrets.push(secret);
    await page.getByRole('link', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'import job' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.goBack();
    expect(await page.content()).not.toContain(secret);
  });

  it('an admin creates further keys by the command palette, also from the page of a new key', async () => {
    await goTo('API keys');
    for (const label of ['second job', 'third job']) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find a page' }).fill('create an API key');
      await page.keyboard.press('Enter');
      await page.getByLabel('Label').fill(label);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'Store this key now' }).waitFor();
      await page.getByText(label, { exact: true }).waitFor();
    }
    await page.getByRole('link', { name: 'I have stored it' }).click();
  });

  it('a page that is offline keeps what was typed, and its form can be sent when the connection is back', async () => {
    await page.goto(`${env.dashboard?.url}/workspaces/${workspaceId}/settings/keys/new`);
    await page.getByLabel('Label').fill('typed before');
    const palette = page.getByRole('combobox', { name: 'Find a page' });
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
    await page.context().setOffline(true);
    await page.getByText(/^You are offline/).waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('link', { name: 'Usage', exact: true }).first().click();
    await page.keyboard.press('Control+k');
    await palette.fill('usage');
    await page.keyboard.press('Enter');
    await palette.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Label').inputValue()).toBe('typed before');
    await page.context().setOffline(false);
    await page.getByText(/^You are offline/).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Store this key now' }).waitFor();
    await page.getByRole('link', { name: 'I have stored it' }).click();
  });

  it('a slow navigation shows the loading bar', async () => {
    const loaded = Promise.withResolvers<void>();
    await page.route('**/*.data*', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Members', exact: true }).first().click();
    const bar = page.getByRole('progressbar', { name: 'Loading the page' });
    await bar.waitFor();
    loaded.resolve();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await bar.count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('an admin calls the API with the new key and sees the usage', async () => {
    const [secret = ''] = secrets;
    for (let n = 0; n < 3; n++) expect((await callApi(secret)).status).toBe(200);
    await page.goto(`${env.dashboard?.url}/workspaces/${workspaceId}/usage`);
    const row = page.getByRole('row', { name: /import job/ });
    await row.filter({ hasText: '3' }).first().waitFor({ timeout: 60_000 });
  });

  it('a live page never shows a use in the future', async () => {
    const laterMs = 10 * minuteMs;
    await page.route('**/usage/figures*', async (route) => {
      const response = await route.fetch();
      const data = (await response.json()) as { nowMs: number; keys: { lastUsed?: { atMs: number } }[] };
      const nowMs = data.nowMs + laterMs;
      const keys = data.keys.map((key) => ({ ...key, lastUsed: { atMs: nowMs } }));
      await route.fulfill({ response, json: { ...data, nowMs, keys } });
    });
    await page.waitForResponse(/usage\/figures/);
    const row = page.getByRole('row', { name: /import job/ });
    await expect.poll(() => row.locator('time').textContent()).toBe('now');
    await page.unroute('**/usage/figures*');
  });

  it('an admin finds the request of a response in the log by its id, and reads what it billed', async () => {
    const [secret = ''] = secrets;
    const requestId = (await callApi(secret)).headers.get('x-request-id') ?? '';
    const log = `${env.dashboard?.url}/workspaces/${workspaceId}/requests`;
    const place = async () => {
      await page.goto(`${log}?id=${requestId}`);
      return page.url();
    };
    await expect.poll(place, { timeout: 60_000 }).toBe(`${log}/${requestId}`);
    await goTo('Requests');
    await page
      .getByRole('row', { name: /getStore/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page' }).fill(requestId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: requestId }).waitFor();
    await page.getByText('1 cached look-up', { exact: true }).waitFor();
    expect(await page.locator('code').allTextContents()).toContain(
      `curl 'http://api.shopscope.test/v1/stores/${domain}' -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`,
    );
  });

  it('an admin revokes a key, sees that every gateway refuses it, and the API answers 401', async () => {
    const [secret = ''] = secrets;
    await goTo('API keys');
    await page.getByRole('link', { name: 'import job', exact: true }).first().click();
    await page.getByRole('heading', { name: 'import job' }).waitFor();
    await page.getByRole('link', { name: 'Revoke', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(secret.slice(0, 13));
    await dialog.getByRole('button', { name: /revoke/i }).click();
    await page.getByText(/2 of 2 API servers/).waitFor({ timeout: revokedWithinMs });
    expect((await callApi(secret)).status).toBe(401);
  });

  it('an admin finds the created key and the joined person in the audit log', async () => {
    await goTo('Audit log');
    for (const name of [/import job/, /Ann Northwind/]) await page.getByRole('row', { name }).first().waitFor();
  });

  it('an admin signs out, and back in to the page of the link', async () => {
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL(/\/sign-in/);
    await page.goto(`${env.dashboard?.url}/workspaces/${workspaceId}/settings/members`);
    await page.getByLabel('E-mail address').fill('ann@northwind.example');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/settings\/members/);
  });

  it('a member sees the keys and the usage, without the controls', async () => {
    const link = await invite(env, workspaceId, 'ben@northwind.example', 'member');
    const member = await join(browser, viewport, link, 'Ben Northwind');
    await member.getByRole('link', { name: 'API keys' }).click();
    await member.getByText('import job').first().waitFor();
    expect(await member.getByRole('link', { name: /create key/i }).count()).toBe(0);
    expect(await member.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    const refused = await member.goto(`${env.dashboard?.url}/workspaces/${workspaceId}/settings/audit-log`);
    expect(refused?.status()).toBe(403);
    await member.context().close();
  });

  it('an admin creates and revokes a key without script', async () => {
    const plain = await newPage(browser, viewport, { javaScriptEnabled: false });
    await plain.goto(`${env.dashboard?.url}/sign-in`);
    await plain.getByLabel('E-mail address').fill('ann@northwind.example');
    await plain.getByLabel('Password').fill(password);
    await plain.getByRole('button', { name: 'Sign in', exact: true }).click();
    await plain.goto(`${env.dashboard?.url}/workspaces/${workspaceId}/settings/keys/new`);
    await plain.getByLabel('Label').fill('plain form');
    await plain.getByRole('button', { name: 'Create key' }).click();
    const texts = await plain.locator('code').allTextContents();
    const secret = texts.find((text) => text.startsWith('svc_live_')) ?? '';
    expect((await callApi(secret)).status).toBe(200);
    await plain.getByRole('link', { name: 'I have stored it' }).click();
    await plain.getByRole('link', { name: 'Revoke' }).click();
    await plain.getByRole('textbox').fill(secret.slice(0, 13));
    await plain.getByRole('button', { name: /revoke/i }).click();
    await expect.poll(async () => (await callApi(secret)).status, { timeout: revokedWithinMs }).toBe(401);
    await plain.context().close();
  });

  it('the dashboard loads nothing from elsewhere, and breaks no content security policy', () => {
    expect({ outsideRequests, violations }).toEqual({ outsideRequests: [], violations: [] });
  });
});
