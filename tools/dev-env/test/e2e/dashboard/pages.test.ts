import { chromiumPath, launchBrowser, newPage, seriousViolations, type Viewport, viewports } from '@shopscope/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { invite, join } from './people.ts';

/** Every page of each role, in light and dark, on a wide and on a narrow screen. */
const chromium = chromiumPath(process.env.PATH ?? '');
const publicPages = ['sign-in', 'forgot-password', 'sign-up', 'no-such-page'];
const pagesOf = {
  admin: [
    '',
    'usage',
    'settings/keys',
    'settings/keys/new',
    'settings/members',
    'settings/plan',
    'settings/audit-log',
    'settings/workspace',
  ],
  member: ['', 'usage', 'settings/keys', 'settings/members', 'settings/plan', 'settings/workspace'],
} as const;
const roles = ['admin', 'member'] as const;
const [wideLight, , , narrowDark] = viewports as [Viewport, Viewport, Viewport, Viewport];

describe.skipIf(!chromium)('every page', () => {
  let env: DevEnv;
  let browser: Browser;
  let workspaceId: string;
  const signedIn = new Map<string, Page>();

  beforeAll(async () => {
    env = await startDevEnv({ label: 'pages', dashboard: true });
    browser = await launchBrowser(chromium as string);
    workspaceId = (await env.createWorkspace({ name: 'Northwind' })).workspaceId;
    for (const role of roles) {
      const link = await invite(env, workspaceId, `${role}@northwind.example`, role);
      signedIn.set(role, await join(browser, wideLight, link, `The ${role}`));
    }
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await env?.stop();
  });

  const faultsOf = async (page: Page, path: string) => {
    const errors: string[] = [];
    const record = (message: { type(): string; text(): string }) => {
      if (message.type() === 'error' && !message.text().includes('404')) errors.push(message.text());
    };
    page.on('console', record);
    await page.goto(`${env.dashboard?.url}/${path}`, { waitUntil: 'networkidle' });
    page.off('console', record);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    const headings = await page.getByRole('heading', { level: 1 }).count();
    return { violations: await seriousViolations(page), overflow, headings, errors };
  };
  const clean = { violations: [], overflow: 0, headings: 1, errors: [] };

  describe.each([wideLight, narrowDark])('in $name', (viewport) => {
    it.each(publicPages)('%s has no serious accessibility violation, no overflow and no script error', async (path) => {
      const page = await newPage(browser, viewport);
      expect(await faultsOf(page, path)).toEqual(clean);
      await page.context().close();
    });

    it.each(roles)(
      'the pages of a workspace have none for the role %s',
      async (role) => {
        const page = signedIn.get(role) as Page;
        await page.setViewportSize({ width: viewport.width, height: viewport.height });
        await page.emulateMedia({ colorScheme: viewport.colorScheme });
        const faults: Record<string, unknown> = {};
        for (const path of pagesOf[role])
          faults[path] = await faultsOf(page, `workspaces/${workspaceId}${path && `/${path}`}`);
        faults.account = await faultsOf(page, 'account');
        expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((path) => [path, clean])));
      },
      120_000,
    );
  });

  it('every control is reachable and visible with the keyboard alone', async () => {
    const page = signedIn.get('admin') as Page;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${env.dashboard?.url}/workspaces/${workspaceId}/settings/keys`);
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
