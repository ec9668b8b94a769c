import { isDeepStrictEqual } from 'node:util';
import {
  accountPages,
  chromiumPath,
  contentOf,
  entrancePages,
  findPageIds,
  launchBrowser,
  newPage,
  openPage,
  type PageIds,
  type PageOfDashboard,
  seriousViolations,
  showIn,
  type Viewport,
  viewports,
  workspacePages,
} from '@shopscope/browser';
import { isNightly, nightlyUnless, waitUntil } from '@shopscope/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { invite, join } from './people.ts';

/** Every page of each role, in light on a wide and in dark on a narrow screen. */
const chromium = chromiumPath(process.env.PATH ?? '');
const roles = ['admin', 'member'] as const;
const [wideLight, , , narrowDark] = viewports as [Viewport, Viewport, Viewport, Viewport];

const measure = `[
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  document.querySelectorAll('h1').length,
]`;
/** The kinds of the elements of a page: tag, classes and names of attributes, with those of the parent. Two elements of a kind look the same. */
const elementKinds = `(() => {
  const kind = ({ localName, className, attributes }) =>
    [localName, className, ...[...attributes].map(({ name, value }) => name === 'type' ? value : name)].join(' ');
  return [...new Set([...document.querySelectorAll('body *')].map((each) => kind(each.parentElement) + ' > ' + kind(each)))];
})()`;
const clean = { violations: [], overflow: 0, headings: 1 };
const bothViewports = [wideLight, narrowDark];
/** `.ci/nightly` looks at each page of each role in both viewports. By day each page of an admin has one of them, in turn. */
const viewportsOf = (at: number) => (isNightly ? bothViewports : bothViewports.slice(at % 2, (at % 2) + 1));

describe.skipIf(!chromium)('pages', () => {
  let env: DevEnv;
  let browser: Browser;
  let ids: PageIds;
  let url: string;
  const signedIn = new Map<string, Page>();
  const analyzedKinds = new Set<string>();

  /**
   * By day, axe-core analyzes a page only if it has an element of a kind that no page before it had. An analysis takes longer than everything
   * else about a page.
   */
  const violationsOf = async (page: Page) => {
    const kinds = (await page.evaluate(elementKinds)) as string[];
    if (!isNightly && kinds.every((kind) => analyzedKinds.has(kind))) return [];
    for (const kind of kinds) analyzedKinds.add(kind);
    return seriousViolations(page);
  };

  beforeAll(async () => {
    env = await startDevEnv({ label: 'pages', dashboard: true });
    url = env.dashboard?.url ?? '';
    browser = await launchBrowser(chromium as string);
    const { workspaceId, secret } = await env.createWorkspace({ name: 'Northwind' });
    const post = async (path: string, body: object) => {
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${env.apiUrls[0]}${path}`, sent);
      expect([path, response.ok]).toEqual([path, true]);
      return (await response.json()) as { id: string };
    };
    const list = await post('/v1/lists', { name: 'Prospects' });
    await post(`/v1/lists/${list.id}/stores`, { stores: [{ domain: 'shop.example', external_id: 'crm-1' }] });
    await post(`/v1/lists/${list.id}/enrich`, {});
    for (const role of roles) {
      const link = await invite(env, workspaceId, `${role}@northwind.example`, role);
      signedIn.set(role, await join(browser, wideLight, link, `The ${role}`));
    }
    const admin = signedIn.get('admin') as Page;
    ids = await waitUntil('the request in the log, and the job', async () => {
      const found = await findPageIds((path) => contentOf(admin, url + path), workspaceId);
      return found.requestId && found.jobId && found;
    });
  });
  afterAll(async () => {
    await browser?.close();
    await env?.stop();
  });

  /** Returns the faults of pages, by their names and viewports. Each page is opened once. */
  const faultsOf = async (page: Page, pages: readonly PageOfDashboard[]) => {
    const faults: Record<string, unknown> = {};
    for (const [at, { name, path, status }] of pages.entries()) {
      const errors: string[] = [];
      const record = (message: { type(): string; text(): string }) => {
        // Chromium reports a page that responds with an error status.
        const isOfStatus = status >= 400 && message.text().includes(`status of ${status}`);
        if (message.type() === 'error' && !isOfStatus) errors.push(message.text());
      };
      const recordException = (error: Error) => errors.push(String(error));
      page.on('console', record);
      page.on('pageerror', recordException);
      const response = await openPage(page, `${url}/${path}`);
      if (response?.status() !== status) faults[name] = `responds with ${response?.status()}`;
      for (const viewport of viewportsOf(at)) {
        await showIn(page, viewport);
        const [overflow, headings] = (await page.evaluate(measure)) as [number, number];
        const found = { violations: await violationsOf(page), overflow, headings };
        if (!isDeepStrictEqual(found, clean)) faults[`${name} ${viewport.name}`] = found;
      }
      page.off('console', record);
      page.off('pageerror', recordException);
      if (errors.length > 0) faults[`${name} errors`] = errors;
    }
    return faults;
  };

  it('every page without a session has no serious accessibility violation, no overflow and no script error', async () => {
    const page = await newPage(browser, wideLight);
    const link = await invite(env, ids.workspaceId, 'new@northwind.example', 'member');
    const invitation = { name: 'invitation', path: new URL(link).pathname.slice(1), status: 200 } as const;
    expect(await faultsOf(page, [...entrancePages, invitation])).toEqual({});
    await page.context().close();
  }, 120_000);

  for (const role of roles) {
    const title = `every page for the role ${role} has no serious accessibility violation, no overflow and no script error`;
    it(title, { ...nightlyUnless(role === 'admin'), timeout: 240_000 }, async () => {
      const pages = [...workspacePages(role, ids), ...accountPages];
      expect(await faultsOf(signedIn.get(role) as Page, pages)).toEqual({});
    });
  }

  it('the page of API keys can be used with the keyboard alone, and shows where the focus is', async () => {
    const page = signedIn.get('admin') as Page;
    await showIn(page, wideLight);
    await openPage(page, `${url}/workspaces/${ids.workspaceId}/settings/keys`);
    const seen = new Set<string>();
    for (let n = 0; n < 40; n++) {
      await page.keyboard.press('Tab');
      const focused = (await page.evaluate(`(() => {
        const element = document.activeElement;
        if (element === document.body) return '|';
        const style = getComputedStyle(element);
        return (element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40) + '|' + style.outlineStyle;
      })()`)) as string;
      seen.add(focused);
    }
    const names = [...seen].map((text) => text.split('|')[0]);
    for (const name of ['Skip to the content', 'Usage', 'Members', 'Sign out']) expect(names).toContain(name);
    expect([...seen].filter((text) => text.endsWith('|none') && !text.startsWith('|'))).toEqual([]);
  });
});
