import { type DemoStores, productsOf, startDemoStores, storeDefinitions } from '@shopscope/demo-stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObserver, ending } from './support/observer.ts';

let stores: DemoStores;
let observe: ReturnType<typeof createObserver>['observe'];

beforeAll(async () => {
  stores = await startDemoStores({ host: '127.0.0.1', port: 0 });
  observe = createObserver({ hosts: stores.testHosts }).observe;
});
afterAll(() => stores.stop());

const open = storeDefinitions.filter(({ state, platform }) => (state ?? 'open') === 'open' && platform !== 'none');
const slugsOf = async (domain: string) => (await observe(domain)).technologies.map(({ slug }) => slug);

describe('scans of the demo stores', () => {
  it.each(open.map((store) => [store.domain, store] as const))(
    'the demo store %s is observed with its real properties',
    async (domain, store) => {
      const seen = await observe(domain);
      expect(seen).toMatchObject({
        scope: 'full',
        coverageNote: expect.stringContaining('Looked at: the home page'),
        storefrontHost: store.host ?? domain,
        statusState: 'active_storefront',
        name: store.title,
        platform: { slug: store.platform },
        geography: { country: store.country },
        catalog: { currency: store.currency },
      });
      expect(seen.technologies.map(({ slug }) => slug)).toEqual(expect.arrayContaining([...store.apps]));
      // Shopify's listing has no total, so the products of one page are counted.
      const listed = store.platform === 'shopify' ? 250 : Number.POSITIVE_INFINITY;
      expect(seen.catalog?.productCount).toBe(Math.min(productsOf(store).length, listed));
      expect(seen.catalog?.priceMedian).toBeGreaterThan(0);
    },
  );

  it('an app of a demo store is detected only while it is installed', async () => {
    const domain = 'maple-and-moss.example';
    expect(await slugsOf(domain)).not.toContain('hotjar');
    stores.setApps(domain, { add: ['hotjar'], remove: ['privy'] });
    const after = await slugsOf(domain);
    expect(after).toContain('hotjar');
    expect(after).not.toContain('privy');
  });

  it.each([
    ['sleepy-lagoon.example', { outcome: 'OBSERVED', reason: '', status: 'password_protected' }],
    ['old-harbour-books.example', { outcome: 'OBSERVED', reason: '', status: 'redirected' }],
    ['gone-fishing-lures.example', { outcome: 'UNREACHABLE', reason: 'connection_refused', status: 'unreachable' }],
    ['hollow-oak-library.example', { outcome: 'OBSERVED', reason: '', status: 'not_a_storefront' }],
    ['private-cellar.example', { outcome: 'REFUSED', reason: 'robots_disallowed', status: '' }],
  ])('the demo store %s has the expected observation', async (domain, expected) => {
    expect(ending(await observe(domain))).toEqual(expected);
  });

  it.each([
    ['down', { outcome: 'UNREACHABLE', reason: 'connection_reset', status: 'unreachable' }],
    ['failing', { outcome: 'UNREACHABLE', reason: 'server_error', status: 'unreachable' }],
    ['forbidden', { outcome: 'REFUSED', reason: 'forbidden', status: '' }],
    ['closed', { outcome: 'OBSERVED', reason: '', status: 'closed' }],
    ['parked', { outcome: 'OBSERVED', reason: '', status: 'parked' }],
  ] as const)('a demo store in the state %s has the expected observation', async (state, expected) => {
    stores.setState('nordverktyg.example', state);
    expect(ending(await observe('nordverktyg.example'))).toEqual(expected);
    stores.setState('nordverktyg.example', 'open');
  });
});
