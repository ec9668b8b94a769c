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
import type { TestGateway } from './support/gateway.ts';
import type { TestSystem } from './support/system.ts';
import { viewportsInTurn } from './support/viewports.ts';
import { startStoresWorkspace } from './support/workspace.ts';

export function describeTryGraphqlBrowser(shared: () => TestSystem, sharedGateway: () => TestGateway): void {
  describe('try graphql browser', () => {
    const chromium = chromiumPath(process.env.PATH ?? '');
    const fits = 'document.documentElement.scrollWidth <= innerWidth';

    describe.skipIf(!chromium)('GraphQL in a browser', () => {
      const nextViewports = viewportsInTurn(viewports);
      const refusals: string[] = [];
      let system: TestSystem;
      let browser: Browser;
      let page: Page;
      let base: string;

      beforeAll(async () => {
        system = shared();
        sharedGateway().addStore('fresh.example');
        const { ann, home } = await startStoresWorkspace(system);
        base = `${system.url}${home}/try/graphql`;
        browser = await launchBrowser(chromium as string);
        page = await newPage(browser, viewports[0] as (typeof viewports)[number]);
        page.setDefaultTimeout(60_000);
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text())) refusals.push(message.text());
        });
        await signIn(page, system.url, ann);
      }, 180_000);
      afterAll(async () => {
        await browser?.close();
      });

      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const document = () => page.getByLabel('Document', { exact: true });
      const expectSound = async (name: string) => {
        for (const viewport of nextViewports()) {
          await showIn(page, viewport);
          expect([name, viewport.name, await page.evaluate(fits), await seriousViolations(page)]).toEqual([
            name,
            viewport.name,
            true,
            [],
          ]);
        }
        await showIn(page, viewports[0] as (typeof viewports)[number]);
      };

      it('a person asks for the cost of a document, mends its error at its line, and runs it', async () => {
        await openPage(page, base);
        await expectSound('begin');
        await page.getByLabel('Variables, JSON (optional)').fill('{"domain": "fresh.example"}');
        await button('Cost').click();
        await page.getByText('not run').waitFor();
        await expectSound('cost');

        const query = await document().inputValue();
        await document().fill(query.replace('match', 'mach'));
        await page.getByLabel('Send it and bill the workspace').check();
        await button('Run').click();
        await page.getByText('Line 3, column 5', { exact: true }).waitFor();
        expect(await document().getAttribute('aria-invalid')).toBe('true');
        await expectSound('error');

        await document().fill(query);
        await page.getByLabel('Send it and bill the workspace').check();
        await button('Run').click();
        await page.getByText('Shop of fresh.example').waitFor();
        expect(await document().getAttribute('aria-invalid')).toBeNull();
        await expectSound('answer');
      });

      it('a person chooses another document, and the operation if the document has several', async () => {
        await openPage(page, base);
        await page.getByRole('link', { name: 'History of a store' }).click();
        await expect.poll(() => document().inputValue(), { timeout: 60_000 }).toContain('query History(');
        expect(await page.getByLabel('Operation').count()).toBe(0);
        await document().fill('query A { usage { period { ends_at } } }\nquery B { account { plan { slug } } }');
        await page.getByLabel('Operation').selectOption('B');
        await expectSound('several');
        await page.getByLabel('Variables, JSON (optional)').fill('');
        await page.getByLabel('Send it and bill the workspace').check();
        await button('Run').click();
        await page.getByText('"slug"').waitFor();
      });

      it('the policy of the page refuses nothing that the form needs', () => {
        expect(refusals).toEqual([]);
      });
    });
  });
}
