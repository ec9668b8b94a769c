import { chromiumPath, launchBrowser, newPage, openPage, signIn, type Viewport, viewports } from '@shopscope/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

const chromium = chromiumPath(process.env.PATH ?? '');

describe.skipIf(!chromium)('Find stores in a browser', () => {
  let system: TestSystem;
  let gateway: TestGateway;
  let browser: Browser;
  let page: Page;
  let find: string;

  beforeAll(async () => {
    system = await startTestSystem();
    gateway = await startGatewayOf(system, { withLists: true });
    const { ann, home } = await startStoresWorkspace(system);
    find = `${system.url}${home}/find`;
    browser = await launchBrowser(chromium as string);
    page = await newPage(browser, viewports[0] as Viewport);
    await signIn(page, system.url, ann);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await system?.stop();
  });

  it('a query is counted while a person types, a near value is taken by a click, and an added clause keeps what was typed', async () => {
    await openPage(page, `${find}?country=DE`);
    const names = page.locator('input[name=c1]');
    await names.fill('omnisend klavyo');
    await page.getByRole('button', { name: 'klaviyo', exact: true }).click();
    await page.waitForURL(/c1=omnisend\+klaviyo/);
    await page.locator('section[aria-label=Count]', { hasText: '60 stores' }).waitFor();
    await page.getByRole('button', { name: 'Add a clause' }).click();
    await page.locator('input[name=c2]').waitFor();
    expect(await names.inputValue()).toBe('omnisend klaviyo');
    expect(gateway.searches.every(({ kind }) => kind === 'count')).toBe(true);
  });
});
