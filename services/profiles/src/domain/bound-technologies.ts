import { confidences } from '@shopscope/proto';
import type { StoreTechnology } from './store-profile.ts';

/**
 * The largest number of technologies of one profile, and of one observation. A page can make a scanner detect other technologies each time,
 * and partial observations remove none. Without this limit, a profile could grow up to the whole vocabulary.
 */
export const maxTechnologies = 500;

/**
 * Returns the first technologies for which `fits` is true. The order is: latest confirmation, higher confidence, slug. The
 * technologies that the latest observation detected therefore come first. The result is sorted by slug.
 */
export function mostRecent(
  technologies: readonly StoreTechnology[],
  fits: (technology: StoreTechnology, index: number) => boolean,
): StoreTechnology[] {
  const ranked = technologies.toSorted(
    (a, b) =>
      b.lastConfirmedAt.getTime() - a.lastConfirmedAt.getTime() ||
      confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
      bySlug(a, b),
  );
  const end = ranked.findIndex((technology, index) => !fits(technology, index));
  return (end < 0 ? ranked : ranked.slice(0, end)).sort(bySlug);
}

export const bySlug = (a: { slug: string }, b: { slug: string }): number => (a.slug < b.slug ? -1 : 1);
