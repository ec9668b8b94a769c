import { expect, it } from 'vitest';
import { yearOf } from './year.ts';

const load = { stores: 700, requests: 1_000, keyedShare: 0.1, scanDays: 7, signalsPerScan: 0.5, keys: 10 };
const sizes = new Proxy({}, { get: () => 10 });
const rowsOf = (kept: Record<string, number>) => new Map(yearOf(load, sizes, kept).map((row) => [row.name, row]));

it('yearOf counts documents that are never deleted for the whole year, and others for the days that they are kept', () => {
  const rows = rowsOf({ 'usage.v1': 14, 'metering.charges': 30, 'profiles.observations': 1_825 });
  expect(rows.get('metering.ledger')).toEqual({ name: 'metering.ledger', count: 365_000, bytes: 3_650_000 });
  expect(rows.get('usage.v1')?.count).toBe(14_000);
  expect(rows.get('metering.charges')?.count).toBe(3_000);
  expect(rows.get('profiles.observations')?.count).toBe(36_500);
  expect(rows.get('profiles.signals')?.count).toBe(18_250);
  expect(rows.get('profiles.stores')?.count).toBe(700);
});

it('yearOf rejects a name without a measured size', () => {
  expect(() => yearOf(load, {}, {})).toThrow('profiles.stores was not measured');
});
