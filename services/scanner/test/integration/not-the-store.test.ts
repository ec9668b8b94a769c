import type { NameResolver } from '@shopscope/outbound-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VisitFailure } from '../../src/domain/reasons.ts';
import { type Handler, type HostileServer, html, shopPage, startHostileServer } from './support/hostile-server.ts';
import { createObserver, ending, type ObserverOptions } from './support/observer.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
});
afterAll(() => server.stop());

const observe = (domain: string, options: ObserverOptions = {}) =>
  createObserver({ hosts: server.hosts, ...options }).observe(domain);
const notTheStore = (reason: string) => ({ outcome: 'NOT_THE_STORE', reason, status: '' });
const refused = (reason: string) => ({ outcome: 'REFUSED', reason, status: '' });
const shop: Handler = (request, response) =>
  request.url?.startsWith('/products.json') ? html(response, 404).end() : html(response).end(shopPage(5_000));

const challenge = `<html><head><title>Hostile Shop</title></head><body>
  <iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&incident_id=1-2"></iframe></body></html>`;

describe('answers that are not the page of the store', () => {
  it.each<[string, string, Handler]>([
    ['a challenge with 200', 'challenged', (_, response) => html(response).end(challenge)],
    ['a challenge with 403', 'challenged', (_, response) => html(response, 403).end(challenge)],
    ['a challenge with 503', 'challenged', (_, response) => html(response, 503).end(challenge)],
    ['a challenge with 202', 'challenged', (_, response) => html(response, 202, { 'sg-captcha': 'challenge' }).end()],
    [
      'a waiting room',
      'waiting_room',
      (_, response) => html(response).end('<title>Shop</title><h1>You are in the queue</h1>'),
    ],
    [
      'an error text with 200',
      'error_page',
      (_, response) => html(response).end('<h1>Error establishing a database connection</h1>'),
    ],
    [
      'a page that comes back',
      'maintenance_page',
      (_, response) => html(response).end('<title>Shop</title><h1>We are updating our shop</h1>'),
    ],
  ])(
    'an answer that is not the page of the store fails the scan: %s is %s, and names nothing of the store',
    async (what, reason, handler) => {
      const host = `${what.replaceAll(' ', '-')}.test`;
      server.on(host, handler);
      const seen = await observe(host);
      expect(ending(seen)).toEqual(notTheStore(reason));
      expect(seen).toMatchObject({
        name: '',
        technologies: [],
        sourcesRead: [],
        coverageNote: 'The site did not answer with its own page.',
      });
      expect(server.requestsOf(host)).toEqual(['/robots.txt', '/']);
    },
  );

  it('an answer that is not the page of the store keeps the reason server_error when the status says so', async () => {
    server.on('down.test', (_, response) => html(response, 500).end('<h1>Internal Server Error</h1>'));
    expect(ending(await observe('down.test'))).toEqual({
      outcome: 'UNREACHABLE',
      reason: 'server_error',
      status: 'unreachable',
    });
  });
});

describe('redirect by a page', () => {
  const leads: [string, Handler][] = [
    ['a refresh of the page', (_, response) => html(response).end('<meta http-equiv="refresh" content="0; url=/en/">')],
    ['a refresh of the response', (_, response) => html(response, 200, { refresh: '0;url=/en/' }).end('<p></p>')],
    ['a script', (_, response) => html(response).end('<script>window.location.replace("/en/")</script>')],
    ['the load of the page', (_, response) => html(response).end(`<body onload="location.href='/en/'"></body>`)],
  ];
  const site =
    (home: Handler): Handler =>
    (request, response) =>
      (request.url === '/' ? home : shop)(request, response);

  it.each(leads)('a redirect that a page makes is followed within the domain: %s', async (what, handler) => {
    const host = `leads-by-${what.replaceAll(' ', '-')}.test`;
    server.on(host, site(handler));
    expect(await observe(host)).toMatchObject({ scope: 'full', statusState: 'active_storefront' });
    expect(server.requestsOf(host).slice(0, 3)).toEqual(['/robots.txt', '/', '/en/']);
  });

  it('a redirect that a page makes is followed to another host of the domain, whose robots.txt is obeyed', async () => {
    const home: Handler = (_, response) =>
      html(response).end('<meta http-equiv="refresh" content="0; url=http://www.shells.test/">');
    server.on('shells.test', home);
    server.on('www.shells.test', shop);
    expect(await observe('shells.test')).toMatchObject({ storefrontHost: 'www.shells.test' });
    server.on('www.shells.test', shop, (_, response) => response.end('User-agent: *\nDisallow: /'));
    expect(ending(await observe('shells.test'))).toEqual(refused('robots_disallowed'));
  });

  it('a redirect that a page makes is not followed to another domain', async () => {
    server.on('away.test', (_, response) =>
      html(response).end('<meta http-equiv="refresh" content="0; url=http://buyer.test/">'),
    );
    server.on('buyer.test', shop);
    expect(ending(await observe('away.test'))).toEqual(notTheStore('redirect_page'));
    expect(server.requestsOf('buyer.test')).toEqual([]);
  });

  it.each([
    ['another port', 'http://HOST:8080/'],
    ['an address of a local network', 'http://localhost.HOST.internal/'],
    ['an address without an end', `/${'a'.repeat(3_000)}`],
    ['a script', 'javascript:go()'],
  ])(
    'a redirect that a page makes to %s is not followed, and is not a sign that the store is unreachable',
    async (what, target) => {
      const host = `leads-to-${what.replaceAll(' ', '-')}.test`;
      server.on(host, (_, response) =>
        html(response).end(`<meta http-equiv="refresh" content="0; url=${target.replace('HOST', host)}">`),
      );
      expect(ending(await observe(host))).toEqual(notTheStore('redirect_page'));
      expect(server.requestsOf(host)).toEqual(['/robots.txt', '/']);
    },
  );

  it('a redirect that a page makes to a host that is not public is not followed', async () => {
    server.on('inside.com', (_, response) =>
      html(response).end('<meta http-equiv="refresh" content="0; url=http://intern.inside.com/">'),
    );
    const dialled: string[] = [];
    const resolver: NameResolver = {
      resolve: async (name) => {
        dialled.push(name);
        return ['10.0.0.1'];
      },
    };
    expect(ending(await observe('inside.com', { resolver }))).toMatchObject({ reason: 'blocked_address' });
    expect(dialled).toEqual(['intern.inside.com']);
  });

  it('a redirect that a page makes counts as a redirect of the chain: five are followed, and the sixth is not', async () => {
    const chain =
      (length: number): Handler =>
      (request, response) => {
        const hop = Number(request.url?.split('hop=')[1] ?? 0);
        if (hop >= length) return shop(request, response);
        const target = `/?hop=${hop + 1}`;
        if (hop % 2 === 0) html(response, 301, { location: target }).end();
        else html(response).end(`<meta http-equiv="refresh" content="0;url=${target}">`);
      };
    server.on('five.test', chain(5));
    server.on('six.test', chain(6));
    expect(ending(await observe('five.test')).outcome).toBe('OBSERVED');
    expect(ending(await observe('six.test'))).toEqual(notTheStore('redirect_page'));
    expect(server.requestsOf('six.test')).toHaveLength(7);
  });

  it('a redirect that a page makes in a circle ends the scan, and is not a sign that the store is unreachable', async () => {
    server.on('circle.test', (request, response) =>
      html(response).end(`<meta http-equiv="refresh" content="0;url=${request.url === '/' ? '/a' : '/'}">`),
    );
    expect(ending(await observe('circle.test'))).toEqual(notTheStore('redirect_page'));
    expect(server.requestsOf('circle.test')).toEqual(['/robots.txt', '/', '/a']);
  });

  it('a redirect that a page makes to itself is a challenge', async () => {
    server.on('again.test', (_, response) => html(response).end('<meta http-equiv="refresh" content="3">'));
    expect(ending(await observe('again.test'))).toEqual(notTheStore('challenged'));
    expect(server.requestsOf('again.test')).toEqual(['/robots.txt', '/']);
  });
});

describe('cookies of a visit', () => {
  const needsCookie =
    (ask: Handler): Handler =>
    (request, response) =>
      (request.headers.cookie?.includes('seen=1') ? shop : ask)(request, response);

  it.each<[string, Handler]>([
    [
      'a redirect to the same page',
      (_, response) => html(response, 302, { location: '/', 'set-cookie': 'seen=1; Path=/' }).end(),
    ],
    [
      'a refresh of the same page',
      (_, response) =>
        html(response, 200, { 'set-cookie': 'seen=1' }).end('<meta http-equiv="refresh" content="0;url=/">'),
    ],
  ])('the cookies of a visit are sent back, so that a site is read that waits for them by %s', async (what, ask) => {
    const host = `asks-by-${what.replaceAll(' ', '-')}.test`;
    server.on(host, needsCookie(ask));
    expect(await observe(host)).toMatchObject({ scope: 'full', statusState: 'active_storefront' });
  });

  it('the cookies of a visit are forgotten at its end', async () => {
    const sent: (string | undefined)[] = [];
    server.on('remembers.test', (request, response) => {
      sent.push(request.headers.cookie);
      html(response, 200, { 'set-cookie': 'visitor=7' }).end(shopPage(5_000));
    });
    await observe('remembers.test');
    await observe('remembers.test');
    expect([sent[0], sent[sent.length / 2]]).toEqual([undefined, undefined]);
    expect(sent[1]).toBe('visitor=7');
  });

  it.each<[string, Handler, Handler | undefined]>([
    ['the page', () => {}, undefined],
    [
      'its robots.txt',
      () => {},
      (_, response) => void response.writeHead(404, { 'set-cookie': 'laravel_session=1; Path=/' }).end(),
    ],
    [
      'a page that leads to it',
      (request, response) =>
        request.url === '/' &&
        html(response, 200, { 'set-cookie': 'laravel_session=1; Path=/' }).end(
          '<meta http-equiv="refresh" content="0;url=/en/">',
        ),
      undefined,
    ],
  ])(
    'the cookies of a visit are evidence of technologies, whichever response set them: %s',
    async (what, before, robots) => {
      const host = `sets-by-${what.replaceAll(/[ .]/g, '-')}.test`;
      const page: Handler = (request, response) => {
        before(request, response);
        if (response.writableEnded) return;
        // A site does not set a cookie again that it receives.
        html(response, 200, request.headers.cookie ? {} : { 'set-cookie': 'laravel_session=1; Path=/' });
        response.end(shopPage(5_000));
      };
      server.on(host, page, robots);
      const seen = await observe(host);
      expect(seen.technologies.map(({ slug }) => slug)).toContain('laravel');
    },
  );

  it('the cookies of a visit do not go to another domain', async () => {
    let sent: string | undefined = 'nothing was asked';
    server.on('shares.test', (_, response) =>
      html(response, 302, { location: 'http://other.test/', 'set-cookie': 'a=1; Domain=test' }).end(),
    );
    server.on('other.test', (request, response) => {
      sent = request.headers.cookie;
      shop(request, response);
    });
    await observe('shares.test');
    expect(sent).toBeUndefined();
  });

  it('cookies that a site sets again and again end at the limit of redirects', async () => {
    let count = 0;
    server.on('counts.test', (_, response) =>
      html(response, 302, { location: '/', 'set-cookie': `n=${++count}` }).end(),
    );
    expect(ending(await observe('counts.test'))).toEqual({
      outcome: 'UNREACHABLE',
      reason: 'too_many_redirects',
      status: 'unreachable',
    });
    expect(count).toBe(6);
  });
});

describe('host www.', () => {
  const wwwOnly = (host: string) => server.on(`www.${host}`, shop);

  it('the host www. is visited when the domain refuses connections', async () => {
    wwwOnly('refuses.test');
    const hosts = { ...server.hosts, 'refuses.test': { address: '127.0.0.1', port: 1, tls: false } };
    expect(await observe('refuses.test', { hosts })).toMatchObject({ storefrontHost: 'www.refuses.test' });
  });

  it('the host www. is visited when the domain resets connections', async () => {
    await server.raw('resets.test', (socket) => socket.destroy());
    wwwOnly('resets.test');
    expect(await observe('resets.test')).toMatchObject({ storefrontHost: 'www.resets.test' });
  });

  it('the host www. is visited when the domain does not respond in time', { tags: ['wall-clock'] }, async () => {
    await server.raw('waits.test', () => {});
    wwwOnly('waits.test');
    const seen = await observe('waits.test', { web: { requestMs: 300 } });
    expect(seen).toMatchObject({ storefrontHost: 'www.waits.test' });
  });

  it('the host www. is visited when the domain fails TLS', async () => {
    await server.raw('no-tls.test', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    wwwOnly('no-tls.test');
    const { port } = server.hosts['no-tls.test'] as { port: number };
    const hosts = { ...server.hosts, 'no-tls.test': { address: '127.0.0.1', port, tls: true } };
    expect(await observe('no-tls.test', { hosts })).toMatchObject({ storefrontHost: 'www.no-tls.test' });
  });

  it('the host www. is not visited when the domain answers, and its failures do not hide those of the domain', async () => {
    server.on('answers.test', (_, response) => html(response, 500).end());
    wwwOnly('answers.test');
    expect(ending(await observe('answers.test')).reason).toBe('server_error');
    expect(server.requestsOf('www.answers.test')).toEqual([]);
    await server.raw('alone.test', (socket) => socket.destroy());
    expect(ending(await observe('alone.test')).reason).toBe('connection_reset');
  });

  it('the host www. is not visited when the domain leads to a host that cannot be reached', async () => {
    server.on('leads-away.test', (_, response) => html(response, 301, { location: 'http://gone.test/' }).end());
    wwwOnly('leads-away.test');
    const hosts = { ...server.hosts, 'gone.test': { address: '127.0.0.1', port: 1, tls: false } };
    expect(ending(await observe('leads-away.test', { hosts })).reason).toBe('connection_refused');
    expect(server.requestsOf('www.leads-away.test')).toEqual([]);
  });

  const closed = { address: '127.0.0.1', port: 1, tls: false };
  it.each<[string, NameResolver['resolve']]>([
    ['has no answer of the name servers', () => Promise.reject(new VisitFailure('dns_unavailable', 'SERVFAIL'))],
    ['is not public', async () => ['10.0.0.1']],
  ])('the host www. does not hide the failure of the domain when it %s', async (_, resolve) => {
    const hosts = { 'refuses-alone.com': closed };
    const seen = await observe('refuses-alone.com', { hosts, resolver: { resolve } });
    expect(ending(seen).reason).toBe('connection_refused');
  });

  it('the host www. is not visited for a store below the domain of its platform, which may answer there', async () => {
    wwwOnly('tea.myshopify.com');
    const hosts = { ...server.hosts, 'tea.myshopify.com': closed };
    expect(ending(await observe('tea.myshopify.com', { hosts })).reason).toBe('connection_refused');
    expect(server.requestsOf('www.tea.myshopify.com')).toEqual([]);
  });
});

describe('redirect to another domain', () => {
  const to =
    (location: string): Handler =>
    (_, response) =>
      html(response, 302, { location }).end();
  const small = (title: string) =>
    `<html><title>${title}</title><body><h1>${title}</h1><p>${'Tea. '.repeat(60)}</p></body></html>`;

  it('a redirect to another domain gives the status redirected when another site answers with a page of its own', async () => {
    server.on('sold.test', to('http://owner.test/?utm_source=sold.test'));
    server.on('owner.test', (_, response) => html(response).end(small('Owner')));
    expect(ending(await observe('sold.test'))).toEqual({ outcome: 'OBSERVED', reason: '', status: 'redirected' });
  });

  it.each([
    ['login_wall', '/oauth/authorize?redirect_uri=http%3A%2F%2Fshop-1.test%2Fback'],
    ['consent_wall', '/cookie-consent?target=http%3A%2F%2Fshop-2.test%2F'],
    ['age_wall', '/age?return=/shop'],
    ['waiting_room', '/queue?t=http%3A%2F%2Fshop-4.test%2F'],
    ['interstitial_page', '/welcome?continue=https%253A%252F%252Fshop-5.test%252F'],
  ])('a redirect to another domain is a %s when its address has a return URL', async (reason, target) => {
    const host = `shop-${['login_wall', 'consent_wall', 'age_wall', 'waiting_room', 'interstitial_page'].indexOf(reason) + 1}.test`;
    server.on(host, to(`http://elsewhere.test${target}`));
    server.on('elsewhere.test', (_, response) => html(response).end(small('Elsewhere')));
    expect(ending(await observe(host))).toEqual(notTheStore(reason));
  });

  it('a redirect to another domain is what the other site shows when that is not a page of its own', async () => {
    server.on('moved-to-wall.test', to('http://walled.test/'));
    server.on('walled.test', (_, response) => html(response).end(challenge));
    expect(ending(await observe('moved-to-wall.test'))).toEqual(notTheStore('challenged'));
  });
});
