import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { SiteSeen } from './observation.ts';
import { readObservation } from './read-observation.ts';

const known = new Map(
  [
    { slug: 'shopify', name: 'Shopify', kind: 'platform', category: 'ecommerce' },
    { slug: 'klaviyo', name: 'Klaviyo', kind: 'app', category: 'email' },
  ].map((entry) => [entry.slug, entry]),
);

const event = (over: Partial<ObservationCompleted> = {}): ObservationCompleted => ({
  ...ObservationCompleted.decode(new Uint8Array()),
  scanId: 'scan_1',
  domain: 'shop.example',
  sequence: 1,
  completedAtMs: 1_768_478_400_000,
  outcome: ObservationOutcome.OBSERVED,
  scope: 'full',
  statusState: 'active_storefront',
  ...over,
});
const read = (over: Partial<ObservationCompleted> = {}) => readObservation(event(over), (slug) => known.get(slug));
const readSeen = (over: Partial<ObservationCompleted> = {}) => read(over).observation as SiteSeen;
const technology = (slug: string, name = 'as the page says') => ({
  slug,
  name,
  kind: 'x',
  category: 'y',
  confidence: 'certain',
  installState: 'new',
});

describe('reading an observation', () => {
  it('takes names and categories from the vocabulary, and leaves unknown slugs out, counted', () => {
    const { observation, unknownSlugs } = read({
      platform: { slug: 'shopify', name: 'SHOPIFY!', confidence: 'high' },
      technologies: [technology('klaviyo'), technology('made-up'), technology('klaviyo')],
    });
    expect(observation).toMatchObject({
      platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
      technologies: [
        {
          slug: 'klaviyo',
          name: 'Klaviyo',
          kind: 'app',
          category: 'email',
          confidence: 'low',
          installState: 'configured',
        },
      ],
    });
    expect(unknownSlugs).toEqual(['made-up']);
  });

  it("keeps a custom theme under the merchant's own name", () => {
    expect(readSeen({ technologies: [technology('custom-theme', 'Moonlight')] }).technologies).toMatchObject([
      { slug: 'custom-theme', name: 'Moonlight', kind: 'theme', category: 'themes' },
    ]);
  });

  it('counts an unknown platform as none known', () => {
    expect(readSeen({ platform: { slug: 'custom', name: 'Custom', confidence: 'low' } }).platform).toBeNull();
    expect(read({ platform: { slug: 'new-thing', name: 'New', confidence: 'high' } })).toMatchObject({
      observation: { platform: null },
      unknownSlugs: ['new-thing'],
    });
  });

  it('bounds and cleans text that came from a page', () => {
    const { name, storefrontHost } = readSeen({
      name: ` A\u0000\n B${'x'.repeat(5_000)}`,
      storefrontHost: 'evil host"',
    });
    expect(name).toBe(`A B${'x'.repeat(197)}`);
    expect(storefrontHost).toBe('shop.example');
    expect(readSeen({ name: `${'x'.repeat(199)}😀` }).name.isWellFormed()).toBe(true);
  });

  it('counts values outside the contract as not observed', () => {
    expect(
      readSeen({
        geography: { country: 'Germany', basis: 'observed' },
        industry: { slug: 'Apparel & more', basis: 'classified' },
        catalog: {
          coverage: 'most',
          productCount: 1,
          currency: 'EUR',
          priceP25: 1,
          priceMedian: 1,
          priceP75: 1,
        },
      }),
    ).toMatchObject({ geography: null, industry: null, catalog: null });
    expect(
      readSeen({
        catalog: {
          coverage: 'full',
          productCount: 3,
          currency: '€',
          priceP25: Number.NaN,
          priceMedian: -1,
          priceP75: Number.POSITIVE_INFINITY,
        },
      }).catalog,
    ).toMatchObject({ availableCount: null, currency: 'XXX', priceRange: { median: 0, p25: 0, p75: 0 } });
  });

  it.each([
    [{ scanId: '' }, /^scan_id/],
    [{ domain: 'No Domain' }, /^domain/],
    [{ completedAtMs: 0 }, /^completed_at_ms/],
    [{ outcome: ObservationOutcome.UNSPECIFIED }, /^outcome/],
    [{ scope: 'most' }, /^scope/],
    [{ statusState: 'on_holiday' }, /^status_state/],
  ])('refuses for good, naming the member: %o', (over, message) => {
    expect(() => read(over)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => read(over)).toThrow(message);
  });
});
