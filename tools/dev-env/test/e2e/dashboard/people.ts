import { newPage, type Viewport } from '@shopscope/browser';
import type { Browser, Page } from 'playwright-core';
import type { DevEnv } from '../../../src/index.ts';

export const password = 'correct horse battery staple';

/** The link that lets a person join a workspace, as `npm run admin` prints it. */
export async function invite(
  env: DevEnv,
  workspaceId: string,
  email: string,
  role: 'admin' | 'member',
): Promise<string> {
  const { client } = env.dashboard ?? {};
  if (!client) throw new Error('the environment has no dashboard');
  return (await client.invitePerson({ workspaceId, email, role, actor: 'operator:test' })).url;
}

/** A person joins by the link, in a browser. Returns the page that the person sees then. */
export async function join(browser: Browser, viewport: Viewport, link: string, name: string): Promise<Page> {
  const page = await newPage(browser, viewport);
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /join|create/i }).click();
  await page.waitForURL(/\/workspaces\/ws_/);
  return page;
}
