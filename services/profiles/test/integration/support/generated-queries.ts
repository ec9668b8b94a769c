import fc from 'fast-check';
import type { RequestedFilters } from '../../../src/operations/query-signals.ts';

export const slugs = ['klaviyo', 'shopify', 'judge-me', 'woocommerce', 'gorgias', 'hotjar'];
export const [firstMs, lastMs] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3)];

export const instant = fc.option(
  fc.integer({ min: firstMs, max: lastMs }).map((ms) => new Date(ms)),
  { nil: undefined },
);
export const span = fc
  .tuple(instant, instant)
  .map(([a, b]) => (a && b && a > b ? { from: b, to: a } : { from: a, to: b }));
/** Many of these stores have no signal, so that a page reads several groups of stores. */
const domains = Array.from({ length: 600 }, (_, n) => `shop-${n}.example`);
/** Random filters of generated signals. `emptyWeight`: how many times more often a filter is empty than not. */
export function queryWith(emptyWeight: number): fc.Arbitrary<RequestedFilters> {
  const listOf = (...values: string[]) =>
    fc.oneof({ weight: emptyWeight, arbitrary: fc.constant([]) }, fc.subarray(values, { minLength: 1 }));
  return fc.record({
    types: listOf('technology_added', 'technology_removed', 'platform_changed', 'status_changed'),
    technologies: listOf(...slugs),
    kind: fc.constant(''),
    category: fc.constant(''),
    platforms: listOf('shopify', 'woocommerce', 'custom'),
    countries: listOf('US', 'DE', 'FR', 'NL', 'ZZ'),
    industries: listOf('apparel', 'pets', 'unclassified'),
    confidence: fc.oneof({ weight: emptyWeight, arbitrary: fc.constant('') }, fc.constantFrom('high', 'low')),
    fromValues: listOf('active', 'magento', 'closed'),
    toValues: listOf('active', 'shopify', 'parked'),
    effective: fc.oneof(fc.constant({}), span),
    confirmed: fc.oneof(fc.constant({}), span),
    retractions: fc.constantFrom('none' as const, 'with' as const),
    retracted: fc.constant({}),
    domains: fc.oneof(
      { weight: emptyWeight, arbitrary: fc.constant(undefined) },
      fc.subarray(domains),
      fc.subarray(domains, { minLength: 400 }),
    ),
  });
}
