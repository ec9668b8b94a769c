import { dayMs, hourMs } from '@shopscope/clock';
import type { Units } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { type DemoKey, planDay } from './plan-day.ts';

const keys: DemoKey[] = [
  { keyId: 'key_production', prefix: 'svc_live_production', pattern: 'production' },
  { keyId: 'key_batch', prefix: 'svc_live_batch', pattern: 'batch' },
  { keyId: 'key_stopped', prefix: 'svc_live_stopped', pattern: 'stopped' },
  { keyId: 'key_testing', prefix: 'svc_live_testing', pattern: 'testing' },
];
const included = (lookupCached: number, lookupLive: number): Units => ({
  lookupCached,
  lookupLive,
  historyQuery: 0,
  refreshRequested: 0,
});
/** The first day is a Sunday. */
const firstRunDayMs = Date.UTC(2027, 4, 16);
const growth = { seed: 'demo', workspaceId: 'ws_1', keys, included: included(250_000, 5_000), firstRunDayMs };

const dayOf = (age: number, options = growth) => planDay(options, firstRunDayMs + age * dayMs);
const sumOf = (age: number, keyId: string, unit: 'lookupCached' | 'lookupLive' = 'lookupCached') =>
  dayOf(age)
    .filter((charge) => charge.keyId === keyId)
    .reduce((sum, { units }) => sum + units[unit], 0);

describe('planned charges of a day', () => {
  it('the planned charges of a day are the same in every run, with other ids in another workspace', () => {
    expect(dayOf(-3)).toEqual(dayOf(-3));
    const other = dayOf(-3, { ...growth, workspaceId: 'ws_2' });
    expect(other.map(({ units }) => units)).toEqual(dayOf(-3).map(({ units }) => units));
    const ids = [...dayOf(-3), ...dayOf(-2), ...other].map(({ chargeId }) => chargeId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(dayOf(-3, { ...growth, seed: 'other' })).not.toEqual(dayOf(-3));
  });

  it('the planned charges of a day show a week, growth, and a key that stopped', () => {
    const [saturday, sunday, monday, tuesday] = [-8, -7, -6, -5].map((age) => sumOf(age, 'key_production'));
    expect(Math.max(saturday as number, sunday as number)).toBeLessThan(
      0.75 * Math.min(monday as number, tuesday as number),
    );
    expect(sumOf(-2, 'key_production')).toBeGreaterThan(sumOf(-9, 'key_production'));
    expect([-13, -8, -6].map((age) => sumOf(age, 'key_stopped') > 0)).toEqual([true, true, true]);
    expect([-5, -4, 0, 30].map((age) => sumOf(age, 'key_stopped'))).toEqual([0, 0, 0, 0]);
    expect(sumOf(-4, 'key_batch', 'lookupLive')).toBeGreaterThan(sumOf(-4, 'key_production', 'lookupLive'));
    expect(sumOf(-4, 'key_production', 'lookupLive')).toBeGreaterThan(0);
  });

  it('the planned charges of a day are ordinary requests, in the order of their time, before the time of billing', () => {
    for (let age = -13; age <= 0; age++) {
      for (const { keyId } of keys) {
        const charges = dayOf(age).filter((charge) => charge.keyId === keyId);
        expect(charges.length).toBeLessThanOrEqual(60);
        const times = charges.map(({ atMs }) => atMs);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        for (const { units, atMs } of charges) {
          expect(units.lookupCached >= 1 && units.lookupCached <= 100).toBe(true);
          expect(atMs >= 0 && atMs < 23 * hourMs).toBe(true);
        }
      }
    }
  });

  it.each([
    ['free', included(1_000, 25)],
    ['growth', included(250_000, 5_000)],
    ['scale', included(2_500_000, 50_000)],
  ])(
    'the planned charges of a day use at most 70 %% of the allowance of the plan %s in the longest month',
    (_, allowance) => {
      const month = Array.from({ length: 31 }, (_, n) => dayOf(n - 13, { ...growth, included: allowance })).flat();
      for (const unit of ['lookupCached', 'lookupLive'] as const) {
        expect(month.reduce((sum, { units }) => sum + units[unit], 0)).toBeLessThanOrEqual(0.7 * allowance[unit]);
      }
      expect(month.length).toBeGreaterThan(30);
    },
  );
});
