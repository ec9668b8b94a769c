import { describe, expect, it } from 'vitest';
import { largest, niceTicks, slots, stack } from './scale.ts';

describe('ticks of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [101, [0, 50, 100, 150]],
    [2_431, [0, 1_000, 2_000, 3_000]],
    [999_999, [0, 500_000, 1_000_000]],
  ])('the ticks of an axis for %d are %j', (max, ticks) => {
    expect(niceTicks(max)).toEqual(ticks);
  });

  it('the ticks of an axis begin at zero, cover the maximum, are whole and at most five', () => {
    for (let max = 0; max < 5_000_000; max = Math.ceil(max * 1.37 + 1)) {
      const ticks = niceTicks(max);
      expect([ticks[0], (ticks.at(-1) as number) >= max, ticks.every(Number.isInteger)]).toEqual([0, true, true]);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });
});

it('the slots of bars fill the width without overlapping, and bars are centred in them', () => {
  const all = slots(31);
  expect(all).toHaveLength(31);
  expect((all.at(-1)?.x ?? 0) + (all.at(-1)?.width ?? 0)).toBeCloseTo(100, 1);
  for (const { x, width, center, barX, barWidth } of all) {
    expect(barX + barWidth / 2).toBeCloseTo(center, 2);
    expect(barX).toBeGreaterThan(x);
    expect(barX + barWidth).toBeLessThan(x + width);
  }
});

describe('stacked bars', () => {
  it('a stacked bar has its parts one above the other, in proportion to the axis', () => {
    expect(stack([50, 25], 100, 200)).toEqual([
      { y: 100, height: 100 },
      { y: 50, height: 50 },
    ]);
  });

  it('a stacked bar shows a value above zero however small it is, and nothing for zero', () => {
    expect(stack([1_000_000, 1, 0], 1_000_000, 200).map(({ height }) => height)).toEqual([200, 2, 0]);
  });
});

it('the largest series of a chart are shown, and the others are the rest', () => {
  const series = [3, 9, 1, 5].map((total) => ({ total }));
  expect(largest(series, 2)).toEqual({ shown: [{ total: 9 }, { total: 5 }], rest: [{ total: 3 }, { total: 1 }] });
  expect(largest(series, 6).rest).toEqual([]);
});
