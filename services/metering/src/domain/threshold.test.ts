import { unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { announcedAfter, mayBeReached, reachedBy, thresholdsOf } from './threshold.ts';

const of = (included: number) => thresholdsOf(unitsOf({ lookupCached: included }));
const percentsOf = (used: number, announced = {}, included = 1_000) =>
  reachedBy(of(included), unitsOf({ lookupCached: used }), announced).map(({ percent }) => percent);

describe('thresholds of an allowance', () => {
  it.each([
    [1_000, [800, 1_000]],
    [7, [6, 7]],
    [1, [1, 1]],
    [1e12, [8e11, 1e12]],
    [0, []],
  ])('of %d included units, the thresholds are reached at %j used units', (included, expected) => {
    expect(of(included).map(({ reachedAt }) => reachedAt)).toEqual(expected);
  });

  it('a threshold is reached from its number of used units on, and both thresholds by one step beyond them', () => {
    expect([799, 800, 999, 1_000, 1_500].map((used) => percentsOf(used))).toEqual([
      [],
      [80],
      [80],
      [80, 100],
      [80, 100],
    ]);
  });

  it('a threshold is not reached again after it, or a higher one, was announced', () => {
    expect(percentsOf(1_000, { lookupCached: 80 })).toEqual([100]);
    expect(percentsOf(1_000, { lookupCached: 100 })).toEqual([]);
    expect(percentsOf(900, { lookupCached: 100 }, 1_000)).toEqual([]);
    expect(percentsOf(900, { lookupLive: 100 })).toEqual([80]);
    const reached = reachedBy(of(1_000), unitsOf({ lookupCached: 1_000 }), {});
    expect(announcedAfter({ lookupLive: 80 }, reached)).toEqual({ lookupLive: 80, lookupCached: 100 });
  });

  it('a threshold above the taken units cannot be reached; when the taken units are unknown, each threshold can be reached', () => {
    const included = unitsOf({ lookupCached: 1_000, lookupLive: 10 });
    const may = (taken: Parameters<typeof mayBeReached>[0]['taken'], lookupCached = 0) =>
      mayBeReached({ included, ...(taken && { taken }) }, unitsOf({ lookupCached })).map(({ unit, percent }) => [
        unit,
        percent,
      ]);
    expect(may(unitsOf({ lookupCached: 799, lookupLive: 7 }))).toEqual([]);
    expect(may(unitsOf({ lookupCached: 799, lookupLive: 8 }), 1)).toEqual([
      ['lookupCached', 80],
      ['lookupLive', 80],
    ]);
    expect(may(undefined)).toHaveLength(4);
  });
});
