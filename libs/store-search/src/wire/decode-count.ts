import type { CountStoresResponse } from '@shopscope/proto';
import type { RawCount } from '../engine/count.ts';

/** Decodes the numbers of a count. A facet of which a store can have several values has no `other`, because its numbers do not add up. */
export const decodeCount = ({ total, notJudged, facets }: CountStoresResponse): RawCount => ({
  total,
  notJudged,
  facets: facets.map(({ other, ...facet }) => ({ ...facet, other })),
});
