import { describe, expect, it } from 'vitest';
import { publicPathOf } from './public-path.ts';

const addressOf = (target: string) => publicPathOf(target)?.address;

describe('address of a public page', () => {
  it.each([
    ['/stores/WWW.Shop.Example', '/stores/shop.example'],
    ['/stores/shop.example/', '/stores/shop.example'],
    ['//stores//shop.example', '/stores/shop.example'],
    ['/stores/m%C3%BCller.example', '/stores/xn--mller-kva.example'],
    ['/technologies/Klaviyo', '/technologies/klaviyo'],
    ['/technologies/', '/technologies'],
    ['/Docs', '/docs'],
    ['/%64ocs', '/docs'],
    ['/docs/GraphQL/Schema/', '/docs/graphql/schema'],
    ['/STORES/shop.example', '/stores/shop.example'],
    ['/Sitemap/3.XML', '/sitemap/3.xml'],
  ])('the address %s is another way to write the address %s of a public page', (written, address) => {
    expect(publicPathOf(written)).toEqual({ address, isMoved: true });
  });

  it.each(['/', '/docs', '/bot', '/status', '/robots.txt', '/sitemap.xml', '/sitemap/3.xml', '/stores/shop.example'])(
    '%s is the address of a public page',
    (target) => {
      expect(publicPathOf(target)).toEqual({ address: target, isMoved: false });
    },
  );

  it('the address of a public page has only the parameters that the page reads, in one order, so that none fills a cache', () => {
    expect(addressOf('/technologies?utm_source=x&after=b&sort=name&q=pay')).toBe(
      '/technologies?q=pay&sort=name&after=b',
    );
    expect(addressOf('/stores/shop.example?fbclid=1')).toBe('/stores/shop.example');
    expect(addressOf(`/technologies?q=${'a'.repeat(5_000)}`)?.length).toBeLessThan(400);
  });

  it.each([
    '/workspaces/ws_1',
    '/sign-in',
    '/stores/a/b',
    '/technologies/a/b',
    '/docs/graphql/x',
    '/sitemap/x.xml',
    '/settings/api-keys',
  ])('%s is the address of no public page', (target) => {
    expect(publicPathOf(target)).toBeUndefined();
  });

  it.each([
    ...['/technologies/shopify.data', '/docs.data', '/_root.data', '/sitemap/01.xml', '/sitemap/0.xml', '/sitemap/3'],
    ...['/\\', '/\\evil.example', 'http://evil.example/docs', 'http://a:99999/', '*', ''],
  ])('%s is the address of no public page: it is data, a further spelling, or no path', (target) => {
    expect(publicPathOf(target)).toBeUndefined();
  });

  it('the address of a public page keeps what is not a domain as it is, so that the page can say so', () => {
    expect(publicPathOf('/stores/localhost')).toEqual({ address: '/stores/localhost', isMoved: false });
    expect(publicPathOf('/stores/a%20b')).toEqual({ address: '/stores/a%20b', isMoved: false });
    expect(publicPathOf(`/stores/${'a'.repeat(3_000)}`)).toBeUndefined();
  });
});
