import { dayMs, hourMs } from '@shopscope/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePosition, encodePosition, spanOf, windowOf } from './signal-pages.ts';

const nowMs = Date.UTC(2026, 0, 15);
const reachMs = nowMs - 30 * dayMs;
const at = (firstAskedMs: number, now = nowMs) => ({ firstAskedMs, nowMs: now });
const open = { fromMs: undefined, toMs: undefined };

describe('windowOf', () => {
  it('the window of a query reaches as far as the plan, and is truncated unless the request begins later', () => {
    expect(windowOf(open, 30, at(nowMs))).toEqual({ fromMs: reachMs, toMs: nowMs, isTruncated: true });
    expect(windowOf({ ...open, fromMs: reachMs }, 30, at(nowMs))).toMatchObject({
      fromMs: reachMs,
      isTruncated: false,
    });
    expect(windowOf({ ...open, fromMs: reachMs - 1 }, 30, at(nowMs))).toMatchObject({
      fromMs: reachMs,
      isTruncated: true,
    });
    const later = { fromMs: nowMs - dayMs, toMs: nowMs - hourMs };
    expect(windowOf(later, 30, at(nowMs))).toEqual({ ...later, isTruncated: false });
  });

  it('the window of a query does not move between the pages of a day', () => {
    const first = windowOf(open, 30, at(nowMs));
    expect(windowOf(open, 30, at(nowMs, nowMs + dayMs))).toEqual(first);
  });

  it('the window of an old cursor reaches no further than the plan and a day', () => {
    const { fromMs, toMs } = windowOf(open, 30, at(nowMs, nowMs + 20 * dayMs));
    expect(fromMs).toBe(nowMs + 20 * dayMs - 31 * dayMs);
    expect(toMs).toBe(nowMs);
  });

  it('the window of a query follows the current plan when it was changed between pages', () => {
    expect(windowOf(open, 10, at(nowMs, nowMs + hourMs)).fromMs).toBe(nowMs - 10 * dayMs);
  });
});

describe('windowOf, any request', () => {
  const instant = fc.integer({ min: nowMs - 90 * dayMs, max: nowMs + 90 * dayMs });
  const optional = fc.option(instant, { nil: undefined });
  const days = fc.integer({ min: 0, max: 60 });

  it('a window never ends before it begins, reaches no further than the plan, and is truncated when the plan cut it', () => {
    fc.assert(
      fc.property(
        optional,
        optional,
        instant,
        fc.nat(3 * dayMs),
        days,
        (fromMs, toMs, firstAskedMs, ageMs, historyDays) => {
          fc.pre(fromMs === undefined || toMs === undefined || fromMs <= toMs);
          const pageMs = firstAskedMs + ageMs;
          const reachMs = Math.max(firstAskedMs, pageMs - dayMs) - historyDays * dayMs;
          const window = windowOf({ fromMs, toMs }, historyDays, { firstAskedMs, nowMs: pageMs });
          expect(window.toMs).toBeGreaterThanOrEqual(window.fromMs);
          expect(window.fromMs).toBe(Math.max(reachMs, fromMs ?? reachMs));
          expect(window.isTruncated).toBe(fromMs === undefined || fromMs < reachMs);
          if (toMs !== undefined && toMs >= window.fromMs) expect(window.toMs).toBe(toMs);
        },
      ),
    );
  });

  it.each([
    ['in the future', { fromMs: nowMs + dayMs, toMs: undefined }, nowMs + dayMs],
    ['before the reach of the plan', { fromMs: undefined, toMs: reachMs - dayMs }, reachMs],
  ])('a window %s is empty and ends where it begins', (_, span, atMs) => {
    expect(windowOf(span, 30, at(nowMs))).toMatchObject({ fromMs: atMs, toMs: atMs });
  });
});

describe('spanOf', () => {
  it('a span that ends before it begins is refused with the name of its beginning', () => {
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    expect(() => spanOf({ from: late, to: early })).toThrow(/^from: must not be later than to$/);
    expect(() => spanOf({ from: late, to: early }, 'confirmed_')).toThrow(/^confirmed_from: .* confirmed_to$/);
    expect(spanOf({ from: early, to: early })).toEqual({ fromMs: Date.parse(early), toMs: Date.parse(early) });
    expect(spanOf({})).toEqual({ fromMs: undefined, toMs: undefined });
  });

  it('a span with fractions of a millisecond has no instant before its beginning or after its end', () => {
    const span = spanOf({ from: '2026-01-15T00:00:00.0001Z', to: '2026-01-15T00:00:00.0029999Z' });
    expect(span).toEqual({ fromMs: nowMs + 1, toMs: nowMs + 2 });
    expect(spanOf({ from: '2026-01-15T00:00:00.000000Z' }).fromMs).toBe(nowMs);
    expect(spanOf({ from: '2026-01-15T00:00:00.1Z' }).fromMs).toBe(nowMs + 100);
    const last = '9999-12-31T23:59:59.999Z';
    expect(spanOf({ from: last.replace('Z', '9Z') }).fromMs, 'a year of four digits').toBe(Date.parse(last));
    // Between two milliseconds: no signal, and no error.
    const between = spanOf({ from: '2026-01-15T00:00:00.0001Z', to: '2026-01-15T00:00:00.0002Z' });
    expect(between).toEqual({ fromMs: nowMs + 1, toMs: nowMs });
  });
});

it('the position of a cursor is the same after it was encoded', () => {
  const position = { atMs: nowMs, id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t', firstAskedMs: nowMs + 5 };
  expect(decodePosition(encodePosition(position))).toEqual(position);
});
