import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { robotName } from '@shopscope/scanner';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { invite, password } from './people.ts';

/**
 * Follows every address that the API and the pages hand out. Other sites are not asked. An address of the API may need a
 * key: it is called with one.
 */
const publicApiUrl = 'http://api.shopscope.test';
const domain = 'northwind-tea.example';
/**
 * Pages of one kind, such as those of technologies, have the same form, so ten of them stand for all. Pages of the
 * documentation differ.
 */
const maxPerKind = 10;
const isOfDocumentation = (url: string) => new URL(url).pathname.startsWith('/docs');

let env: DevEnv;
let secret: string;
let visitor: Visitor;
let site: string;

beforeAll(async () => {
  env = await startDevEnv({ label: 'links', dashboard: true, env: { CORPUS_COUNT_INTERVAL_MS: '1000' } });
  site = env.dashboard?.url ?? '';
  const workspace = await env.createWorkspace({ name: 'Links' });
  secret = workspace.secret;
  visitor = createVisitor(site);
  const { pathname, search } = new URL(await invite(env, workspace.workspaceId, 'linus@example.com', 'admin'));
  await visitor.submit(pathname + search, { name: 'Linus', password, intent: 'sign-up' });
  await api('/v1/stores/enrich', { method: 'POST', body: JSON.stringify({ domains: [domain], refresh: true }) });
  await waitUntil('the scan', async () => (await api(`/v1/stores/${domain}`)).status === 200, { timeoutMs: 60_000 });
}, 120_000);
afterAll(async () => {
  await env?.stop();
});

const api = (path: string, init: RequestInit = {}) =>
  fetch(env.apiUrls[0] + path, {
    ...init,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  });

/** The addresses in a document, as absolute URLs. Templates are filled with the store. */
function addressesIn(text: string, type: string, base: string): string[] {
  const found = type.includes('html')
    ? [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))
    : type.includes('xml')
      ? [...text.matchAll(/<loc>([^<]+)</g)].map(([, address = '']) => address)
      : [...text.matchAll(/"(https?:\/\/[^"\s]+)"/g)].map(([, address = '']) => address);
  return found
    .map((address) => address.replaceAll('{domain}', domain))
    .filter((address) => !address.includes('{') && URL.canParse(address, base))
    .map((address) => {
      const url = new URL(address, base);
      url.hash = '';
      return url.href;
    });
}

/** Asks for an address of this system; undefined for another site. */
async function ask(url: string): Promise<Response | undefined> {
  const { origin, pathname, search } = new URL(url);
  if (origin === publicApiUrl) {
    const response = await api(pathname + search);
    // Operations that take a body are not pages: a call without its members is refused by the operation itself.
    return response.status === 404 ? api(pathname + search, { method: 'POST', body: '{}' }) : response;
  }
  return origin === site ? visitor.get(pathname + search) : undefined;
}

/** Host and first part of the path. */
function kindOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}/${pathname.split('/')[1]}`;
}

/** 400: the call lacks members. 501: announced, and not served yet. */
const isRefusedOperation = (url: string, status: number) =>
  url.startsWith(publicApiUrl) && (status === 400 || status === 501);

describe('addresses', { tags: ['nightly'] }, () => {
  it('every address that the API or a page hands out leads somewhere, with or without a session', async () => {
    const dead: string[] = [];
    const followed = new Map<string, string>();
    const waiting = [`${publicApiUrl}/`, `${publicApiUrl}/v1`, `${publicApiUrl}/v1/openapi.json`].map((url) => ({
      url,
      from: 'start',
    }));
    const pages = ['/technologies', '/docs', '/sitemap.xml', '/robots.txt', '/sign-in', '/workspaces'];
    for (const url of [
      ...pages.map((path) => site + path),
      `${publicApiUrl}/v1/stores/${domain}`,
      `${publicApiUrl}/v1/technologies?limit=200`,
    ]) {
      waiting.push({ url, from: 'start' });
    }
    const ofKind = new Map<string, number>();
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (followed.has(next.url)) continue;
      const kind = kindOf(next.url);
      const count = (ofKind.get(kind) ?? 0) + 1;
      if (count > maxPerKind && !isOfDocumentation(next.url)) continue;
      ofKind.set(kind, count);
      followed.set(next.url, next.from);
      const response = await ask(next.url);
      if (!response) continue;
      const { status, headers } = response;
      if (status >= 400 && !isRefusedOperation(next.url, status)) dead.push(`${status} ${next.url}, from ${next.from}`);
      const place = headers.get('location');
      const type = headers.get('content-type') ?? '';
      const text = await response.text();
      // Contents of files of scripts and styles are not documents.
      const found = /html|xml|json/.test(type) ? addressesIn(text, type, next.url) : [];
      if (place) found.push(new URL(place, next.url).href);
      for (const url of found) waiting.push({ url, from: next.url });
    }
    expect(dead).toEqual([]);
    const documentation = ['/docs/reference/getStore', '/docs/openapi.json', '/try/getStore'];
    for (const path of [
      ...documentation,
      `/stores/${domain}`,
      '/docs',
      '/bot',
      '/status',
      '/settings/api-keys',
      '/technologies',
    ]) {
      expect([...followed.keys()]).toContain(site + path);
    }
  }, 240_000);

  it('the page of the robot shows the name that a robots.txt has to use', async () => {
    expect(await (await visitor.get('/bot')).text()).toContain(`User-agent: ${robotName}\nDisallow: /`);
  });
});
