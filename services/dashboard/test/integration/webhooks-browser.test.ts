import {
  chromiumPath,
  launchBrowser,
  newPage,
  openPage,
  seriousViolations,
  showIn,
  signIn,
  viewports,
} from '@shopscope/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCorpus } from './support/corpus.ts';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { startReceiver } from './support/receiver.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { viewportsInTurn } from './support/viewports.ts';
import { startWebhooksOf, type TestWebhooks } from './support/webhooks.ts';

const chromium = chromiumPath(process.env.PATH ?? '');
const waitMs = 60_000;
const fits = 'document.documentElement.scrollWidth <= innerWidth';

describe.skipIf(!chromium)('webhooks in a browser', () => {
  const nextViewports = viewportsInTurn(viewports);
  let corpus: Awaited<ReturnType<typeof startCorpus>>;
  let system: TestSystem;
  let gateway: TestGateway;
  let webhooks: TestWebhooks;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let browser: Browser;
  let page: Page;
  let base: string;
  let own: string;

  beforeAll(async () => {
    corpus = await startCorpus([]);
    system = await startTestSystem({ PROFILES_ADDRESS: corpus.address });
    gateway = await startGatewayOf(system, { withLists: true });
    webhooks = await startWebhooksOf(system, gateway.subscriptions?.grpcAddress);
    receiver = await startReceiver();
    const ann = await system.person('Ann Admin');
    const { workspaceId } = await system.workspace('Acme', [{ id: ann.id, role: 'admin' }]);
    base = `${system.url}/workspaces/${workspaceId}/webhooks`;
    own = `${base}/${await webhooks.create(workspaceId, { url: receiver.url, description: 'x'.repeat(300) })}`;
    browser = await launchBrowser(chromium as string);
    page = await newPage(browser, viewports[0] as (typeof viewports)[number]);
    page.setDefaultTimeout(waitMs);
    await signIn(page, system.url, ann);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await webhooks?.stop();
    await gateway?.stop();
    await system?.stop();
    await corpus?.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('an admin creates a webhook, stores its secret, sends a test message and pauses it', async () => {
    await openPage(page, base);
    await page.getByRole('link', { name: 'New webhook' }).click();
    const url = page.getByLabel('URL');
    await url.fill('https://10.0.0.1/');
    await page.getByLabel('Description').focus();
    await page.getByText('The host does not have public addresses only.').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    await url.fill(receiver.url);
    await page.getByLabel('Description').fill('Typed before the check ends');
    await page.getByText('The URL can receive events').waitFor();

    await page.getByLabel('Technologies', { exact: true }).fill('klavio');
    await button('Count matching events').click();
    await page.getByText('near ones: klaviyo').waitFor();
    await page.getByLabel('Technologies', { exact: true }).fill('klaviyo');
    await button('Count matching events').click();
    await page.getByText(/0 events of the last 7 days match/).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed before the check ends');

    await button('Create webhook').click();
    await page.getByRole('heading', { name: 'Store this secret now' }).waitFor();
    const secret = await page.getByText(/^whsec_/).textContent();
    await page.getByRole('link', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    expect(await page.content()).not.toContain(secret);

    receiver.answer = { status: 200, body: 'x'.repeat(1_000) };
    await button('Send a test message').click();
    await page.getByText('The receiver accepted the message').waitFor();
    await showIn(page, viewports[2] as (typeof viewports)[number]);
    expect(await page.evaluate(fits)).toBe(true);
    await showIn(page, viewports[0] as (typeof viewports)[number]);
    expect(receiver.received.map(({ body }) => JSON.parse(body).test)).toEqual([true]);
    await button('Pause').click();
    await page.getByText('This webhook is paused').waitFor();
    await button('Resume').waitFor();
  }, 180_000);

  it.each([
    ['webhooks', () => base],
    ['new', () => `${base}/new`],
    ['webhook', () => own],
    ['edit', () => `${own}/edit`],
    ['verify', () => `${own}/verify`],
    ['rotate', () => `${own}/rotate`],
    ['delete', () => `${own}/delete`],
  ])(
    'a page of webhooks fits into the window and has no serious violation: %s',
    async (_, placeOf) => {
      await openPage(page, placeOf());
      for (const viewport of nextViewports()) {
        await showIn(page, viewport);
        expect([viewport.name, await seriousViolations(page)]).toEqual([viewport.name, []]);
        expect([viewport.name, await page.evaluate(fits)]).toEqual([viewport.name, true]);
      }
    },
    180_000,
  );
});
