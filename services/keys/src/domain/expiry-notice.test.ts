import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { daysLeftAt, nextNoticeAfter } from './expiry-notice.ts';

const createdAt = new Date(Date.UTC(2026, 0, 1));
const expiringIn = (days: number) => ({
  createdAt,
  expiresAt: new Date(createdAt.getTime() + days * dayMs),
  use: 'api' as const,
});

describe('notice of an expiry', () => {
  it.each([
    [30, [23, 29]],
    [8, [1, 7]],
    [7, [6]],
    [2, [1]],
    [1, []],
    [0.5, []],
  ])('a key that is made %d days before its expiry gets notices after %j days', (lifeDays, days) => {
    const key = expiringIn(lifeDays);
    const times: number[] = [];
    let next = nextNoticeAfter(key, createdAt.getTime());
    for (; next; next = nextNoticeAfter(key, next.getTime())) times.push(next.getTime());
    expect(times).toEqual(days.map((day) => createdAt.getTime() + day * dayMs));
  });

  it('a key without an expiry and the key of the dashboard get no notice', () => {
    expect(nextNoticeAfter({ ...expiringIn(30), expiresAt: null }, 0)).toBeNull();
    expect(nextNoticeAfter({ ...expiringIn(30), use: 'dashboard' }, 0)).toBeNull();
  });

  it.each([
    [7, 7],
    [1.001, 7],
    [1, 1],
    [0.001, 1],
    [0, undefined],
    [-1, undefined],
  ])('a notice that is due %d days before the expiry says %s days', (daysBefore, daysLeft) => {
    const key = expiringIn(30);
    expect(daysLeftAt(key, key.expiresAt.getTime() - daysBefore * dayMs)).toBe(daysLeft);
  });
});
