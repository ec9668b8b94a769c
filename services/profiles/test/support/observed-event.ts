import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { day } from './observed.ts';

/** An observations.v1 event of day `sequence` of January 2026. The same numbers give the same scan. */
export function observed(
  domain: string,
  sequence: number,
  over: Partial<ObservationCompleted> = {},
): ObservationCompleted {
  return {
    ...ObservationCompleted.decode(new Uint8Array()),
    scanId: `scan-${domain}-${sequence}`,
    domain,
    sequence,
    startedAtMs: day(sequence).getTime() - 4_000,
    completedAtMs: day(sequence).getTime(),
    outcome: ObservationOutcome.OBSERVED,
    scope: 'full',
    storefrontHost: `www.${domain}`,
    statusState: 'active_storefront',
    name: 'Shop',
    platform: { slug: 'shopify', name: 'Shopify', confidence: 'high' },
    technologies: [],
    geography: { country: 'DE', basis: 'observed' },
    industry: { slug: 'apparel', basis: 'classified' },
    catalog: {
      coverage: 'full',
      productCount: 10,
      availableCount: 8,
      currency: 'EUR',
      priceP25: 10,
      priceMedian: 20,
      priceP75: 30,
    },
    ...over,
  };
}

export function unanswered(domain: string, sequence: number, reason = 'timeout'): ObservationCompleted {
  return {
    ...ObservationCompleted.decode(new Uint8Array()),
    scanId: `scan-${domain}-${sequence}`,
    domain,
    sequence,
    completedAtMs: day(sequence).getTime(),
    outcome: ObservationOutcome.UNREACHABLE,
    reason,
    scope: 'partial',
    statusState: 'unreachable',
  };
}

export const sighting = (slug: string, installState = 'active') => ({
  slug,
  name: slug,
  kind: 'app',
  category: 'any',
  confidence: 'high',
  installState,
  sources: [],
});
