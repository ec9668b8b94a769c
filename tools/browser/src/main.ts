import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localSystemPath } from '@shopscope/config';
import type { Page } from 'playwright-core';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, launchBrowser, newPage, signIn, type Viewport, viewports } from './browser.ts';

/**
 * Takes pictures of every page of the dashboard of the running local system (`npm start`): as admin, as member and without
 * a session; light and dark; 1280 and 360 pixels wide. Reports serious violations that axe-core finds, and exits with 1.
 */
const usage = `npm run screenshots [-- FOLDER]    takes pictures of every page of the running dashboard
FOLDER is .local/screenshots by default. Chromium is needed: apt-get install --no-install-recommends chromium`;

interface SignIn {
  email: string;
  password: string;
}
interface Ready {
  workspace_id: string;
  dashboard: { base_url: string; admin: SignIn; member: SignIn };
}

const publicPages = ['sign-in', 'forgot-password', 'sign-up', 'no-such-page', 'development/mail'];
const workspacePages = [
  '',
  'usage',
  'settings/keys',
  'settings/keys/new',
  'settings/members',
  'settings/plan',
  'settings/audit-log',
  'settings/workspace',
];

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
  const take = async (page: Page, path: string, name: string, viewport: Viewport) => {
    await page.goto(`${base}/${path}`, { waitUntil: 'networkidle' });
    await page.waitForTimeout(settleMs);
    await page.screenshot({ path: join(folder, `${name}.${viewport.name}.png`), fullPage: true });
    for (const violation of await seriousViolations(page)) {
      violations++;
      console.error(`${name} ${viewport.name}: ${violation}`);
    }
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    for (const viewport of viewports) {
      const anonymous = await newPage(browser, viewport);
      for (const path of publicPages) await take(anonymous, path, `public-${path.replaceAll('/', '-')}`, viewport);
      await anonymous.context().close();
      for (const [role, person] of Object.entries({ admin, member })) {
        const page = await newPage(browser, viewport);
        await signIn(page, base, person);
        for (const path of workspacePages) {
          const name = path.replaceAll('/', '-') || 'overview';
          await take(page, `workspaces/${ready.workspace_id}${path && `/${path}`}`, `${role}-${name}`, viewport);
        }
        await take(page, 'account', `${role}-account`, viewport);
        await page.context().close();
      }
    }
  } finally {
    await browser.close();
  }
  console.log(`The pictures are in ${folder}. Serious violations: ${violations}.`);
  return violations === 0 ? 0 : 1;
}

process.exitCode = await main(resolve(process.argv[2] ?? '.local/screenshots'));
