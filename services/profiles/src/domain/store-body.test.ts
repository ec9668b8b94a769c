import { describe, expect, it } from 'vitest';
import { seen, tech } from '../../test/support/observed.ts';
import { mergeObservation } from './merge-observation.ts';
import type { ObservedSite } from './observation.ts';
import { storeBody } from './store-body.ts';
import type { StoreProfile } from './store-profile.ts';

const profileOf = (...observations: ObservedSite[]) =>
  observations.reduce<StoreProfile | null>(
    (before, next) => mergeObservation(before, next).profile,
    null,
  ) as StoreProfile;
const bodyOf = (profile: StoreProfile) => storeBody(profile, 'https://site.example');

describe('store body', () => {
  const profile = profileOf(seen(1), seen(2, { technologies: [tech('klaviyo')] }));

  it('a store body has its platform in a member of its own, and not among the technologies', () => {
    const shopify = tech('shopify', { kind: 'platform', category: 'ecommerce' });
    const { platform, technologies } = JSON.parse(
      bodyOf(profileOf(seen(1, { technologies: [shopify, tech('klaviyo')] }))).bytes.toString(),
    );
    expect(platform.slug).toBe('shopify');
    expect(technologies.map(({ slug }: { slug: string }) => slug)).toEqual(['klaviyo']);
  });

  it('a store body is the Store object of the contract, with its members in the order of the contract', () => {
    const at = '2026-01-02T12:00:00.000Z';
    const { bytes } = bodyOf(profile);
    const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`));
    const expected = {
      brand_group_id: id('bg'),
      domain: 'shop.example',
      storefront_host: 'www.shop.example',
      storefront_id: id('sf'),
      name: 'Shop',
      profile_url: 'https://site.example/stores/shop.example',
      catalog: {
        as_of: at,
        product_count: 10,
        available_count: 8,
        coverage: 'full',
        currency: 'EUR',
        price_range: { median: 20, p25: 10, p75: 30 },
      },
      geography: { basis: 'observed', country: 'DE' },
      industry: { basis: 'classified', slug: 'apparel' },
      observation: { coverage_note: null, last_completed_scan_at: at, scope: 'full' },
      platform: {
        name: 'Shopify',
        slug: 'shopify',
        confidence: 'high',
        first_observed_at: '2026-01-01T12:00:00.000Z',
        last_confirmed_at: at,
      },
      status: { state: 'active_storefront', as_of: at },
      technologies: [
        {
          category: 'reviews',
          confidence: 'high',
          first_observed_at: at,
          install_state: 'active',
          last_confirmed_at: at,
          name: 'KLAVIYO',
          slug: 'klaviyo',
        },
      ],
      recent_signals: [
        {
          id: id('evt'),
          type: 'technology_added',
          technology: 'klaviyo',
          from: null,
          to: 'active',
          confidence: 'high',
          effective_at: at,
          confirmed_at: at,
        },
      ],
    };
    const body = JSON.parse(bytes.toString());
    expect(body).toEqual(expected);
    expect(keysOf(body)).toEqual(keysOf(expected));
  });

  it('a store body and its entity tag are the same for the same profile, whatever the stored order of its members', () => {
    const shuffled = Object.fromEntries(Object.entries(profile).reverse()) as unknown as StoreProfile;
    expect(bodyOf(shuffled)).toEqual(bodyOf(profile));
    expect(bodyOf(profile).etag).toMatch(/^"[\w-]{22}"$/);
  });

  it('a store body has another entity tag after the next observation, even when only the date changed', () => {
    const next = profileOf(seen(1), seen(2));
    expect(bodyOf(next).etag).not.toBe(bodyOf(profileOf(seen(1))).etag);
  });

  it('a store body shows a technology as inactive after one absence, and unchanged when it is detected again', () => {
    const state = (...observations: ObservedSite[]) =>
      JSON.parse(bodyOf(profileOf(...observations)).bytes.toString()).technologies[0].install_state;
    const there = (n: number) => seen(n, { technologies: [tech('klaviyo')] });
    expect(state(there(1), seen(2))).toBe('inactive');
    expect(state(there(1), seen(2), there(3))).toBe('active');
  });

  it('a store body has null only where the contract allows it', () => {
    const bare = profileOf(seen(1, { name: '', platform: null, geography: null, industry: null, catalog: null }));
    expect(nullsIn(JSON.parse(bodyOf(bare).bytes.toString()))).toEqual([
      'catalog.available_count',
      'observation.coverage_note',
    ]);
  });
});

function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return 0;
  return Object.entries(value).map(([key, member]) => [key, keysOf(member)]);
}

function nullsIn(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === null) return [`${path}${key}`];
    return typeof member === 'object' ? nullsIn(member, `${path}${key}.`) : [];
  });
}
