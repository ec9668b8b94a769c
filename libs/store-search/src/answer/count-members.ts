import type { RawCount } from '../engine/count.ts';
import type { StoreQuery } from '../query.ts';
import { maskedDomain } from './masked-domain.ts';
import { isHiddenTotal, shownCount } from './shown-count.ts';

/** The members of a count that every caller sees in the same form. `sampleDomains` are stores that match. */
export function countMembers(count: RawCount, sampleDomains: readonly string[], { where }: StoreQuery) {
  const hasList = where.list !== undefined;
  const shown = shownCount(count, { hasList });
  const hasSample = !hasList && !isHiddenTotal(shown);
  return {
    total: shown.total,
    not_judged: { ...(shown.notJudged && { scope_partial: shown.notJudged }) },
    facets: shown.facets,
    sample: hasSample ? sampleDomains.map((domain) => ({ domain: maskedDomain(domain) })) : [],
  };
}
