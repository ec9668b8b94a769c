import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { ObservedSite } from './observation.ts';
import { parseObservation } from './parse-observation.ts';

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
const nowMs = 1_768_500_000_000;
const read = (over: Partial<ObservationCompleted> = {}) =>
  parseObservation(event(over), (slug) => known.get(slug), nowMs);
const parseObserved = (over: Partial<ObservationCompleted> = {}) => read(over).observation as ObservedSite;
const technology = (slug: string, name = 'as the page says') => ({
  slug,
  name,
  kind: 'x',
  category: 'y',
  confidence: 'certain',
  installState: 'new',
  sources: [] as string[],
});

describe('parseObservation', () => {
  it('parseObservation dates an observation not later than its merge', () => {
    expect(read({ completedAtMs: nowMs - 1 }).observation.completedAt).toEqual(new Date(nowMs - 1));
    expect(read({ completedAtMs: nowMs + 1 }).observation.completedAt).toEqual(new Date(nowMs));
    const catalog = { coverage: 'full', productCount: 1, currency: 'EUR', priceP25: 1, priceMedian: 1, priceP75: 1 };
    expect(parseObserved({ completedAtMs: nowMs + 1, catalog }).catalog?.asOf).toEqual(new Date(nowMs));
  });

  it('parseObservation takes names and categories from the vocabulary, and omits and reports unknown slugs', () => {
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

  it('parseObservation sorts sources, omits those of another form, and takes an event without sources for one of the home page', () => {
    const sources = ['home', 'dns.mx', 'home', 'DROP TABLE', 'x'.repeat(40)];
    const observation = parseObserved({
      technologies: [{ ...technology('klaviyo'), sources }],
      sourcesRead: sources,
    });
    expect(observation.sourcesRead).toEqual(['dns.mx', 'home']);
    expect(observation.technologies[0]?.sources).toEqual(['dns.mx', 'home']);
    expect(parseObserved({ technologies: [technology('klaviyo')] })).toMatchObject({
      sourcesRead: ['home'],
      technologies: [{ sources: ['home'] }],
    });
  });

  it('parseObservation keeps a whole note about what was looked at', () => {
    const coverageNote = `Looked at: ${'the home page, '.repeat(20)}`.trim();
    expect(parseObserved({ coverageNote }).coverageNote).toBe(coverageNote);
  });

  it("parseObservation keeps the merchant's name of a custom theme", () => {
    expect(parseObserved({ technologies: [technology('custom-theme', 'Moonlight')] }).technologies).toMatchObject([
      { slug: 'custom-theme', name: 'Moonlight', kind: 'theme', category: 'themes' },
    ]);
  });

  it('parseObservation treats an unknown platform as no platform', () => {
    expect(parseObserved({ platform: { slug: 'custom', name: 'Custom', confidence: 'low' } }).platform).toBeNull();
    expect(read({ platform: { slug: 'new-thing', name: 'New', confidence: 'high' } })).toMatchObject({
      observation: { platform: null },
      unknownSlugs: ['new-thing'],
    });
  });

  it('parseObservation truncates text from a page and removes control characters', () => {
    const { name, storefrontHost } = parseObserved({
      name: ` A\u0000\n B${'x'.repeat(5_000)}`,
      storefrontHost: 'evil host"',
    });
    expect(name).toBe(`A B${'x'.repeat(197)}`);
    expect(storefrontHost).toBe('shop.example');
    expect(parseObserved({ name: `${'x'.repeat(199)}😀` }).name.isWellFormed()).toBe(true);
  });

  it('parseObservation removes bidirectional controls from names and notes, and keeps joiners and NFC', () => {
    const { name, coverageNote } = parseObserved({
      name: '\u202ecafe\u0301\u200f کتاب\u200cها\u2069',
      coverageNote: '\u2066Cut.\u202c',
    });
    expect([name, coverageNote]).toEqual(['caf\u00e9 کتاب\u200cها', 'Cut.']);
  });

  it('parseObservation treats values outside the contract as not observed', () => {
    expect(
      parseObserved({
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
      parseObserved({
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
  ])('parseObservation throws invalid_request with the name of the invalid field: %o', (over, message) => {
    expect(() => read(over)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => read(over)).toThrow(message);
  });
});
