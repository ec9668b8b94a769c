import { chromiumPath, launchBrowser, newPage, openPage, signIn, type Viewport, viewports } from '@shopscope/browser';
import type { Visitor } from '@shopscope/browser/visitor';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGatewayOf, type TestGateway } from './support/gateway.ts';
import { read } from './support/html.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startStoresWorkspace } from './support/workspace.ts';

const chromium = chromiumPath(process.env.PATH ?? '');

describe.skipIf(!chromium)('Find stores in a browser', () => {
  let system: TestSystem;
  let gateway: TestGateway;
  let browser: Browser;
  let page: Page;
  let member: Visitor;
  let find: string;

  beforeAll(async () => {
    system = await startTestSystem();
    gateway = await startGatewayOf(system, { withLists: true });
    const world = await startStoresWorkspace(system);
    const { ann, home } = world;
    member = world.member;
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

  it('a click on a bar adds its value to the query, the count falls, and the address shows others the same', async () => {
    await openPage(page, `${find}?country=DE`);
    const count = page.locator('section[aria-label=Count]');
    await count.locator('p', { hasText: /^60 stores$/ }).waitFor();
    await count.getByRole('link', { name: /^Shopify/ }).click();
    await count.locator('p', { hasText: /^40 stores$/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?country=DE&platform=shopify');
    expect(await page.locator('input[name=platform]').inputValue()).toBe('shopify');
    await page.getByRole('button', { name: 'Show 40 stores' }).waitFor();
    const shared = await read(await member.get(page.url().slice(system.url.length)));
    expect(shared).toContain('40 stores');
  });
});
