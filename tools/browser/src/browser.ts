import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core';

/** The size and colour scheme with which a page is opened. */
export interface Viewport {
  name: string;
  colorScheme: 'light' | 'dark';
  width: number;
  height: number;
}

export const viewports: readonly Viewport[] = [
  { name: 'light-1280', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark-1280', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'light-360', colorScheme: 'light', width: 360, height: 740 },
  { name: 'dark-360', colorScheme: 'dark', width: 360, height: 740 },
];

// The headless shell needs the least memory and time. It is the same engine without a window.
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Returns the path of the first Chromium in `path`, the PATH variable. Returns undefined if there is none. */
export function chromiumPath(path: string): string | undefined {
  const files = path.split(delimiter).flatMap((folder) => programs.map((program) => join(folder, program)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath });
}

/** A page in a context of its own, with the time zone of the pictures. */
export async function newPage(
  browser: Browser,
  viewport: Viewport,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { colorScheme, width, height } = viewport;
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    ...options,
  });
  return context.newPage();
}

/**
 * Opens a page and waits until its script runs. Waiting for a quiet network takes half a second at least, and a live page
 * is never quiet for long.
 */
export async function openPage(page: Page, url: string): Promise<Response | null> {
  const response = await page.goto(url);
  await page.waitForFunction(isHydrated);
  return response;
}

export async function contentOf(page: Page, url: string): Promise<string> {
  await page.goto(url);
  return page.content();
}

/** React marks the document when it takes it over, and has rendered it two frames later. */
const isHydrated = `Object.keys(document).some((name) => name.startsWith('__reactContainer')) &&
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`;

export async function showIn(page: Page, { colorScheme, width, height }: Viewport): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
}

/** Signs a person without a second factor in, by the form of the dashboard. Resolves at the page of a workspace. */
export async function signIn(page: Page, url: string, { email, password }: { email: string; password: string }) {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/workspaces\//);
}
