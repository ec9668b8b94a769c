import type { DetectedTechnology, ObservedSite, UnobservedSite } from '../../src/domain/observation.ts';

/** A store's observations for tests. Number n is of day n of January 2026 and has sequence n. */
export const day = (n: number): Date => new Date(Date.UTC(2026, 0, n, 12));

export function tech(slug: string, over: Partial<DetectedTechnology> = {}): DetectedTechnology {
  return {
    slug,
    name: slug.toUpperCase(),
    kind: 'app',
    category: 'reviews',
    confidence: 'high',
    installState: 'active',
    sources: ['home'],
    ...over,
  };
}

export function seen(n: number, over: Partial<ObservedSite> = {}): ObservedSite {
  return {
    scanId: `scan_${n}`,
    domain: 'shop.example',
    sequence: n,
    completedAt: day(n),
    outcome: 'observed',
    scope: 'full',
    coverageNote: null,
    storefrontHost: 'www.shop.example',
    state: 'active_storefront',
    name: 'Shop',
    platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
    technologies: [],
    technologiesOmitted: false,
    geography: { country: 'DE', basis: 'observed' },
    industry: { slug: 'apparel', basis: 'classified' },
    catalog: {
      asOf: day(n),
      coverage: 'full',
      productCount: 10,
      availableCount: 8,
      currency: 'EUR',
      priceRange: { median: 20, p25: 10, p75: 30 },
    },
    sourcesRead: ['home'],
    furtherPlatforms: [],
    ...over,
  };
}

export function notSeen(n: number, outcome: UnobservedSite['outcome'], reason = 'timeout'): UnobservedSite {
  return { scanId: `scan_${n}`, domain: 'shop.example', sequence: n, completedAt: day(n), outcome, reason };
}
