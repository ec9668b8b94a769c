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
import type { TestSystem } from './support/system.ts';
import { viewportsInTurn } from './support/viewports.ts';

export function describeNamesBrowser(shared: () => TestSystem): void {
  describe('names browser', () => {
    const chromium = chromiumPath(process.env.PATH ?? '');

    /** Names that the rules allow and that are hard to show. */
    const names = {
      admin: 'محمد بن عبد الله العلي',
      posing: 'Shopscope operator',
      long: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)} q\u0301\u0300\u0323\u0331`,
      hebrew: 'שרה כהן (admin)',
    };

    describe.skipIf(!chromium)('names in a browser', () => {
      const nextViewports = viewportsInTurn(viewports);
      let system: TestSystem;
      let browser: Browser;
      let page: Page;
      let settings: string;

      beforeAll(async () => {
        system = shared();
        const people = await Promise.all(Object.values(names).map((name) => system.person(name)));
        const [admin, posing, long, hebrew] = people as [Person, Person, Person, Person];
        const { workspaceId } = await system.workspace('متجر الشاي', [
          { id: admin.id, role: 'admin' },
          { id: posing.id, role: 'admin' },
          { id: long.id, role: 'member' },
          { id: hebrew.id, role: 'member' },
        ]);
        settings = `${system.url}/workspaces/${workspaceId}/settings`;
        const list = `/workspaces/${workspaceId}/settings/members`;
        const [first, second] = [await system.signIn(admin), await system.signIn(posing)];
        await first.submit(list, { intent: 'invite', email: 'new.person@example.com', role: 'member' });
        for (const { id } of [long, hebrew])
          await first.submit(list, { intent: 'set_role', user_id: id, role: 'admin' });
        const key = {
          environment: 'live',
          access: 'read_only',
          expires: 'none',
          expires_on: '',
          request_token: 'a-token-of-a-form',
        };
        await second.submit(`/workspaces/${workspaceId}/settings/keys/new`, { ...key, label: 'مفتاح 1 (ci)' });
        browser = await launchBrowser(chromium as string);
        page = await newPage(browser, viewports[0] as (typeof viewports)[number]);
        await signIn(page, system.url, admin);
      }, 120_000);
      afterAll(async () => {
        await browser?.close();
      });
      type Person = Awaited<ReturnType<TestSystem['person']>>;

      it.each(['members', 'audit-log', 'keys', 'workspace'])(
        'names in a browser fit into the page and disturb nothing: %s',
        async (path) => {
          await openPage(page, `${settings}/${path}`);
          for (const viewport of nextViewports()) {
            await showIn(page, viewport);
            const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
            expect([viewport.name, await page.evaluate(overflow)]).toEqual([viewport.name, 0]);
            expect([viewport.name, await seriousViolations(page)]).toEqual([viewport.name, []]);
          }
        },
      );
    });
  });
}
