import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localSystemPath } from '@shopscope/config';
import type { Page } from 'playwright-core';
import { seriousViolations } from './accessibility.ts';
import {
  chromiumPath,
  contentOf,
  launchBrowser,
  newPage,
  openPage,
  showIn,
  signIn,
  type Viewport,
  viewports,
} from './browser.ts';
import {
  accountPages,
  entrancePages,
  findPageIds,
  type PageIds,
  type PageOfDashboard,
  sitePages,
  workspacePages,
} from './pages.ts';
import { shootStates } from './states.ts';

/**
 * Takes pictures of every page ([the list](./pages.ts)) of the running local system (`npm start`): as admin, as member and
 * without a session. Then takes pictures of their states ([the list](./states.ts)). Each is taken light and dark, 1280 and
 * 360 pixels wide. Reports serious violations that axe-core finds, and exits with 1.
 */
const usage = `npm run screenshots [-- FOLDER]    takes pictures of every page of the running dashboard
FOLDER is .local/screenshots by default. Chromium is needed: apt-get install --no-install-recommends chromium-headless-shell`;

interface SignIn {
  email: string;
  password: string;
}
interface Ready {
  workspace_id: string;
  demo_domains: string[];
  dashboard: { base_url: string; admin: SignIn; member: SignIn };
  services: Record<string, { pid: number | null }[]>;
}

/** Only development systems have it. */
const mailPage: PageOfDashboard = { name: 'development-mail', path: 'development/mail', status: 200 };
const settleMs = 150;

async function main(folder: string): Promise<number> {
  const executable = chromiumPath(process.env.PATH ?? '');
  if (!executable) {
    console.error(usage);
    return 2;
  }
  const ready = JSON.parse(readFileSync(localSystemPath(process.env), 'utf8')) as Ready;
  const { base_url: base, admin, member } = ready.dashboard;
  const browser = await launchBrowser(executable);
  let violations = 0;
  const [first] = viewports as [Viewport];
  const shoot = async (page: Page, name: string) => {
    for (const viewport of viewports) {
      await showIn(page, viewport);
      await page.waitForTimeout(settleMs);
      await page.screenshot({ path: join(folder, `${name}.${viewport.name}.png`), fullPage: true });
      for (const violation of await seriousViolations(page)) {
        violations++;
        console.error(`${name} ${viewport.name}: ${violation}`);
      }
    }
    await showIn(page, first);
  };
  const take = async (page: Page, { name, path }: PageOfDashboard, who: string) => {
    await openPage(page, `${base}/${path}`);
    await shoot(page, `${who}-${name}`);
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const anonymous = await newPage(browser, first);
    for (const { name, path } of sitePages(ready.demo_domains[0] ?? '')) {
      await anonymous.goto(`${base}/${path}`);
      await shoot(anonymous, `site-${name}`);
    }
    for (const page of [...entrancePages, mailPage]) await take(anonymous, page, 'public');
    let ids: PageIds | undefined;
    for (const [role, person] of [['admin', admin] as const, ['member', member] as const]) {
      const page = await newPage(browser, first);
      await signIn(page, base, person);
      ids ??= await findPageIds((path) => contentOf(page, base + path), ready.workspace_id);
      for (const each of [...workspacePages(role, ids), ...accountPages]) await take(page, each, role);
      await page.context().close();
    }
    const pidsOf = (service: string) => (ready.services[service] ?? []).flatMap(({ pid }) => pid ?? []);
    const pids = { keys: pidsOf('keys'), metering: pidsOf('metering') };
    const state = (page: Page, name: string) => shoot(page, `state-${name}`);
    await shootStates({ browser, shoot: state, url: base, workspaceId: ready.workspace_id, member, pids });
  } finally {
    await browser.close();
  }
  console.log(`The pictures are in ${folder}. Serious violations: ${violations}.`);
  return violations === 0 ? 0 : 1;
}

process.exitCode = await main(resolve(process.argv[2] ?? '.local/screenshots'));
