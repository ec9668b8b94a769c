import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { newPage, openPage, signIn, type Viewport, viewports } from './browser.ts';

export interface StatesOptions {
  browser: Browser;
  shoot(page: Page, name: string): Promise<void>;
  /** Address of the dashboard, without a slash at the end. */
  url: string;
  workspaceId: string;
  member: { email: string; password: string };
  pids: Record<'keys' | 'metering', readonly number[]>;
}

/** Takes pictures of one page: as it is, when it shows something, and at an address. */
const cameraOf = (page: Page, { shoot }: Pick<StatesOptions, 'shoot'>) => ({
  shoot: (name: string) => shoot(page, name),
  async shootWhen(shown: Locator, name: string) {
    await shown.waitFor();
    await shoot(page, name);
  },
  async shootAt(url: string, name: string) {
    await openPage(page, url);
    await shoot(page, name);
  },
});

interface Visit extends Omit<StatesOptions, 'shoot'>, ReturnType<typeof cameraOf> {
  page: Page;
  /** Address of the new person's workspace. */
  own: string;
}

const [viewport] = viewports as [Viewport];
const person = { name: 'Ada Example', password: 'correct horse battery staple' };
const bootstrap = join(import.meta.dirname, '../../local/bootstrap.mjs');

/**
 * Shows pages in special states: empty, with the errors of a form, while they load, offline, without permission, and
 * while a service does not respond. Also shows them after each step of a key and of a second factor.
 *
 * A new person in a new workspace goes through them, and deletes the account and with it the workspace at the end. The
 * services keys and metering are stopped for some seconds and continued.
 */
export async function shootStates(options: StatesOptions): Promise<void> {
  const page = await newPage(options.browser, viewport);
  const visit = { ...options, ...cameraOf(page, options), page, own: await joinNewWorkspace(page) };
  try {
    await shootEmptyPages(visit);
    await shootLifeOfKey(visit);
    await shootStores(visit);
    await shootLists(visit);
    await shootMembers(visit);
    await shootConnection(visit);
    await shootFailures(visit);
    await shootSecondFactor(visit);
    await shootRefusals(options);
  } catch (error) {
    await page.unrouteAll();
    await page.context().setOffline(false);
    // The first failure is the one to report.
    await deleteAccount(visit).catch(() => {});
    throw error;
  }
  await deleteAccount(visit);
  await page.context().close();
}

async function joinNewWorkspace(page: Page): Promise<string> {
  const admin = async (...words: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bootstrap, 'admin', ...words, '--json']);
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, string>;
  };
  const name = 'Example GmbH';
  const { id = '' } = await admin('workspace', 'create', '--name', name, '--plan', 'free');
  const email = `ada-${id.slice(-6)}@example.com`;
  const { url = '' } = await admin('person', 'invite', '--workspace', id, '--email', email, '--role', 'admin');
  await openPage(page, url);
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: /join/i }).click();
  await page.waitForURL(/\/workspaces\/ws_/);
  return page.url();
}

async function shootEmptyPages({ own, shootAt }: Visit): Promise<void> {
  for (const [name, path] of [
    ['overview', ''],
    ['keys', '/settings/keys'],
    ['usage', '/usage'],
    ['usage-by-key', '/usage?split=keys'],
    ['requests', '/requests'],
    ['requests-filtered', '/requests?key=key_unknown&time=24h'],
    ['requests-unknown-id', '/requests?id=req_unknown1'],
    ['lists', '/lists'],
    ['jobs', '/jobs'],
    ['watchlists', '/watchlists'],
    ['webhooks', '/webhooks'],
    ['changes', '/changes'],
    ['audit-log', '/settings/audit-log'],
    ['audit-log-filtered', '/settings/audit-log?action=key.revoked'],
  ] as const) {
    await shootAt(own + path, `empty-${name}`);
  }
}

async function shootLifeOfKey({ page, own, shoot, shootAt, shootWhen }: Visit): Promise<void> {
  const create = page.getByRole('button', { name: 'Create key' });
  await openPage(page, `${own}/settings/keys/new`);
  await sendUnchecked(page);
  await create.click();
  await shootWhen(refused(page), 'key-new-refused');
  await page.getByLabel('Label').fill('Shop search');
  await create.click();
  await shootWhen(page.getByRole('heading', { name: 'Store this key now' }), 'key-new-secret');
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await shootWhen(page.getByRole('heading', { name: 'Shop search' }), 'key-unused');
  const key = page.url();

  await shootAt(`${key}/rotate`, 'key-rotate-begun');
  await page.getByRole('link', { name: 'Create the new key' }).click();
  await create.click();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await shootWhen(page.getByText('No request with the new key yet'), 'key-rotate-waiting');

  await openPage(page, key);
  await page.getByRole('link', { name: 'Revoke', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await shoot('key-revoke-dialog');
  await dialog.getByRole('textbox').fill('svc_live_0000');
  await dialog.getByRole('button', { name: /revoke/i }).click();
  await shootWhen(refused(page), 'key-revoke-dialog-refused');
  await dialog.getByRole('textbox').fill(await confirmationOf(page));
  await dialog.getByRole('button', { name: /revoke/i }).click();
  await shootWhen(page.getByText(/Refused at \d+ of \d+ API server/).first(), 'key-revoked');
  await shootAt(`${own}/settings/keys`, 'keys-with-revoked');
}

/** Demo stores, of which the corpus has all except the last. */
const stores = ['northwind-tea.example', 'atelier-sucre.example', 'tiny-acre-honey.example'];

async function shootStores({ page, own, shootAt, shootWhen }: Visit): Promise<void> {
  const lookUp = async (domain: string) => {
    await openPage(page, `${own}/stores`);
    await page.getByLabel('Domain').fill(domain);
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
  };
  await lookUp('not a domain');
  await shootWhen(refused(page), 'store-look-up-refused');
  for (const domain of stores) {
    await lookUp(domain);
    await shootWhen(page.getByText(/billed 1 cached look-up/), `store-${domain.split('.')[0]}`);
  }
  await lookUp('unknown-store.example');
  await shootWhen(page.getByRole('heading', { name: 'Not in the corpus' }), 'store-unknown');
  await page.getByRole('link', { name: 'Request a scan' }).click();
  await page.getByRole('button', { name: 'Request the scan' }).click();
  await shootWhen(page.getByRole('heading', { name: /^Scan of/ }), 'store-scan-running');
  await shootAt(`${own}/stores`, 'stores-used');
}

async function shootLists({ page, own, shootAt, shootWhen }: Visit): Promise<void> {
  const rows = [...stores, 'unknown-store.example', 'not a domain', stores[0]].map((domain, n) => `${domain},crm-${n}`);
  await openPage(page, `${own}/lists/new`);
  await page.getByLabel('Name').fill('Prospects');
  await page.getByLabel('Domains').fill(['domain,CRM id,note', ...rows.map((row) => `${row},x`)].join('\n'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await shootWhen(page.getByRole('button', { name: 'Import 4 stores' }), 'list-import-checked');
  await page.getByRole('button', { name: 'Import 4 stores' }).click();
  await shootWhen(page.getByText('4 stores were added'), 'list-imported');
  await page.getByRole('link', { name: 'Open the list' }).click();
  await shootWhen(page.getByRole('heading', { name: 'Prospects' }), 'list');
  const list = page.url();
  await shootAt(`${list}/import`, 'list-import');
  await shootAt(`${list}/delete`, 'list-delete');
  await shootAt(`${own}/lists`, 'lists-used');
  await shootAt(`${list}/enrich`, 'list-enrich');
  await page.getByRole('button', { name: 'Start the job' }).click();
  await shootWhen(page.getByText('4 of 4 stores').first(), 'job-enrichment');
  await shootAt(`${own}/jobs`, 'jobs-used');
}

async function shootMembers({ page, own, shoot, shootWhen }: Visit): Promise<void> {
  await openPage(page, `${own}/settings/members`);
  await page.getByLabel('Invite by e-mail address').fill('grace@example.com');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await shootWhen(page.getByText(/^We sent an invitation/), 'member-invited');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a page' }).fill('a');
  await shoot('command-palette');
  await page.keyboard.press('Escape');
}

async function shootConnection({ page, own, shoot, shootWhen }: Visit): Promise<void> {
  await openPage(page, own);
  const loaded = Promise.withResolvers<void>();
  await page.route('**/*.data*', async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Usage' }).first().click();
  await shootWhen(page.getByRole('progressbar', { name: 'Loading the page' }), 'loading');
  loaded.resolve();
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });

  await openPage(page, `${own}/settings/keys/new`);
  await page.getByLabel('Label').fill('Typed before the connection was lost');
  await page.context().setOffline(true);
  await page.getByText(/^You are offline/).waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await shoot('offline-form');
  await page.context().setOffline(false);
  await openPage(page, own);
  await page.context().setOffline(true);
  await shootWhen(page.getByText(/^Paused/), 'offline-overview');
  await page.context().setOffline(false);
}

async function shootFailures({ page, own, pids, shootAt, shootWhen }: Visit): Promise<void> {
  await openPage(page, own);
  for (const service of ['metering', 'keys'] as const) {
    const resume = () => signalAll(pids[service], 'SIGCONT');
    // Ctrl-C must not leave the service suspended.
    process.once('exit', resume);
    try {
      signalAll(pids[service], 'SIGSTOP');
      if (service === 'metering') {
        await shootWhen(page.getByText(/^No new data/), 'overview-late');
      }
      for (const [name, path] of [
        ['overview', ''],
        ['usage', '/usage'],
        ['plan', '/settings/plan'],
        ['requests', '/requests'],
        ['keys', '/settings/keys'],
      ] as const) {
        await shootAt(own + path, `${name}-without-${service}`);
      }
    } finally {
      resume();
      process.off('exit', resume);
    }
  }
}

/** An instance that has ended meanwhile is left out. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function shootSecondFactor({ page, url, shootAt, shootWhen }: Visit): Promise<void> {
  await openPage(page, `${url}/account/two-factor`);
  await page.getByLabel('Your password').fill('a wrong password');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await shootWhen(refused(page), 'two-factor-refused');
  await page.getByLabel('Your password').fill(person.password);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await shootWhen(page.getByRole('heading', { name: 'Turn on two-step sign-in' }), 'two-factor-set-up');
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill(oneTimeCode(secret, Date.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await shootWhen(page.getByRole('heading', { name: 'Two-step sign-in is on' }), 'two-factor-backup-codes');
  await page.getByRole('link', { name: 'I have stored them' }).click();
  await shootAt(`${url}/account/two-factor`, 'two-factor-on');
}

async function shootRefusals(options: StatesOptions): Promise<void> {
  const { browser, url, workspaceId, member } = options;
  const page = await newPage(browser, viewport);
  const { shootAt, shootWhen } = cameraOf(page, options);
  await openPage(page, `${url}/sign-in`);
  await page.getByLabel('E-mail address').fill(member.email);
  await page.getByLabel('Password').fill('a wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shootWhen(refused(page), 'sign-in-refused');
  await signIn(page, url, member);
  await shootAt(`${url}/workspaces/${workspaceId}/settings/audit-log`, 'no-permission');
  await shootAt(`${url}/workspaces/${workspaceId}/settings/keys/key_unknown`, 'key-not-found');
  await page.context().close();
}

async function deleteAccount({ page, url, shoot, shootAt }: Visit): Promise<void> {
  await shootAt(`${url}/account/delete`, 'account-delete-with-workspace');
  await page.getByRole('textbox').fill(await confirmationOf(page));
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL(/\/sign-in/);
  await shoot('account-deleted');
}

/** The message of a refused form, or a field that it refuses. */
const refused = (page: Page) => page.locator('[role=alert]:not(:empty), [aria-invalid=true]').first();

/** Returns the text that a form asks for as a confirmation. */
async function confirmationOf(page: Page): Promise<string> {
  const label = (await page.getByText(/to confirm$/).textContent()) ?? '';
  return label.replace(/^Enter (.*) to confirm$/, '$1');
}

/** Lets the server check the forms of the page instead of the browser. */
const sendUnchecked = (page: Page) => page.evaluate('for (const form of document.forms) form.noValidate = true');

/** The code of an authenticator app (RFC 6238: SHA-1, 30 s, six digits). The secret is base32. */
function oneTimeCode(secret: string, nowMs: number): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const hash = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(step)
    .digest();
  const offset = (hash.at(-1) as number) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
