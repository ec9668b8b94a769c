import { invalidField } from '@shopscope/errors';
import type { Technology, TechnologyOrder } from '@shopscope/proto';

/** More than the vocabulary has technologies. */
const maxSlugs = 20_000;

/** An order of technologies that the caller of a page has chosen. Throws `invalid_request` if it names too many slugs. */
export function createOrder({ firstSlugs, lastSlugs }: TechnologyOrder) {
  if (firstSlugs.length + lastSlugs.length > maxSlugs)
    throw invalidField('order', `must have at most ${maxSlugs} slugs`);
  const ranks = new Map(firstSlugs.map((slug, at) => [slug, at - firstSlugs.length]));
  for (const slug of lastSlugs) ranks.set(slug, 1);
  /** Negative for the first entries, positive for the last ones, and 0 for the others. */
  const rankOf = (slug: string): number => ranks.get(slug) ?? 0;

  return {
    /** Returns entries, which are sorted by slug, in this order. */
    arrange(sorted: readonly Technology[]): Technology[] {
      const parts = Map.groupBy(sorted, ({ slug }) => Math.sign(rankOf(slug)));
      const first = parts.get(-1) ?? [];
      first.sort((a, b) => rankOf(a.slug) - rankOf(b.slug));
      return [...first, ...(parts.get(0) ?? []), ...(parts.get(1) ?? [])];
    },
    /** Whether a slug comes after another one, which may be of no entry. Every slug comes after an empty one. */
    isAfter(slug: string, other: string): boolean {
      const difference = rankOf(slug) - rankOf(other);
      return other === '' || difference > 0 || (difference === 0 && slug > other);
    },
  };
}
