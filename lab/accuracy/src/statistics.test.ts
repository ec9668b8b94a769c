import { describe, expect, it } from 'vitest';
import { quantileOf, shareOf } from './statistics.ts';

describe('statistics', () => {
  it.each([
    [9, 10, 0.9, 0.59584, 0.98212],
    [0, 60, 0, 0, 0.06017],
    [60, 60, 1, 0.93983, 1],
  ])('the Wilson interval of %i of %i is known', (hits, cases, share, low, high) => {
    const result = shareOf(hits, cases);
    expect(result.share).toBe(share);
    expect(result.low).toBeCloseTo(low, 4);
    expect(result.high).toBeCloseTo(high, 4);
  });

  it('a share of no cases has no value', () => {
    expect(shareOf(0, 0)).toEqual({ share: null, low: null, high: null });
  });

  it('a quantile is a value that was measured', () => {
    const values = Array.from({ length: 200 }, (_, at) => 200 - at);
    expect([quantileOf(values, 0.5), quantileOf(values, 0.99), quantileOf([7], 0.99), quantileOf([], 0.5)]).toEqual([
      100, 198, 7, 0,
    ]);
  });
});
