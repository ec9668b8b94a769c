import { describe, expect, it } from 'vitest';
import { mergeObservation } from './merge-observation.ts';
import type { Observation } from './observation.ts';
import type { StoreProfile } from './store-profile.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const facts = (n: number) => ({ scanId: `scan-${n}`, domain: 'shop.example', sequence: n, completedAt: day(n) });
const seen = (n: number, slugs: readonly string[], state = 'active_storefront'): Observation => ({
  ...facts(n),
  outcome: 'observed',
  scope: 'full',
  coverageNote: null,
  storefrontHost: 'shop.example',
  state: state as never,
  name: 'Shop',
  platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
  technologies: slugs.map((slug) => ({
    slug,
    name: slug,
    kind: 'app',
    category: 'email',
    confidence: 'high',
    installState: 'active',
    sources: ['home'],
  })),
  technologiesOmitted: false,
  geography: null,
  industry: null,
  catalog: null,
  sourcesRead: ['home'],
  furtherPlatforms: [],
});
const timeout = (n: number): Observation => ({ ...facts(n), outcome: 'unreachable', reason: 'timeout' });
const other = (n: number): Observation => ({ ...facts(n), outcome: 'not_the_store', reason: 'challenged' });

const profileOf = (...observations: Observation[]): StoreProfile => {
  let profile: StoreProfile | null = null;
  for (const observation of observations) profile = mergeObservation(profile, observation).profile ?? profile;
  if (!profile) throw new Error('no profile');
  return profile;
};

describe('answers that are not the page of the store', () => {
  it.each<[string, Observation[]]>([
    ['a trading store', [seen(1, ['klaviyo'])]],
    ['a store with a candidate for a removal', [seen(1, ['klaviyo']), seen(2, [])]],
    ['a store with a candidate for another status', [seen(1, ['klaviyo']), seen(2, [], 'closed')]],
    ['a store with a candidate for unreachable', [seen(1, ['klaviyo']), timeout(2)]],
    ['an unreachable store', [seen(1, ['klaviyo']), timeout(2), timeout(3)]],
  ])(
    "an answer that is not the store's page changes only the sequence of %s: it neither makes nor discards a candidate",
    (_, observations) => {
      const before = profileOf(...observations);
      const merge = mergeObservation(before, other(9));
      expect(merge).toEqual({
        profile: { ...before, sequence: 9 },
        shown: false,
        reason: 'challenged',
        signals: [],
      });
    },
  );

  it('an answer that is not the page of the store never counts towards unreachable, however often it comes', () => {
    let profile = profileOf(seen(1, []), timeout(2));
    for (let n = 3; n < 20; n++) profile = mergeObservation(profile, other(n)).profile ?? profile;
    expect(profile.status.state).toBe('active_storefront');
    expect(profile.lastCompletedScanAt).toEqual(day(1));
    expect(mergeObservation(profile, timeout(20)).profile?.status.state).toBe('unreachable');
  });

  it('an answer that is not the page of the store creates no profile of an unknown domain', () => {
    expect(mergeObservation(null, other(1))).toEqual({
      profile: null,
      shown: false,
      reason: 'challenged',
      signals: [],
    });
  });
});
