import {
  chromiumPath,
  launchBrowser,
  newPage,
  seriousViolations,
  showIn,
  type Viewport,
  viewports,
} from '@shopscope/browser';
import { nightlyUnless } from '@shopscope/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleObservations, startCorpus } from './support/corpus.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { viewportsInTurn } from './support/viewports.ts';

/** The pages for everybody in a browser: light on a wide screen, dark on a narrow one. */
const chromium = chromiumPath(process.env.PATH ?? '');
const [wideLight, , , narrowDark] = viewports as [Viewport, Viewport, Viewport, Viewport];

const measure = `[
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  document.querySelectorAll('h1').length,
]`;

describe.skipIf(!chromium)('public pages in a browser', () => {
  let corpus: Awaited<ReturnType<typeof startCorpus>>;
  let system: TestSystem;
  let browser: Browser;
  let page: Page;
  const events: string[] = [];
  const nextViewports = viewportsInTurn([wideLight, narrowDark]);

  beforeAll(async () => {
    corpus = await startCorpus(exampleObservations);
    system = await startTestSystem({ PROFILES_ADDRESS: corpus.address, EXAMPLE_STORES: 'prairie.example' });
    browser = await launchBrowser(chromium as string);
    page = await newPage(browser, wideLight);
    page.on('pageerror', (error) => events.push(String(error)));
    page.on('dialog', (dialog) => {
      events.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) events.push(message.text());
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    await corpus?.stop();
  });

  // Of the pages of one kind, the largest is looked at by day.
  const pages: [path: string, status: number, when?: 'nightly'][] = [
    ['/', 200],
    ['/stores', 200],
    ['/stores?domain=nothing', 400, 'nightly'],
    ['/stores/prairie.example', 200],
    ['/stores/hostile.example', 200],
    ['/stores/nobody.example', 404],
    ['/stores/localhost', 404, 'nightly'],
    ['/technologies', 200],
    ['/technologies?kind=theme&q=a', 200],
    ['/technologies?q=no-such-name', 200, 'nightly'],
    ['/technologies/klaviyo', 200],
    ['/technologies/no-such-slug', 404, 'nightly'],
    ['/docs', 200],
    ['/docs/first-call', 200, 'nightly'],
    ['/docs/errors', 200],
    ['/docs/operators', 200, 'nightly'],
    ['/docs/reference', 200, 'nightly'],
    ['/docs/reference/enrichStores', 200],
    ['/docs/reference/getHost', 200, 'nightly'],
    ['/docs/reference/createWebhook', 200, 'nightly'],
    ['/docs/graphql/schema', 200],
    ['/docs/search?q=domain', 200],
    ['/docs/search?q=zzzzqqqq', 200, 'nightly'],
    ['/docs/no-such-guide', 404, 'nightly'],
    ['/bot', 200],
    ['/status', 200],
  ];
  for (const [path, status, when] of pages) {
    const title = `${path} has no serious accessibility violation, no overflow, no script error and no dialog`;
    it(title, nightlyUnless(when !== 'nightly'), async () => {
      events.length = 0;
      const response = await page.goto(system.url + path);
      expect(response?.status()).toBe(status);
      for (const viewport of nextViewports()) {
        await showIn(page, viewport);
        const [overflow, headings] = (await page.evaluate(measure)) as [number, number];
        expect({ violations: await seriousViolations(page), overflow, headings }).toEqual({
          violations: [],
          overflow: 0,
          headings: 1,
        });
      }
      expect(events).toEqual([]);
    });
  }

  it.each(['/', '/docs', '/bot', '/stores/prairie.example', '/stores/nobody.example'])(
    'every button on %s that copies has a name of its own, which says what it copies',
    async (path) => {
      await page.goto(system.url + path);
      const labels = (await page.evaluate(
        `[...document.querySelectorAll('button[data-copies]')].map((button) => button.closest('figure').querySelector('figcaption span').textContent)`,
      )) as string[];
      expect(labels.length).toBeGreaterThan(0);
      for (const label of labels)
        expect(await page.getByRole('button', { name: `Copy: ${label}`, exact: true }).count()).toBe(1);
    },
  );

  it('a browser leads from the search field to the page of a store, from there to a technology, and copies a command', async () => {
    await showIn(page, wideLight);
    await page.goto(`${system.url}/`);
    await page.getByRole('textbox', { name: 'Domain of a store' }).fill('https://www.prairie.example/boots');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.waitForURL('**/stores/prairie.example');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: The whole profile' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/v1/stores/prairie.example');
    await page.getByRole('link', { name: 'Klaviyo' }).click();
    await page.waitForURL('**/technologies/klaviyo');
    expect(await page.title()).toContain('Klaviyo');
  });
});
