import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { ManualClock } from '@shopscope/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../src/domain/abort-reasons.ts';
import { type HostileServer, html, shopPage, startHostileServer, writeForever } from './support/hostile-server.ts';
import { createObserver, ending, type ObserverOptions } from './support/observer.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
  // The first page compiles the rules. That time does not count against any limit.
  server.on('first.test', (_, response) => html(response).end(shopPage(5_000)));
  await observe('first.test');
});
afterAll(() => server.stop());

const observe = (domain: string, options: ObserverOptions = {}) =>
  createObserver({ hosts: server.hosts, ...options }).observe(domain);

/** Longer than a test may take. The limit that a test is about is the only one that can end its scan. */
const neverMs = 3_600_000;
const unlimited = {
  web: { connectMs: neverMs, idleMs: neverMs, requestMs: neverMs },
  bounds: { scanMs: neverMs },
};
const requestLimit = { ...unlimited, web: { ...unlimited.web, requestMs: 1_000 } };

const unreachable = (reason: string) => ({ outcome: 'UNREACHABLE', reason, status: 'unreachable' });
const refused = (reason: string) => ({ outcome: 'REFUSED', reason, status: '' });
const notTheStore = (reason: string) => ({ outcome: 'NOT_THE_STORE', reason, status: '' });

describe('time of a scan', { tags: ['wall-clock'] }, () => {
  it('a slowly sent body ends at the time limit of the request', async () => {
    server.on('drip.test', (_, response) => {
      html(response);
      const timer = setInterval(() => response.write('<'), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(ending(await observe('drip.test', requestLimit))).toEqual(unreachable('timeout'));
  });

  it('a long page that stalls is examined up to its received end, and the observation is partial', async () => {
    server.on('stall.test', (_, response) => void html(response).write(shopPage(50_000)));
    const seen = await observe('stall.test', requestLimit);
    expect(seen).toMatchObject({ scope: 'partial', coverageNote: expect.stringContaining('broke off') });
    expect(seen.platform?.slug).toBe('shopify');
  });

  it('a request without a response ends at its time limit', async () => {
    await server.raw('silent.test', () => {});
    expect(ending(await observe('silent.test', requestLimit))).toEqual(unreachable('timeout'));
  });

  it('slowly sent headers end at the time limit of the request', async () => {
    await server.raw('drip-headers.test', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    const seen = await observe('drip-headers.test', requestLimit);
    expect(ending(seen)).toEqual(unreachable('timeout'));
  });

  it('endless early hints are not a response', async () => {
    await server.raw('hints.test', (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const seen = await observe('hints.test', requestLimit);
    expect(ending(seen)).toEqual(unreachable('timeout'));
  });

  it('redirects that each keep their time limit end at the time limit of the scan', async () => {
    server.on('slow-hops.test', (request, response) => {
      const hop = Number(new URL(`http://x${request.url}`).searchParams.get('hop') ?? 0);
      if (hop < 2) html(response, 302, { location: `/?hop=${hop + 1}` }).end();
    });
    const seen = await observe('slow-hops.test', { ...unlimited, bounds: { scanMs: 250 } });
    expect(ending(seen)).toEqual(unreachable('timeout'));
  });
});

describe('size of a scan', () => {
  it('an endless page is truncated, and the observation is partial', async () => {
    server.on('endless.test', (_, response) => {
      html(response).write(shopPage(2_000));
      writeForever(response, Buffer.alloc(65_536, '<p>more</p>'));
    });
    const seen = await observe('endless.test', unlimited);
    expect(seen).toMatchObject({ scope: 'partial', coverageNote: expect.stringContaining('longer') });
    expect(seen.platform?.slug).toBe('shopify');
  });

  it('a page of 10 MB is read up to the limit, and the observation is partial', async () => {
    server.on('big.test', (_, response) => html(response).end(shopPage(10 * 1024 * 1024)));
    expect(await observe('big.test', unlimited)).toMatchObject({
      scope: 'partial',
      statusState: 'active_storefront',
    });
  });

  it('a gzip bomb is decompressed only up to the limit', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(shopPage(2_000)), Buffer.alloc(64 * 1024 * 1024, 32)]));
    server.on('bomb.test', (_, response) => html(response, 200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await observe('bomb.test', unlimited)).toMatchObject({ scope: 'partial' });
  });

  it('too many headers are an invalid response', async () => {
    await server.raw('headers.test', (socket) => {
      socket.on('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`),
      );
    });
    expect(ending(await observe('headers.test', unlimited))).toEqual(unreachable('invalid_response'));
  });

  it('an endless listing is left out, and the page counts as complete', async () => {
    server.on('listing.test', (request, response) => {
      if (request.url === '/') return void html(response).end(shopPage(5_000));
      response.writeHead(200, { 'content-type': 'application/json' });
      writeForever(response, Buffer.alloc(65_536, 32));
    });
    const seen = await observe('listing.test', {
      ...unlimited,
      bounds: { ...unlimited.bounds, maxListingBytes: 500_000 },
    });
    expect(seen).toMatchObject({
      scope: 'full',
      coverageNote: 'The name is the domain, because the site shows no certain name. Looked at: the home page.',
      catalog: { coverage: 'none' },
    });
  });
});

describe('broken responses', () => {
  it('a connection reset at the beginning of the page means unreachable', async () => {
    server.on('reset.test', (_, response) => {
      html(response, 200, { 'content-length': '100000' }).write('<html>', () => response.destroy());
    });
    expect(ending(await observe('reset.test'))).toEqual(unreachable('connection_reset'));
  });

  it('a later connection reset means a partial observation', async () => {
    server.on('reset-late.test', (_, response) => {
      html(response, 200, { 'content-length': '1000000' }).write(shopPage(100_000), () => response.destroy());
    });
    expect(await observe('reset-late.test')).toMatchObject({ scope: 'partial', platform: { slug: 'shopify' } });
  });

  it('a connection that the server closes at once means unreachable', async () => {
    await server.raw('hang-up.test', (socket) => socket.destroy());
    expect(ending(await observe('hang-up.test'))).toEqual(unreachable('connection_reset'));
  });

  it('data that is not HTTP means an invalid response', async () => {
    await server.raw('garbage.test', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect(ending(await observe('garbage.test'))).toEqual(unreachable('invalid_response'));
  });

  it.each(['utf-8', 'none', 'zstd, gzip', 'x-unknown'])(
    'a page with the content coding %s is read as it is, when it is not a coding of a browser',
    async (coding) => {
      const host = `coding-${coding.replaceAll(/\W+/g, '-')}.test`;
      server.on(host, (_, response) => html(response, 200, { 'content-encoding': coding }).end(shopPage(5_000)));
      expect((await observe(host)).platform?.slug).toBe('shopify');
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['brotli', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ])('a page in %s that does not say so is not a page of the store', async (coding, compress) => {
    const host = `undeclared-${coding}.test`;
    server.on(host, (_, response) => html(response).end(compress(shopPage(30_000))));
    expect(ending(await observe(host))).toEqual(notTheStore('undecodable'));
    const untyped = `untyped-${coding}.test`;
    server.on(untyped, (_, response) => response.writeHead(200).end(compress(shopPage(30_000))));
    expect(ending(await observe(untyped))).toEqual(notTheStore('undecodable'));
  });

  it.each(['gzip', 'deflate', 'br'])(
    'data that is not in its content coding means an invalid response: %s',
    async (coding) => {
      const host = `no-${coding}.test`;
      server.on(host, (_, response) => html(response, 200, { 'content-encoding': coding }).end(shopPage(9_000)));
      expect(ending(await observe(host))).toEqual(unreachable('invalid_response'));
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('a page in %s that ends too early means a partial observation', async (coding, compress) => {
    const bytes = compress(
      shopPage(20_000) + Array.from({ length: 3_000 }, (_, n) => `<p>${Math.sin(n)}</p>`).join(''),
    );
    const host = `early-end-${coding}.test`;
    server.on(host, (_, response) =>
      html(response, 200, { 'content-encoding': coding }).end(bytes.subarray(0, bytes.length / 2)),
    );
    const seen = await observe(host);
    expect(seen).toMatchObject({ scope: 'partial', coverageNote: expect.stringContaining('broke off') });
    expect(seen.platform?.slug).toBe('shopify');
  });

  it('a closed port means connection_refused', async () => {
    const hosts = { 'closed.test': { address: '127.0.0.1', port: 1, tls: false } };
    expect(ending(await observe('closed.test', { hosts }))).toEqual(unreachable('connection_refused'));
  });

  it.each([
    [500, unreachable('server_error')],
    [503, unreachable('server_error')],
    [401, refused('forbidden')],
    [403, refused('forbidden')],
    [451, refused('forbidden')],
    [429, refused('rate_limited')],
  ])('a home page with status %i has the expected outcome', async (status, expected) => {
    server.on(`status-${status}.test`, (_, response) => html(response, status).end('<h1>no</h1>'));
    expect(ending(await observe(`status-${status}.test`))).toEqual(expected);
  });
});

describe('pages without use', () => {
  it.each([204, 304, 205])('a response %i without a body gives no observation of the store', async (status) => {
    server.on(`empty-${status}.test`, (_, response) => void response.writeHead(status).end());
    expect(ending(await observe(`empty-${status}.test`))).toEqual(notTheStore('empty_page'));
  });

  it('an empty page gives no observation of the store', async () => {
    server.on('empty.test', (_, response) => html(response).end());
    expect(ending(await observe('empty.test'))).toEqual(notTheStore('empty_page'));
  });

  it.each(['application/pdf', 'application/json', 'image/png', 'text/plain'])(
    'a page of the type %s gives no observation of the store, and its body is not read',
    async (type) => {
      const host = `${type.replace('/', '-')}.test`;
      server.on(host, (_, response) =>
        writeForever(response.writeHead(200, { 'content-type': type }), Buffer.alloc(65_536)),
      );
      const observer = createObserver({ hosts: server.hosts, ...unlimited });
      expect(ending(await observer.observe(host))).toEqual(notTheStore('not_html'));
      expect(await observer.registry.metrics()).not.toMatch(/scanner_received_bytes_total\{kind="page"/);
    },
  );

  it.each(['html', '*/*', 'text/html, text/html; charset=utf-8', 'text/html charset=utf-8'])(
    'a page whose content type is invalid or given twice is read: %s',
    async (type) => {
      const host = `type-${type.replaceAll(/\W+/g, '-')}x.test`;
      server.on(host, (_, response) => void response.writeHead(200, { 'content-type': type }).end(shopPage(5_000)));
      expect((await observe(host)).platform?.slug).toBe('shopify');
    },
  );

  it('the first character decides about a page without a content type', async () => {
    server.on('untyped.test', (_, response) => void response.writeHead(200).end(shopPage(5_000)));
    server.on('untyped-text.test', (_, response) => void response.writeHead(200).end('hello'));
    expect((await observe('untyped.test')).platform?.slug).toBe('shopify');
    expect(ending(await observe('untyped-text.test'))).toEqual(notTheStore('not_html'));
  });
});

describe('redirects', () => {
  it('a loop of redirects is detected at its first repetition', async () => {
    server.on('loop.test', (request, response) => {
      html(response, 302, { location: request.url === '/' ? '/again' : '/' }).end();
    });
    expect(ending(await observe('loop.test'))).toEqual(unreachable('too_many_redirects'));
    expect(server.requestsOf('loop.test')).toEqual(['/robots.txt', '/', '/again']);
  });

  const chain = (length: number) => (request: { url?: string | undefined }, response: Parameters<typeof html>[0]) => {
    const hop = Number(request.url?.split('hop=')[1] ?? 0);
    if (hop < length) html(response, 301, { location: `/?hop=${hop + 1}` }).end();
    else if (request.url?.startsWith('/products.json')) html(response, 404).end();
    else html(response).end(shopPage(5_000));
  };

  it('five redirects are followed and six are too many', async () => {
    server.on('five.test', chain(5));
    server.on('six.test', chain(6));
    expect(ending(await observe('five.test')).outcome).toBe('OBSERVED');
    expect(ending(await observe('six.test'))).toEqual(unreachable('too_many_redirects'));
  });

  it('a redirect to another host of the same domain makes it the storefront host', async () => {
    server.on('moved.test', (_, response) => html(response, 301, { location: 'http://shop.moved.test/' }).end());
    server.on('shop.moved.test', (_, response) => html(response).end(shopPage(5_000)));
    expect(await observe('moved.test')).toMatchObject({
      storefrontHost: 'shop.moved.test',
      statusState: 'active_storefront',
    });
  });

  it('a redirect to another domain means a redirected store, and its listing is not read', async () => {
    server.on('sold.test', (_, response) => html(response, 308, { location: '//buyer.test/' }).end());
    server.on('buyer.test', (_, response) => html(response).end(shopPage(5_000)));
    const seen = await observe('sold.test');
    expect(seen).toMatchObject({ storefrontHost: 'buyer.test', statusState: 'redirected' });
    expect(server.requestsOf('buyer.test')).toEqual(['/robots.txt', '/']);
  });

  it('a redirect without a target is a page', async () => {
    server.on('nowhere.test', (_, response) => html(response, 302).end(shopPage(5_000)));
    expect(ending(await observe('nowhere.test')).outcome).toBe('OBSERVED');
  });
});

describe('robots.txt', () => {
  const page = (_: unknown, response: Parameters<typeof html>[0]) => void html(response).end(shopPage(5_000));

  it('a site that disallows all robots is not visited', async () => {
    server.on('private.test', page, (_, response) => void response.end('User-agent: *\nDisallow: /\n'));
    expect(ending(await observe('private.test'))).toEqual(refused('robots_disallowed'));
    expect(server.requestsOf('private.test')).toEqual(['/robots.txt']);
  });

  it('a site that disallows this robot by name is not visited', async () => {
    server.on('named.test', page, (_, response) => void response.end('User-agent: shopscopebot\nDisallow: /\n'));
    expect(ending(await observe('named.test'))).toEqual(refused('robots_disallowed'));
  });

  it('a site whose robots.txt fails is not visited, and the scan may be repeated', async () => {
    server.on('failing-robots.test', page, (_, response) => void response.writeHead(503).end());
    expect(ending(await observe('failing-robots.test'))).toEqual(refused('robots_unavailable'));
    expect(server.requestsOf('failing-robots.test')).toEqual(['/robots.txt']);
  });

  it('a site without robots.txt, or with a refused one, is visited', async () => {
    server.on('hidden-robots.test', page, (_, response) => void response.writeHead(403).end());
    expect(ending(await observe('hidden-robots.test')).outcome).toBe('OBSERVED');
  });

  it('the robots.txt of a redirect target is read too', async () => {
    server.on('asks.test', (_, response) => html(response, 302, { location: 'http://www.asks.test/' }).end());
    server.on('www.asks.test', page, (_, response) => void response.end('User-agent: *\nDisallow: /\n'));
    expect(ending(await observe('asks.test'))).toEqual(refused('robots_disallowed'));
    expect(server.requestsOf('www.asks.test')).toEqual(['/robots.txt']);
  });

  it('a listing that robots.txt disallows is not read', async () => {
    server.on('no-listing.test', page, (_, response) => void response.end('User-agent: *\nDisallow: /products.json\n'));
    expect(await observe('no-listing.test')).toMatchObject({ scope: 'full', platform: { slug: 'shopify' } });
    expect(server.requestsOf('no-listing.test')).toEqual(['/robots.txt', '/', '/cart']);
  });

  it('the crawl delay of a site is kept between its pages', async () => {
    const pausesMs: number[] = [];
    const pacingClock = new ManualClock();
    pacingClock.sleep = async (ms) => {
      pausesMs.push(ms);
      pacingClock.advance(ms);
    };
    server.on('patient.test', page, (_, response) => void response.end('User-agent: *\nCrawl-delay: 0.2\n'));
    await observe('patient.test', { pacingClock });
    const pages = server.requestsOf('patient.test').filter((path) => path !== '/robots.txt');
    expect(pages.length).toBeGreaterThan(1);
    expect(pausesMs).toEqual(pages.slice(1).map(() => 200));
  });

  it('an endless robots.txt is read up to its limit', async () => {
    server.on('endless-robots.test', page, (_, response) =>
      writeForever(response.writeHead(200), Buffer.from('Disallow: /*a*b*c\n'.repeat(3_000))),
    );
    expect(ending(await observe('endless-robots.test', unlimited)).outcome).toBe('OBSERVED');
  });
});

describe('end of the lease', () => {
  it.each([0, 1, 2])(
    'no request is sent after the lease ends, because the lease is checked before each: after %i of 3 requests',
    async (made) => {
      const host = `leased-${made}.test`;
      server.on(host, (_, response) => void html(response).end(shopPage(5_000)));
      const admit = async () => {
        if (server.requestsOf(host).length >= made) throw new LeaseLostError();
      };
      await expect(observe(host, { admit })).rejects.toBeInstanceOf(LeaseLostError);
      expect(server.requestsOf(host)).toEqual(['/robots.txt', '/', '/products.json?limit=250&page=1'].slice(0, made));
    },
  );

  it('a scan that is aborted during a response ends with the reason of the abort', async () => {
    const abort = new AbortController();
    server.on('aborted.test', (_, response) => {
      html(response).write(shopPage(100_000));
      abort.abort(new LeaseLostError());
    });
    const observer = createObserver({ hosts: server.hosts });
    await expect(observer.observe('aborted.test', abort.signal)).rejects.toBeInstanceOf(LeaseLostError);
  });
});

it('the scanner sends its user agent, and requests only formats that it can read', async () => {
  let headers: Record<string, unknown> = {};
  server.on('polite.test', (request, response) => {
    headers = request.headers;
    html(response).end(shopPage(5_000));
  });
  await observe('polite.test');
  expect(headers['user-agent']).toBe('ShopscopeBot/1.0 (+https://shopscope.test/robot)');
  expect(headers['accept-encoding']).toBe('gzip, br');
});
