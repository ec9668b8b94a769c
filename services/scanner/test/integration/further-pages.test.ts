import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LeaseLostError, OptedOutError, PutOffError } from '../../src/domain/abort-reasons.ts';
import { type Handler, type HostileServer, html, shopPage, startHostileServer } from './support/hostile-server.ts';
import { createObserver, ending, type ObserverOptions } from './support/observer.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
});
afterAll(() => server.stop());

const links = ['/impressum', '/kontakt', '/products/green-tea', '/cart']
  .map((href) => `<a href="${href}">x</a>`)
  .join('');
const reviews = '<script src="https://cdn.judge.me/loader.js"></script>';
const imprint = `<html><head><script type="application/ld+json">{"@type":"Organization",
  "address":{"@type":"PostalAddress","addressCountry":"DE"}}</script></head><body>Impressum</body></html>`;

/** A shop with links to further pages. `pages` replaces single pages. */
function serve(host: string, pages: Record<string, Handler> = {}, robots?: Handler): void {
  const respond: Record<string, Handler> = {
    '/': (_, response) => html(response).end(`${shopPage(5_000)}${links}`),
    '/impressum': (_, response) => html(response).end(imprint),
    '/kontakt': (_, response) =>
      html(response).end('<html><title>Kontakt</title><body>Schreiben Sie uns: info@tea.test</body></html>'),
    '/products/green-tea': (_, response) => html(response).end(`<html><head>${reviews}</head></html>`),
    '/cart': (_, response) => html(response).end('<script src="https://js.stripe.com/v3/"></script>'),
    ...pages,
  };
  server.on(
    host,
    (request, response) => (respond[request.url ?? ''] ?? ((_, other) => html(other, 404).end()))(request, response),
    robots,
  );
}
const observe = (domain: string, options: ObserverOptions = {}) =>
  createObserver({ hosts: server.hosts, ...options }).observe(domain);
const furtherOf = (host: string) =>
  server.requestsOf(host).filter((path) => !['/robots.txt', '/'].includes(path) && !path.startsWith('/products.json'));

describe('further pages of a shop', () => {
  it('further pages of a shop are read for what the home page does not show, and the note names them', async () => {
    serve('tea.test');
    const seen = await observe('tea.test');
    expect(furtherOf('tea.test')).toEqual(['/impressum', '/kontakt', '/products/green-tea', '/cart']);
    expect(seen).toMatchObject({ scope: 'full', geography: { country: 'DE', basis: 'declared' } });
    const sources = Object.fromEntries(seen.technologies.map((found) => [found.slug, found.sources]));
    expect(sources).toMatchObject({ 'judge-me': ['product'], stripe: ['cart'], shopify: ['home'] });
    expect(seen.sourcesRead).toEqual(['home', 'imprint', 'contact', 'product', 'cart']);
    expect(seen.coverageNote).toContain('the imprint, a contact page, a product page, the cart');
  });

  it('further pages of a shop are read only where robots.txt allows it, and an unread page does not prove absence', async () => {
    serve('polite.test', {}, (_, response) => response.end('User-agent: *\nDisallow: /cart\nDisallow: /products/'));
    const seen = await observe('polite.test');
    expect(furtherOf('polite.test')).toEqual(['/impressum', '/kontakt']);
    expect(seen.sourcesRead).toEqual(['home', 'imprint', 'contact']);
    expect(seen.scope).toBe('full');
  });

  it('further pages of a shop are not read when the host asks for long pauses', { tags: ['wall-clock'] }, async () => {
    serve('slow.test', {}, (_, response) => response.end('User-agent: *\nCrawl-delay: 1.1'));
    expect((await observe('slow.test')).sourcesRead).toEqual(['home']);
    expect(furtherOf('slow.test')).toEqual([]);
  });

  it.each<[string, Handler]>([
    ['is missing', (_, response) => html(response, 404).end('<html>Not found</html>')],
    ['leads to the home page', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['leads to another domain', (_, response) => response.writeHead(302, { location: 'http://tea.test/cart' }).end()],
    ['leads to a private address', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()],
    [
      'is a challenge',
      (_, response) =>
        html(response).end('<title>Tea</title><h1>Please confirm that you are human</h1><div class="h-captcha"></div>'),
    ],
    ['shows nothing', (_, response) => html(response).end('<html><body></body></html>')],
    ['is no HTML', (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')],
    ['closes the connection', (request) => request.socket.destroy()],
  ])('further pages of a shop are left out when a page %s, and the others are read', async (what, handler) => {
    const host = `${what.replaceAll(' ', '-').toLowerCase()}.test`;
    serve(host, { '/kontakt': handler });
    const seen = await observe(host);
    expect(seen.sourcesRead).toEqual(['home', 'imprint', 'product', 'cart']);
    expect(seen.scope).toBe('full');
  });

  it.each([403, 429, 503])(
    'the reading of further pages ends when the site responds with %s, and what was read counts',
    async (status) => {
      serve(`refuses-${status}.test`, { '/kontakt': (_, response) => html(response, status).end() });
      const seen = await observe(`refuses-${status}.test`);
      expect(furtherOf(`refuses-${status}.test`)).toEqual(['/impressum', '/kontakt']);
      expect(seen).toMatchObject({ scope: 'full', sourcesRead: ['home', 'imprint'], geography: { country: 'DE' } });
    },
  );

  it('the reading of further pages ends with the time of the scan, and the observation is published', {
    tags: ['wall-clock'],
  }, async () => {
    serve('hanging.test', { '/kontakt': () => {} });
    const seen = await observe('hanging.test', { bounds: { scanMs: 1_000 } });
    expect(ending(seen)).toMatchObject({ outcome: 'OBSERVED' });
    expect(seen.sourcesRead).toEqual(['home', 'imprint']);
  });

  it('further pages of a shop are not longer than their limit', async () => {
    const long = `<html><head></head><body>${'<p>tea</p>'.repeat(2_000)}${reviews}</body></html>`;
    serve('long.test', { '/products/green-tea': (_, response) => html(response).end(long) });
    const seen = await observe('long.test', { bounds: { maxFurtherPageBytes: 5_000 } });
    expect(seen.sourcesRead).toContain('product');
    expect(seen.technologies.map(({ slug }) => slug)).not.toContain('judge-me');
  });

  it('further pages are not read of a site that is not a shop', async () => {
    serve('blog.test', { '/': (_, response) => html(response).end(`<html><body>A blog${links}</body></html>`) });
    expect((await observe('blog.test')).sourcesRead).toEqual(['home']);
    expect(furtherOf('blog.test')).toEqual([]);
  });

  it('further pages of a shop are left out when they lead to a site that is opted out, and the others are read', async () => {
    serve('opted-out.test');
    serve('friend.test', {
      '/kontakt': (_, response) => response.writeHead(302, { location: 'http://opted-out.test/' }).end(),
    });
    const admit: ObserverOptions['admit'] = async ({ host }) => {
      if (host === 'opted-out.test') throw new OptedOutError();
    };
    const seen = await observe('friend.test', { admit });
    expect(seen.sourcesRead).toEqual(['home', 'imprint', 'product', 'cart']);
    expect(server.requestsOf('opted-out.test')).toEqual([]);
  });

  it.each([
    ['has no capacity', PutOffError, 'partial'],
    ['is opted out', OptedOutError, 'full'],
  ])('a listing whose site %s is left out, and the home page counts', async (what, error, scope) => {
    const host = `listing-${what.replaceAll(' ', '-')}.test`;
    serve(host);
    const admit = async () => {
      if (server.requestsOf(host).includes('/') && furtherOf(host).length === 0) throw new error();
    };
    const seen = await observe(host, { admit });
    expect(seen).toMatchObject({ platform: { slug: 'shopify' }, scope });
    expect(server.requestsOf(host).filter((path) => path.startsWith('/products.json'))).toEqual([]);
  });

  it('further pages of a shop are not requested after the lease is lost', async () => {
    serve('lost.test');
    const admit = async () => {
      if (server.requestsOf('lost.test').includes('/impressum')) throw new LeaseLostError();
    };
    await expect(observe('lost.test', { admit })).rejects.toThrow(LeaseLostError);
    expect(furtherOf('lost.test')).toEqual(['/impressum']);
  });
});
