import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** The public pages have a host of their own, as they may in an installation. */
const siteHost = 'public.shopscope.test';
let system: TestSystem;
let port: number;
let host: string;
let asset: string;
beforeAll(async () => {
  system = await startTestSystem({ PUBLIC_SITE_URL: `http://${siteHost}` });
  ({ host } = new URL(system.url));
  port = Number(new URL(system.url).port);
  asset = /\/assets\/[^"]+\.css/.exec(await (await system.anonymous().get('/sign-in')).text())?.[0] ?? '';
});
afterAll(() => system?.stop());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request with any Host, and any target. */
const ask = (target: string, named: string, { method = 'GET', body = '', headers = {} } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, path: target, method, headers: { host: named, ...headers } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** The status line of an answer to lines that no client sends. */
const askRaw = (...lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
  });

const form = { method: 'POST', body: 'email=ann%40example.com', headers: {} };
const linkIn = (text: string) => /<a href="([^"]*)"/.exec(text)?.[1];

describe('foreign hosts', () => {
  it.each([
    ['/sign-in', () => '/sign-in'],
    ['/development/mail', () => '/development/mail'],
    ['/workspaces', () => '/workspaces'],
    ['/mcp', () => '/mcp'],
    ['an asset', () => asset],
    ['/auth/callback/oidc', () => '/auth/callback/oidc'],
    ['a path that no page has', () => '/nowhere'],
  ])(
    'a request under a foreign host gets 421 with the right address as a link, and nothing else: %s',
    async (_, path) => {
      for (const named of [
        'rebound.example',
        `rebound.example:${port}`,
        '127.0.0.1',
        '127.0.0.1:1',
        `localhost:${port}`,
      ]) {
        const { status, headers, text } = await ask(path(), named);
        expect([status, headers.location, headers['set-cookie']]).toEqual([421, undefined, undefined]);
        expect(headers['cache-control']).toBe('no-store');
        expect(linkIn(text)).toBe(system.url + path());
      }
    },
  );

  it.each(['/', '/docs', '/stores/prairie.example'])(
    'a request under a foreign host gets a link to the public page, not a redirect: %s',
    async (path) => {
      const { status, headers, text } = await ask(path, 'rebound.example');
      expect([status, headers.location, linkIn(text)]).toEqual([421, undefined, `http://${siteHost}${path}`]);
    },
  );

  it('a request under a foreign host gets no form carried out, and no way to send it again', async () => {
    const { status, headers, text } = await ask('/forgot-password', 'rebound.example', form);
    expect([status, headers.location, linkIn(text)]).toEqual([421, undefined, `${system.url}/`]);
    expect(text).not.toContain('ann');
  });

  it('a request under a foreign host finds nothing of its own path as markup in the page', async () => {
    const { text } = await ask(`/"><script>alert(1)</script>/'&`, 'rebound.example');
    expect(text).not.toContain('<script');
    expect(linkIn(text)).toBe(`${system.url}/%22%3E%3Cscript%3Ealert(1)%3C/script%3E/&#39;&#38;`);
  });
});

describe('targets in absolute form', () => {
  it('a request target in absolute form with a host of the dashboard is answered as its path', async () => {
    expect((await ask(`http://${host}/sign-in?next=/account`, host)).text).toContain('Sign in');
    expect((await ask(`http://${siteHost}/robots.txt`, siteHost)).status).toBe(200);
  });

  it.each([
    ['a foreign host', () => ['http://rebound.example/sign-in', host]],
    ['a host of the dashboard beside a foreign Host', () => [`http://${host}/sign-in`, 'rebound.example']],
    ['one own host beside the other', () => [`http://${host}/sign-in`, siteHost]],
    ['a user', () => [`http://user@${host}/sign-in`, host]],
    ['no host', () => ['http:///sign-in', host]],
  ])('a request target in absolute form of %s gets 421', async (_, named) => {
    const [target = '', header = ''] = named();
    expect((await ask(target, header)).status).toBe(421);
  });
});

describe('invalid Hosts', () => {
  it.each([
    ['no Host', 400, () => ['GET /sign-in HTTP/1.1']],
    ['no Host in HTTP/1.0', 421, () => ['GET /sign-in HTTP/1.0']],
    ['two Hosts', 400, () => ['GET /sign-in HTTP/1.1', `Host: ${host}`, 'Host: rebound.example']],
    ['one Host twice', 400, () => ['GET /sign-in HTTP/1.1', `Host: ${host}`, `host: ${host}`]],
    ['a user in the Host', 400, () => ['GET /sign-in HTTP/1.1', `Host: user@${host}`]],
    ['an empty Host', 400, () => ['GET /sign-in HTTP/1.1', 'Host:']],
    ['a list of Hosts', 400, () => ['GET /sign-in HTTP/1.1', `Host: ${host}, ${host}`]],
    ['an authority as target', 400, () => [`GET ${host} HTTP/1.1`, `Host: ${host}`]],
    ['an asterisk as target', 400, () => ['OPTIONS * HTTP/1.1', `Host: ${host}`]],
    ['a tunnel', 405, () => [`CONNECT ${host} HTTP/1.1`, `Host: ${host}`]],
  ])('a request with an invalid Host is answered below 500: %s', async (_, status, lines) => {
    expect(await askRaw(...lines())).toContain(` ${status} `);
  });
});

describe('two own hosts', () => {
  it('the two own hosts lead to each other when they are read, even when the Host is in capitals', async () => {
    const page = await ask('/docs', host);
    expect([page.status, page.headers.location]).toEqual([301, `http://${siteHost}/docs`]);
    const signIn = await ask('/sign-in', siteHost.toUpperCase());
    expect([signIn.status, signIn.headers.location]).toEqual([302, `${system.url}/sign-in`]);
    expect((await ask('/docs', `${siteHost}:80`)).status).toBe(200);
  });

  it('the two own hosts take forms and messages of language models at the dashboard only', async () => {
    const headers = { origin: system.url };
    for (const path of ['/forgot-password', '/mcp', '/']) {
      const { status, headers: answered } = await ask(path, siteHost, { ...form, headers });
      expect([status, answered.location]).toEqual([421, undefined]);
    }
    expect((await ask('/forgot-password', host, { ...form, headers })).status).not.toBe(421);
  });
});

it('probes reach the admin port under every name', async () => {
  const { port: adminPort } = new URL(system.services.dashboard.adminUrl);
  const status = await new Promise((resolve, reject) => {
    const probe = { port: adminPort, path: '/readyz', headers: { host: '10.1.2.3:9086' } };
    request(probe, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
});
