import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailurePage } from '../../src/app/inbound/refuse-request.ts';
import { textOf } from './support/html.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** A caller may have one running page, and the following numbers of waiting ones. Rates do not recover while the tests run. */
const onePage = '1';
const waitingOfPerson = 25;
const waitingOfAnonymous = 50;

let system: TestSystem;
let open: AbortController;
beforeAll(async () => {
  open = new AbortController();
  system = await startTestSystem({
    TRUSTED_PROXIES: '127.0.0.1',
    PAGES_PER_MINUTE_PER_PERSON: onePage,
    PAGES_PER_MINUTE_PER_WORKSPACE: onePage,
    ANONYMOUS_PAGES_PER_MINUTE_PER_ADDRESS: onePage,
  });
});
afterAll(async () => {
  open?.abort();
  await system?.stop();
});

const from = (address: string) => ({ 'X-Forwarded-For': address });
/** A new address of its own for each test. */
let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

/** A person whose session this instance knows. Each request of the sign-in comes from another address. */
async function knownPerson(name: string) {
  const person = await system.person(name);
  const { workspaceId } = await system.workspace(name, [{ id: person.id, role: 'admin' }]);
  const browser = createVisitor(system.url);
  const form = { method: 'POST', body: new URLSearchParams({ email: person.email, password: person.password }) };
  await browser.request('/sign-in', { ...form, headers: { Origin: system.url, ...from(newAddress()) } });
  expect((await browser.request('/account', { headers: from(newAddress()) })).status).toBe(200);
  return { browser, workspaceId };
}

/** Requests that stay open: the one page that a caller has, and all that may wait for the next. */
const fill = (browser: Visitor, path: string, { address, waiting }: { address: string; waiting: number }) => {
  for (let n = 0; n <= waiting; n++) {
    browser.request(path, { headers: from(address), signal: open.signal }).catch(() => {});
  }
};
const refusedOf = async (browser: Visitor, path: string, address: string, headers: Record<string, string> = {}) => {
  let response = await browser.request(path, { headers: { ...from(address), ...headers } });
  // The requests of `fill` are on their way.
  for (let n = 0; n < 50 && response.status === 200; n++) {
    response = await browser.request(path, { headers: { ...from(address), ...headers } });
  }
  return response;
};

describe('pages beyond the limit of a person', () => {
  it('a person beyond the limit gets a page with 429 that says why and when to go on, in the theme and without script', async () => {
    const { browser } = await knownPerson('Ann');
    const address = newAddress();
    await browser.submit('/theme', { theme: 'dark' }, { Origin: system.url, ...from(newAddress()) });
    fill(browser, '/account?tab=<b>', { address, waiting: waitingOfPerson });
    const response = await refusedOf(browser, '/account?tab=<b>', address);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('<title>Too many requests · Shopscope</title>');
    expect(html).toMatch(/<html lang="en" data-theme="dark">/);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(textOf(html)).toMatch(
      /Error 429 Too many requests There were too many requests from your account\. Nothing was changed\. Open the page again in \d+ minutes\. Request id: req_\w+ Open the page again/,
    );
    expect(html).toContain('href="/account?tab=%3Cb%3E"');
    expect(html).not.toMatch(/<script|<b>/);
    const [, stylesheet] = /rel="stylesheet" href="([^"]+)"/.exec(html) as unknown as [string, string];
    const style = await browser.request(stylesheet);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });

  it('a person beyond the limit gets 429 as data for the router of the browser, and as JSON for scripts that ask for it', async () => {
    const { browser, workspaceId } = await knownPerson('Ben');
    const address = newAddress();
    const path = `/workspaces/${workspaceId}`;
    fill(browser, path, { address, waiting: waitingOfPerson });
    const data = await refusedOf(browser, `${path}/usage.data`, address);
    expect([data.status, data.headers.get('content-type')]).toEqual([429, 'text/x-script; charset=utf-8']);
    expect(Number(data.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await data.text()).toContain('There were too many requests from your account.');
    const json = await refusedOf(browser, `${path}/usage/figures`, address, { Accept: 'application/json' });
    expect(json.status).toBe(429);
    expect(await json.json()).toMatchObject({ error: { code: 'rate_limited', request_id: expect.any(String) } });
  });

  it('a form that is refused for the limit of a person changes nothing', async () => {
    const { browser } = await knownPerson('Cas');
    const address = newAddress();
    fill(browser, '/account', { address, waiting: waitingOfPerson });
    await refusedOf(browser, '/account', address);
    const sent = await browser.submit(
      '/account',
      { intent: 'name', name: 'Changed' },
      { Origin: system.url, ...from(address) },
    );
    expect(sent.status).toBe(429);
    expect(textOf(await sent.text())).toContain('Nothing was changed.');
    expect(await system.db.collection('user').countDocuments({ name: 'Changed' })).toBe(0);
  });

  it('a person beyond the limit delays nobody else behind the same address and in the same workspace', async () => {
    const [greedy, modest] = [await knownPerson('Dan'), await knownPerson('Eva')];
    const address = newAddress();
    fill(greedy.browser, '/account', { address, waiting: waitingOfPerson });
    await refusedOf(greedy.browser, '/account', address);
    expect((await modest.browser.request('/account', { headers: from(address) })).status).toBe(200);
  });
});

describe('addresses without a session', () => {
  const signIn = (address: string) => createVisitor(system.url).request('/sign-in', { headers: from(address) });

  it.each([
    ['of IPv4 has a limit of its own', '198.51.100.1', '198.51.100.1', '198.51.100.2'],
    ['of IPv6 shares that of its network', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ])('an address %s', async (_, greedy, same, other) => {
    fill(createVisitor(system.url), '/sign-in', { address: greedy, waiting: waitingOfAnonymous });
    const refused = await refusedOf(createVisitor(system.url), '/sign-in', same);
    expect(refused.status).toBe(429);
    expect(textOf(await refused.text())).toContain('There were too many requests from your network.');
    expect((await signIn(other)).status).toBe(200);
  });

  it('an address without a session cannot name another one, unless it is a trusted proxy', async () => {
    const limited = { ANONYMOUS_PAGES_PER_MINUTE_PER_ADDRESS: onePage };
    const untrusting = await startTestSystem(limited, system.services);
    const stop = new AbortController();
    try {
      const statuses = Array.from({ length: waitingOfAnonymous + 2 }, (_, n) =>
        untrusting
          .anonymous()
          .request('/sign-in', { headers: from(`198.51.100.${n}`), signal: stop.signal })
          .then(({ status }) => status)
          .catch(() => 0),
      );
      const refused = await Promise.any(statuses.map(async (status) => (await status) === 429 || Promise.reject()));
      expect(refused).toBe(true);
    } finally {
      stop.abort();
      await untrusting.stop();
    }
  });

  it('an address gets no more pages with pipelined requests of one connection than with others', async () => {
    const { host, port } = new URL(system.url);
    const socket = connect(Number(port), '127.0.0.1');
    const request = `GET /sign-in HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 198.51.100.77\r\n\r\n`;
    socket.write(request.repeat(waitingOfAnonymous + 3));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    // Answers come in order, so refusals arrive only after the requests that wait have ended.
    await expect.poll(() => text).toContain('HTTP/1.1 429');
    socket.destroy();
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });
});

describe('workspaces', () => {
  it('a workspace is not delayed by strangers who name it', async () => {
    const [member, stranger] = [await knownPerson('Fay'), await knownPerson('Gus')];
    const path = `/workspaces/${member.workspaceId}`;
    const address = newAddress();
    fill(stranger.browser, path, { address, waiting: waitingOfPerson });
    await refusedOf(stranger.browser, path, address);
    expect((await member.browser.request(path, { headers: from(newAddress()) })).status).toBe(200);
  });
});

describe('too many requests in all', () => {
  it('the page for too many requests in all has status 503, and says that nobody is at fault', async () => {
    const build = await import(join(import.meta.dirname, '../../gen/web/server/index.js'));
    const failurePage = build.entry.module.createFailurePage() as FailurePage;
    const problem = {
      status: 503,
      code: 'unavailable' as const,
      fault: 'limit' as const,
      field: undefined,
      needsConfirmation: false,
      isUnanswered: false,
      retryAfterSeconds: 2,
      message: 'There are more requests than can be answered at the moment.',
      requestId: 'req_1',
      isRefused: true,
    };
    const first = failurePage(problem, { path: '/account', cookies: '' });
    expect(textOf(first)).toMatch(
      /Error 503 This page is not available right now There are more requests than can be answered at the moment\. Request id: req_1 Open the page again/,
    );
    const second = failurePage({ ...problem, message: '<$&>', requestId: 'req_2' }, { path: '/"', cookies: '' });
    expect(second).toContain('&#60;$&#38;&#62;');
    expect(second).toContain('href="/&#34;"');
    expect(second).toContain('req_2');
  });
});
