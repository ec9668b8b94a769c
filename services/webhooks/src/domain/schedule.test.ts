import { hourMs, secondMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { outcomeOf, retryAfterMs } from './schedule.ts';

const now = new Date(Date.UTC(2026, 0, 15, 12));
const at = { now, random: 0 };
const first = { tries: 0, extra: null } as const;

describe('outcomeOf', () => {
  it.each([200, 204, 299])('the status %d is a success', (status) => {
    expect(outcomeOf(first, { status, headers: {} }, at)).toEqual({ state: 'succeeded', tries: 1 });
  });

  it.each([null, 199, 301, 404, 500])('the status %s is tried again after the pause of the schedule', (status) => {
    const dueAt = new Date(now.getTime() + 5 * secondMs);
    expect(outcomeOf(first, { status, headers: {} }, at)).toEqual({ state: 'retrying', dueAt, tries: 1 });
  });

  it('a pause is at most a tenth longer than that of the schedule', () => {
    const dueAt = new Date(now.getTime() + 5.5 * secondMs);
    expect(outcomeOf(first, { status: 500, headers: {} }, { now, random: 1 })).toMatchObject({ dueAt });
  });

  it('the header webhook-delivery: abort-message ends the delivery', () => {
    const headers = { 'webhook-delivery': ' Abort-Message ' };
    expect(outcomeOf(first, { status: 500, headers }, at)).toEqual({ state: 'failed', tries: 1 });
  });
});

describe('retryAfterMs', () => {
  it.each([
    ['120', 120 * secondMs],
    ['0', 0],
    ['999999999', 24 * hourMs],
    ['Thu, 15 Jan 2026 13:00:00 GMT', hourMs],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['Fri, 15 Jan 2038 11:00:00 GMT', 24 * hourMs],
    ['-5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['2026', 2_026 * secondMs],
    ['9'.repeat(400), undefined],
    ['Thu, 99 Foo 2026 13:00:00 GMT', undefined],
  ])('Retry-After: %s', (text, ms) => {
    for (const status of [429, 503]) expect(retryAfterMs({ status, headers: { 'retry-after': text } }, now)).toBe(ms);
    expect(retryAfterMs({ status: 500, headers: { 'retry-after': text } }, now)).toBeUndefined();
  });

  it('Retry-After moves the next attempt only to a later time', () => {
    const dueOf = (text: string) =>
      outcomeOf({ tries: 1, extra: null }, { status: 429, headers: { 'retry-after': text } }, at);
    expect(dueOf('1')).toMatchObject({ dueAt: new Date(now.getTime() + 300 * secondMs) });
    expect(dueOf('400')).toMatchObject({ dueAt: new Date(now.getTime() + 400 * secondMs) });
  });
});
