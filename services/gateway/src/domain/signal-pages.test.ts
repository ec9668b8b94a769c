import { describe, expect, it } from 'vitest';
import { decodePosition, encodePosition, requireSpan, windowOf } from './signal-pages.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const nowMs = Date.UTC(2026, 0, 15);
const reachMs = nowMs - 30 * dayMs;
const at = (firstAskedMs: number, now = nowMs) => ({ firstAskedMs, nowMs: now });
const open = { fromMs: undefined, toMs: undefined };

describe('the window of a query', () => {
  it('reaches as far as the plan, and is truncated unless the request begins later', () => {
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

  it('does not move between the pages of a day', () => {
    const first = windowOf(open, 30, at(nowMs));
    expect(windowOf(open, 30, at(nowMs, nowMs + dayMs))).toEqual(first);
  });

  it('lets an old cursor reach no further than the plan and a day', () => {
    const { fromMs, toMs } = windowOf(open, 30, at(nowMs, nowMs + 40 * dayMs));
    expect(fromMs).toBe(nowMs + 40 * dayMs - 31 * dayMs);
    expect(toMs).toBe(nowMs);
  });

  it('follows the plan of now when it was changed between pages', () => {
    expect(windowOf(open, 10, at(nowMs, nowMs + hourMs)).fromMs).toBe(nowMs - 10 * dayMs);
  });
});

it('a span that ends before it begins is refused with the name of its beginning', () => {
  const names = { from: 'confirmed_from', to: 'confirmed_to' };
  expect(() => requireSpan({ fromMs: 2, toMs: 1 }, names)).toThrow(/^confirmed_from/);
  for (const span of [{ fromMs: 1, toMs: 1 }, { fromMs: 2, toMs: undefined }, open]) requireSpan(span, names);
});

it('a position is the same after it was encoded', () => {
  const position = { atMs: nowMs, id: 'evt_01kandxv3w9p4nsbq7g8e2hm5t', firstAskedMs: nowMs + 5 };
  expect(decodePosition(encodePosition(position))).toEqual(position);
});
