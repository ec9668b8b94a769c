import { unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { randomOf } from '../../test/random.ts';
import { parsedQuery } from '../../test/requests.ts';
import type { FacetValue, RawCount } from '../engine/count.ts';
import { quoteOf } from './quote.ts';
import { shownCount } from './shown-count.ts';

const rawOf = (total: number, more: Partial<RawCount> = {}): RawCount => ({ total, notJudged: 0, facets: [], ...more });
const valuesOf = (counts: readonly number[]): FacetValue[] =>
  counts.map((stores, at) => ({ value: `value-${at}`, stores }));

/** The counts of a field with one value per store. */
const fieldOf = (counts: readonly number[], other: number, unknown: number) => {
  const total = counts.reduce((sum, each) => sum + each, other + unknown);
  return rawOf(total, { facets: [{ field: 'country', values: valuesOf(counts), other, unknown }] });
};
const numbersOf = (raw: RawCount, hasList: boolean) => {
  const [facet] = shownCount(raw, { hasList }).facets;
  return facet && [...facet.values.map(({ stores }) => stores), facet.other, facet.unknown];
};

describe('a total', () => {
  it.each([
    [0, { value: 0, relation: 'eq' }],
    [1, { value: 5, relation: 'lt' }],
    [4, { value: 5, relation: 'lt' }],
    [5, { value: 5, relation: 'eq' }],
    [1_234, { value: 1_234, relation: 'eq' }],
  ])('a total of %i is exact from five on', (total, shown) => {
    expect(shownCount(rawOf(total), { hasList: false }).total).toEqual(shown);
  });

  it.each([
    [0, { value: 10, relation: 'lt' }],
    [1, { value: 10, relation: 'lt' }],
    [9, { value: 10, relation: 'lt' }],
    [14, { value: 10, relation: 'approx' }],
    [15, { value: 20, relation: 'approx' }],
    [1_234, { value: 1_230, relation: 'approx' }],
  ])('a total of %i over a list is rounded to tens from ten on', (total, shown) => {
    expect(shownCount(rawOf(total), { hasList: true }).total).toEqual(shown);
  });

  it('nothing stands beside a hidden total', () => {
    const query = parsedQuery({});
    const shown = shownCount(rawOf(4, { notJudged: 80, facets: fieldOf([4], 0, 0).facets }), { hasList: false });
    expect(shown).toEqual({ total: { value: 5, relation: 'lt' }, notJudged: undefined, facets: [] });
    expect(quoteOf(shown, query, 50)).toBeUndefined();
    expect(quoteOf(shownCount(rawOf(17), { hasList: true }), query, 50)).toEqual(unitsOf({ lookupCached: 20 }));
  });

  it('the number of stores that cannot be judged has the same floor', () => {
    const notJudged = (stores: number, hasList: boolean) =>
      shownCount(rawOf(100, { notJudged: stores }), { hasList }).notJudged;
    expect(notJudged(3, false)).toEqual({ value: 5, relation: 'lt' });
    expect(notJudged(30, false)).toEqual({ value: 30, relation: 'eq' });
    expect(notJudged(33, true)).toEqual({ value: 30, relation: 'approx' });
  });
});

describe('a facet', () => {
  it('values below five are in other, which is never one to four itself', () => {
    expect(numbersOf(fieldOf([20, 7, 4, 3], 0, 0), false)).toEqual([20, 7, 7, 0]);
    expect(numbersOf(fieldOf([20, 7, 3], 0, 0), false)).toEqual([20, 10, 0]);
    expect(numbersOf(fieldOf([20, 7], 0, 2), false)).toEqual([20, 9, 0]);
    expect(numbersOf(fieldOf([3], 0, 9), false)).toEqual([12, 0]);
    expect(numbersOf(fieldOf([20, 7], 0, 0), false)).toEqual([20, 7, 0, 0]);
  });

  it('no number of any facet is one to four, and the numbers still add up to the total', () => {
    const random = randomOf(3);
    for (let at = 0; at < 5_000; at++) {
      const counts = Array.from({ length: random.below(6) }, () => 1 + random.below(9)).toSorted((a, b) => b - a);
      const raw = fieldOf(counts, random.below(8), random.below(8));
      const shown = numbersOf(raw, false) as number[] | undefined;
      if (raw.total > 0 && raw.total < 5) expect(shown).toBeUndefined();
      else {
        expect(shown?.filter((stores) => stores > 0 && stores < 5)).toEqual([]);
        expect(shown?.reduce((sum, stores) => sum + stores, 0)).toBe(raw.total);
      }
      for (const stores of numbersOf(raw, true) ?? []) expect((stores ?? 0) % 10).toBe(0);
    }
  });

  it('with a list, a number below ten is hidden, also 0, and a hidden number does not change the others', () => {
    expect(numbersOf(fieldOf([30], 0, 0), true)).toEqual([30, null, null]);
    expect(numbersOf(fieldOf([30, 1], 0, 3), true)).toEqual([30, null, null]);
    expect(numbersOf(fieldOf([30, 9, 8], 0, 14), true)).toEqual([30, 20, 10]);
    const facet = { field: 'technology', values: valuesOf([30, 4]), other: undefined, unknown: 0 };
    expect(numbersOf(rawOf(50, { facets: [facet] }), true)).toEqual([30, null, null]);
  });

  it('a field with several values per store has no other, and hides small numbers', () => {
    const facet = { field: 'technology', values: valuesOf([30, 4]), other: undefined, unknown: 2 };
    expect(numbersOf(rawOf(50, { facets: [facet] }), false)).toEqual([30, null, null]);
    expect(numbersOf(rawOf(50, { facets: [{ ...facet, unknown: 0 }] }), false)).toEqual([30, null, 0]);
  });
});
