import type { FacetValue, RawCount, RawFacet } from '../engine/count.ts';

/**
 * What callers see of exact counts, so that counts are no free look-ups of single stores.
 *
 * - A total of 1 to 4 is `less than 5`, and nothing else is shown. 0 stays 0.
 * - No number of a facet is 1 to 4: the smallest values join `other` until it is 0 or at least 5.
 * - With a list of the workspace, every number is rounded to tens, and one below 10 is hidden, also 0: a count over a list of one store would
 *   else be a free look-up.
 *
 * Decision 92 has the attacks that these rules stop.
 */
export interface ShownCount {
  total: Amount;
  /** Undefined if the total is hidden. */
  notJudged: Amount | undefined;
  /** Empty if the total is hidden. */
  facets: ShownFacet[];
}

export interface Amount {
  value: number;
  relation: 'eq' | 'lt' | 'approx';
}

export interface ShownFacet {
  field: string;
  values: FacetValue[];
  /** Null if a store may have several values, because they do not add up, and if it is hidden. */
  other: number | null;
  /** Null if it is hidden. */
  unknown: number | null;
}

interface Rules {
  /** Smaller numbers are hidden. */
  floor: number;
  hidesZero: boolean;
  shown(count: number): number;
  relation: 'eq' | 'approx';
}
const exact: Rules = { floor: 5, hidesZero: false, shown: (count) => count, relation: 'eq' };
const toTens = (count: number) => Math.round(count / 10) * 10;
const rounded: Rules = { floor: 10, hidesZero: true, shown: toTens, relation: 'approx' };

export function shownCount({ total, notJudged, facets }: RawCount, { hasList }: { hasList: boolean }): ShownCount {
  const rules = hasList ? rounded : exact;
  if (isHidden(total, rules)) return { total: amountOf(total, rules), notJudged: undefined, facets: [] };
  return {
    total: amountOf(total, rules),
    notJudged: amountOf(notJudged, rules),
    facets: facets.map((facet) => facetOf(facet, rules)),
  };
}

/** Whether only the total is answered: no quote, no facets, no sample. */
export const isHiddenTotal = ({ total }: Pick<ShownCount, 'total'>): boolean => total.relation === 'lt';

/** Returns the largest number of stores that a shown total stands for. */
export function mostRows({ value, relation }: Amount): number {
  if (relation === 'lt') return value - 1;
  return relation === 'approx' ? value + roundedUpTo : value;
}
/** A total that is shown in tens is at most this much larger. */
const roundedUpTo = 4;

const isHidden = (count: number, { floor, hidesZero }: Rules): boolean => count < floor && (hidesZero || count > 0);

const shownOrHidden = (count: number, rules: Rules): number | null =>
  isHidden(count, rules) ? null : rules.shown(count);

const amountOf = (count: number, rules: Rules): Amount =>
  isHidden(count, rules)
    ? { value: rules.floor, relation: 'lt' }
    : { value: rules.shown(count), relation: rules.relation };

/** Rounded numbers do not add up, so none of them tells a hidden one. */
function facetOf({ field, values, other, unknown }: RawFacet, rules: Rules): ShownFacet {
  const shown = values.filter(({ stores }) => stores >= rules.floor);
  if (other === undefined || rules.hidesZero) {
    return {
      field,
      values: shown.map((each) => ({ ...each, stores: rules.shown(each.stores) })),
      other: other === undefined ? null : shownOrHidden(other + sumOf(values) - sumOf(shown), rules),
      unknown: shownOrHidden(unknown, rules),
    };
  }
  const parts = joinSmallest({ shown, other: other + sumOf(values) - sumOf(shown), unknown }, rules);
  return { field, values: parts.shown, other: parts.other, unknown: parts.unknown };
}

interface Parts {
  shown: FacetValue[];
  other: number;
  unknown: number;
}

/** A hidden number beside a known sum would be the difference. So further values join it until they hide each other. */
function joinSmallest({ shown, other, unknown }: Parts, rules: Rules): Parts {
  const parts = { shown: [...shown], other, unknown };
  if (isHidden(parts.unknown, rules)) {
    parts.other += parts.unknown;
    parts.unknown = 0;
  }
  while (isHidden(parts.other, rules)) {
    const smallest = parts.shown.reduce<FacetValue | undefined>(
      (least, each) => (least && least.stores <= each.stores ? least : each),
      undefined,
    );
    parts.other += smallest?.stores ?? parts.unknown;
    if (smallest) parts.shown = parts.shown.filter((each) => each !== smallest);
    else parts.unknown = 0;
  }
  return parts;
}

const sumOf = (values: readonly FacetValue[]): number => values.reduce((sum, { stores }) => sum + stores, 0);
