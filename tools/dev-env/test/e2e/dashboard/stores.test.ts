import { chromiumPath, launchBrowser, seriousViolations, showIn, type Viewport, viewports } from '@shopscope/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { invite, join } from './people.ts';

/**
 * A person looks stores up, requests a scan and runs a list, in a browser and on real servers. All services, including
 * the dashboard, call each other over mutual TLS. By day, the tests of the dashboard try the same pages with the gateway or with doubles.
 */
const chromium = chromiumPath(process.env.PATH ?? '');
const [wide, , , narrow] = viewports as [Viewport, Viewport, Viewport, Viewport];

describe.skipIf(!chromium)('Stores', { tags: ['nightly'] }, () => {
  let env: DevEnv;
  let browser: Browser;
  let page: Page;
  let workspaceId: string;
  let secret: string;
  let base: string;
  /** A store in the corpus, and one that no scan has seen. */
  let known: string;
  let unknown: string;
  const errors: string[] = [];

  beforeAll(async () => {
    env = await startDevEnv({ label: 'stores', dashboard: true, tls: true });
    browser = await launchBrowser(chromium as string);
    ({ workspaceId, secret } = await env.createWorkspace({ name: 'Northwind' }));
    [known = '', unknown = ''] = env.demoStores.domains.map(({ domain }) => domain);
    const body = JSON.stringify({ domains: [known], refresh: true });
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    await fetch(`${env.apiUrls[0]}/v1/stores/enrich`, { method: 'POST', body, headers });
    await env.settle();
    page = await join(
      browser,
      wide,
      await invite(env, workspaceId, 'mia@northwind.example', 'member'),
      'Mia Northwind',
    );
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    base = `${env.dashboard?.url}/workspaces/${workspaceId}/stores`;
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await env?.stop();
  });

  /** Units of the key Dashboard, as the API returns them. */
  const usedByDashboard = async () => {
    const answer = await fetch(`${env.apiUrls[0]}/v1/usage`, { headers: { Authorization: `Bearer ${secret}` } });
    const { by_key: rows } = (await answer.json()) as { by_key: { label: string; used: Record<string, number> }[] };
    const used = rows.find(({ label }) => label === 'Dashboard')?.used;
    return [used?.lookup_cached, used?.lookup_live];
  };
  const expectUsed = (cached: number, live: number) => expect.poll(usedByDashboard).toEqual([cached, live]);

  /** The page has no serious violation and no overflow, wide and light as well as narrow and dark. */
  const expectClean = async () => {
    for (const viewport of [wide, narrow]) {
      await showIn(page, viewport);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([page.url(), viewport.name, await seriousViolations(page), overflow]).toEqual([
        page.url(),
        viewport.name,
        [],
        0,
      ]);
    }
    await showIn(page, wide);
  };

  it('the command palette leads to the form of a look-up, which bills nothing until it is sent', async () => {
    // It is shown when the page's script runs.
    await page.getByRole('button', { name: 'Find a page' }).filter({ visible: true }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page' }).fill(known);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Stores', level: 1 }).waitFor();
    expect(await page.getByLabel('Domain').inputValue()).toBe(known);
    expect(await usedByDashboard()).toEqual([undefined, undefined]);
    await expectClean();
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await page.getByText(/billed 1 cached look-up/).waitFor();
    await page.getByRole('heading', { name: 'Technologies' }).waitFor();
    await expectClean();
    await page.reload();
    await page.getByText(/billed 1 cached look-up/).waitFor();
    await page.goBack();
    await page.goForward();
    await page.getByText(/billed 1 cached look-up/).waitFor();
    await expectUsed(1, 0);
  });

  it('the page of an unknown store shows its scan to the end, and its profile can be looked up then', async () => {
    await page.goto(`${base}?domain=${unknown}`);
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await page.getByRole('heading', { name: 'Not in the corpus' }).waitFor();
    await expectClean();
    await page.getByRole('link', { name: 'Request a scan' }).click();
    await page.getByRole('heading', { name: `Scan ${unknown}` }).waitFor();
    await expectClean();
    await page.getByRole('button', { name: 'Request the scan' }).click();
    await page.getByText('The scan has succeeded').waitFor({ timeout: 60_000 });
    await expectClean();
    await page.getByRole('link', { name: `Look ${unknown} up` }).click();
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await page.getByText(/billed 1 cached look-up/).waitFor();
    await expectUsed(2, 1);
  });

  it('a list is imported and enriched, and the page of its job follows it to its end and exports it', async () => {
    const workspace = base.replace(/\/stores$/, '');
    await page.goto(`${workspace}/lists/new`);
    const invented = Array.from({ length: 250 }, (_, n) => `shop-${n}.invented-${n}.example`);
    await page.getByLabel('Domains').fill([known, 'no domain', unknown, ...invented].join('\n'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('1 line has no domain').waitFor();
    await expectClean();
    await page.getByRole('button', { name: 'Import 252 stores' }).click();
    await page.getByText('252 stores were added').waitFor();
    await expectClean();
    await page.getByRole('link', { name: 'Open the list' }).click();
    await page.getByRole('link', { name: 'Enrich' }).waitFor();
    await expectClean();
    await page.getByRole('link', { name: 'Enrich' }).click();
    await page.getByText('2 fresh · 0 stale · 250 unknown').waitFor();
    await expectClean();
    await page.getByRole('button', { name: 'Start the job' }).click();
    // Nobody reloads the page.
    await page.getByText('252 of 252 stores').first().waitFor({ timeout: 60_000 });
    await page.getByRole('columnheader', { name: 'Domain' }).waitFor();
    await expectClean();
    await expectUsed(4, 1);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    await page.goto(`${workspace}/jobs`);
    await page.getByText('252').first().waitFor();
    await expectClean();
  });

  it('the pages of Stores break no content security policy', () => {
    expect(errors).toEqual([]);
  });
});
