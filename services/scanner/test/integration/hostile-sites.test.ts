import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../src/domain/abort-reasons.ts';
import { type HostileServer, html, shopPage, startHostileServer, writeForever } from './support/hostile-server.ts';
import { createObserver, ending, type ObserverOptions } from './support/observer.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
  // The first examination of a page compiles the rules, which is no part of any bound.
  server.on('first.test', (_, response) => html(response).end(shopPage(5_000)));
  await observe('first.test');
});
afterAll(() => server.stop());

const observe = (domain: string, options: ObserverOptions = {}) =>
  createObserver({ hosts: server.hosts, ...options }).observe(domain);

/** No visit may take longer than its bounds say, and these are small. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work;
  expect(performance.now() - startedMs).toBeLessThan(limitMs);
  return result;
}

const unreachable = (reason: string) => ({ outcome: 'UNREACHABLE', reason, status: 'unreachable' });
const refused = (reason: string) => ({ outcome: 'REFUSED', reason, status: '' });
const noShop = { outcome: 'OBSERVED', reason: '', status: 'not_a_storefront' };

describe('time is bounded', { tags: ['wall-clock'] }, () => {
  it('a body that drips ends at the bound of the request', async () => {
    server.on('drip.test', (_, response) => {
      html(response);
      const timer = setInterval(() => response.write('<'), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(ending(await within(2_000, observe('drip.test', { web: { requestMs: 200 } })))).toEqual(
      unreachable('timeout'),
    );
  });

  it('a long page that stalls is examined as far as it came, and says so', async () => {
    server.on('stall.test', (_, response) => void html(response).write(shopPage(50_000)));
    const seen = await within(2_000, observe('stall.test', { web: { requestMs: 200 } }));
    expect(seen).toMatchObject({ scope: 'partial', coverageNote: expect.stringContaining('broke off') });
    expect(seen.platform?.slug).toBe('shopify');
  });

  it('a server that says nothing ends at the bound of the request', async () => {
    await server.raw('silent.test', () => {});
    expect(ending(await within(2_000, observe('silent.test', { web: { requestMs: 200 } })))).toEqual(
      unreachable('timeout'),
    );
  });

  it('headers that drip end at the bound of the request', async () => {
    await server.raw('drip-headers.test', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    const seen = await within(2_000, observe('drip-headers.test', { web: { requestMs: 200 } }));
    expect(ending(seen)).toEqual(unreachable('timeout'));
  });

  it('early hints without end are no answer', async () => {
    await server.raw('hints.test', (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const seen = await within(2_000, observe('hints.test', { web: { requestMs: 200 } }));
    expect(ending(seen)).toEqual(unreachable('timeout'));
  });

  it('hops that are each within their bound end at the bound of the scan', async () => {
    server.on('slow-hops.test', (request, response) => {
      const hop = Number(new URL(`http://x${request.url}`).searchParams.get('hop') ?? 0);
      setTimeout(() => html(response, 302, { location: `/?hop=${hop + 1}` }).end(), 100);
    });
    const seen = await within(2_000, observe('slow-hops.test', { bounds: { scanMs: 250 } }));
    expect(ending(seen)).toEqual(unreachable('timeout'));
  });
});

describe('size is bounded', () => {
  it('a page that never ends is cut, and the observation is partial', async () => {
    server.on('endless.test', (_, response) => {
      html(response).write(shopPage(2_000));
      writeForever(response, Buffer.alloc(65_536, '<p>more</p>'));
    });
    const seen = await within(5_000, observe('endless.test'));
    expect(seen).toMatchObject({ scope: 'partial', coverageNote: expect.stringContaining('longer') });
    expect(seen.platform?.slug).toBe('shopify');
  });

  it('a page of 10 MB is examined in its beginning', async () => {
    server.on('big.test', (_, response) => html(response).end(shopPage(10 * 1024 * 1024)));
    expect(await within(5_000, observe('big.test'))).toMatchObject({
      scope: 'partial',
      statusState: 'active_storefront',
    });
  });

  it('a gzip bomb is inflated up to the bound', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(shopPage(2_000)), Buffer.alloc(64 * 1024 * 1024, 32)]));
    server.on('bomb.test', (_, response) => html(response, 200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await within(5_000, observe('bomb.test'))).toMatchObject({ scope: 'partial' });
  });

  it('a flood of headers is an invalid response', async () => {
    await server.raw('headers.test', (socket) => {
      socket.on('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`),
      );
    });
    expect(ending(await within(2_000, observe('headers.test')))).toEqual(unreachable('invalid_response'));
  });

  it('a listing that never ends is left out, the page counts whole', async () => {
    server.on('listing.test', (request, response) => {
      if (request.url === '/') return void html(response).end(shopPage(5_000));
      response.writeHead(200, { 'content-type': 'application/json' });
      writeForever(response, Buffer.alloc(65_536, 32));
    });
    const seen = await within(5_000, observe('listing.test', { bounds: { maxListingBytes: 500_000 } }));
    expect(seen).toMatchObject({ scope: 'full', coverageNote: '', catalog: { coverage: 'none' } });
  });
});

describe('broken answers', () => {
  it('a connection that is reset at the beginning of the page is unreachable', async () => {
    server.on('reset.test', (_, response) => {
      html(response, 200, { 'content-length': '100000' }).write('<html>', () => response.destroy());
    });
    expect(ending(await observe('reset.test'))).toEqual(unreachable('connection_reset'));
  });

  it('a connection that is reset later leaves a partial observation', async () => {
    server.on('reset-late.test', (_, response) => {
      html(response, 200, { 'content-length': '1000000' }).write(shopPage(100_000), () => response.destroy());
    });
    expect(await observe('reset-late.test')).toMatchObject({ scope: 'partial', platform: { slug: 'shopify' } });
  });

  it('a server that hangs up at once is unreachable', async () => {
    await server.raw('hang-up.test', (socket) => socket.destroy());
    expect(ending(await observe('hang-up.test'))).toEqual(unreachable('connection_reset'));
  });

  it('what is not HTTP is an invalid response', async () => {
    await server.raw('garbage.test', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect(ending(await observe('garbage.test'))).toEqual(unreachable('invalid_response'));
  });

  it('a content coding that was not asked for is an invalid response', async () => {
    server.on('coding.test', (_, response) => html(response, 200, { 'content-encoding': 'zstd, gzip' }).end('x'));
    expect(ending(await observe('coding.test'))).toEqual(unreachable('invalid_response'));
  });

  it('gzip that is not gzip is an invalid response', async () => {
    server.on('no-gzip.test', (_, response) =>
      html(response, 200, { 'content-encoding': 'gzip' }).end(shopPage(9_000)),
    );
    expect(ending(await observe('no-gzip.test'))).toEqual(unreachable('invalid_response'));
  });

  it('nobody listening is connection_refused', async () => {
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
  ])('a home page that answers %i', async (status, expected) => {
    server.on(`status-${status}.test`, (_, response) => html(response, status).end('<h1>no</h1>'));
    expect(ending(await observe(`status-${status}.test`))).toEqual(expected);
  });
});

describe('pages that are none', () => {
  it.each([204, 304, 205])('an answer %i without a body is no storefront', async (status) => {
    server.on(`empty-${status}.test`, (_, response) => void response.writeHead(status).end());
    expect(ending(await observe(`empty-${status}.test`))).toEqual(noShop);
  });

  it('an empty page is no storefront', async () => {
    server.on('empty.test', (_, response) => html(response).end());
    expect(ending(await observe('empty.test'))).toEqual(noShop);
  });

  it.each(['application/pdf', 'application/json', 'image/png', 'text/plain'])(
    '%s is no storefront, and not read',
    async (type) => {
      const host = `${type.replace('/', '-')}.test`;
      server.on(host, (_, response) =>
        writeForever(response.writeHead(200, { 'content-type': type }), Buffer.alloc(65_536)),
      );
      const observer = createObserver({ hosts: server.hosts });
      expect(ending(await within(2_000, observer.observe(host)))).toEqual(noShop);
      expect(await observer.registry.metrics()).not.toMatch(/scanner_received_bytes_total\{kind="page"/);
    },
  );

  it('a page without a content type is judged by its first character', async () => {
    server.on('untyped.test', (_, response) => void response.writeHead(200).end(shopPage(5_000)));
    server.on('untyped-text.test', (_, response) => void response.writeHead(200).end('hello'));
    expect((await observe('untyped.test')).platform?.slug).toBe('shopify');
    expect(ending(await observe('untyped-text.test'))).toEqual(noShop);
  });
});

describe('redirects', () => {
  it('a loop is seen at its first turn', async () => {
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

  it('five are followed, six are too many', async () => {
    server.on('five.test', chain(5));
    server.on('six.test', chain(6));
    expect(ending(await observe('five.test')).outcome).toBe('OBSERVED');
    expect(ending(await observe('six.test'))).toEqual(unreachable('too_many_redirects'));
  });

  it('another host of the same domain is the storefront host', async () => {
    server.on('moved.test', (_, response) => html(response, 301, { location: 'http://shop.moved.test/' }).end());
    server.on('shop.moved.test', (_, response) => html(response).end(shopPage(5_000)));
    expect(await observe('moved.test')).toMatchObject({
      storefrontHost: 'shop.moved.test',
      statusState: 'active_storefront',
    });
  });

  it('another domain is a redirected store, and its listing is left alone', async () => {
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

  it('a site that disallows is not visited', async () => {
    server.on('private.test', page, (_, response) => void response.end('User-agent: *\nDisallow: /\n'));
    expect(ending(await observe('private.test'))).toEqual(refused('robots_disallowed'));
    expect(server.requestsOf('private.test')).toEqual(['/robots.txt']);
  });

  it('a site that disallows this robot by name is not visited', async () => {
    server.on('named.test', page, (_, response) => void response.end('User-agent: shopscopebot\nDisallow: /\n'));
    expect(ending(await observe('named.test'))).toEqual(refused('robots_disallowed'));
  });

  it('a site whose robots.txt fails is left alone for now', async () => {
    server.on('failing-robots.test', page, (_, response) => void response.writeHead(503).end());
    expect(ending(await observe('failing-robots.test'))).toEqual(refused('robots_unavailable'));
    expect(server.requestsOf('failing-robots.test')).toEqual(['/robots.txt']);
  });

  it('a site without robots.txt, or that hides it, is visited', async () => {
    server.on('hidden-robots.test', page, (_, response) => void response.writeHead(403).end());
    expect(ending(await observe('hidden-robots.test')).outcome).toBe('OBSERVED');
  });

  it('the host that a redirect leads to is asked as well', async () => {
    server.on('asks.test', (_, response) => html(response, 302, { location: 'http://www.asks.test/' }).end());
    server.on('www.asks.test', page, (_, response) => void response.end('User-agent: *\nDisallow: /\n'));
    expect(ending(await observe('asks.test'))).toEqual(refused('robots_disallowed'));
    expect(server.requestsOf('www.asks.test')).toEqual(['/robots.txt']);
  });

  it('a listing that is disallowed is not read', async () => {
    server.on('no-listing.test', page, (_, response) => void response.end('User-agent: *\nDisallow: /products.json\n'));
    expect(await observe('no-listing.test')).toMatchObject({ scope: 'full', platform: { slug: 'shopify' } });
    expect(server.requestsOf('no-listing.test')).toEqual(['/robots.txt', '/']);
  });

  it('the pause that a site asks for is kept between its pages', { tags: ['wall-clock'] }, async () => {
    const atMs: number[] = [];
    const stamped: typeof page = (request, response) => {
      atMs.push(performance.now());
      page(request, response);
    };
    server.on('patient.test', stamped, (_, response) => void response.end('User-agent: *\nCrawl-delay: 0.2\n'));
    await observe('patient.test');
    expect((atMs[1] ?? 0) - (atMs[0] ?? 0)).toBeGreaterThan(190);
  });

  it('a robots.txt that never ends is read up to its bound', async () => {
    server.on('endless-robots.test', page, (_, response) =>
      writeForever(response.writeHead(200), Buffer.from('Disallow: /*a*b*c\n'.repeat(3_000))),
    );
    expect(ending(await within(5_000, observe('endless-robots.test'))).outcome).toBe('OBSERVED');
  });
});

describe('the lease', () => {
  it.each([0, 1, 2])(
    'is checked before each fetch: lost after %i of 3 requests, there is no further one',
    async (made) => {
      const host = `leased-${made}.test`;
      server.on(host, (_, response) => void html(response).end(shopPage(5_000)));
      const checkLease = async () => {
        if (server.requestsOf(host).length >= made) throw new LeaseLostError();
      };
      await expect(observe(host, { checkLease })).rejects.toBeInstanceOf(LeaseLostError);
      expect(server.requestsOf(host)).toEqual(['/robots.txt', '/', '/products.json?limit=250&page=1'].slice(0, made));
    },
  );

  it('a scan that is aborted in the middle of an answer ends with the reason for it', async () => {
    const abort = new AbortController();
    server.on('aborted.test', (_, response) => {
      html(response).write(shopPage(100_000));
      abort.abort(new LeaseLostError());
    });
    const observer = createObserver({ hosts: server.hosts });
    await expect(observer.observe('aborted.test', abort.signal)).rejects.toBeInstanceOf(LeaseLostError);
  });
});

it('a visitor says who it is, and asks for nothing it cannot read', async () => {
  let headers: Record<string, unknown> = {};
  server.on('polite.test', (request, response) => {
    headers = request.headers;
    html(response).end(shopPage(5_000));
  });
  await observe('polite.test');
  expect(headers['user-agent']).toBe('ShopscopeBot/1.0 (+https://shopscope.test/robot)');
  expect(headers['accept-encoding']).toBe('gzip, br');
});
