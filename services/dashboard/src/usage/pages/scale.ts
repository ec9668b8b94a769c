/** Pure functions behind the charts. They do not use SVG elements. */

const mostIntervals = 4;

/** Round numbers from 0 to at least `max`, at most five. All are whole, in steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(max: number): number[] {
  const rough = Math.max(1, max / mostIntervals);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The place of one of `count` bars, in percent of the width. */
export interface Slot {
  /** The whole slot: its left edge, width and center. */
  x: number;
  width: number;
  center: number;
  /** The bar in the slot: its left edge and its width. */
  barX: number;
  barWidth: number;
}

const barShare = 0.68;

export function slots(count: number): Slot[] {
  const width = 100 / count;
  return Array.from({ length: count }, (_, index) => ({
    x: round(index * width),
    width: round(width),
    center: round((index + 0.5) * width),
    barX: round((index + (1 - barShare) / 2) * width),
    barWidth: round(barShare * width),
  }));
}

/** A part of a stacked bar, in pixels from the top of the plot. */
interface Segment {
  y: number;
  height: number;
}

/** The minimum height at which a part is visible. */
const visiblePx = 2;

/** The parts of a bar, from the bottom to the top. A value above zero is always visible, even if the others are much larger. */
export function stack(values: readonly number[], max: number, plotHeight: number): Segment[] {
  let bottom = plotHeight;
  return values.map((value) => {
    const height = value > 0 ? Math.max(visiblePx, round((value / max) * plotHeight)) : 0;
    bottom = round(bottom - height);
    return { y: bottom, height };
  });
}

/** The series with the largest totals, followed by the sum of the others. */
export function largest<T extends { total: number }>(series: readonly T[], atMost: number): { shown: T[]; rest: T[] } {
  const sorted = [...series].sort((a, b) => b.total - a.total);
  return { shown: sorted.slice(0, atMost), rest: sorted.slice(atMost) };
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const round = (value: number) => Math.round(value * 1_000) / 1_000;
