import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { expect, it } from 'vitest';
import { createAuthFailures } from './auth-failures.ts';

function refusalOf(act: () => void) {
  try {
    act();
    return undefined;
  } catch (error) {
    const { code, details } = AppError.from(error);
    return { code, retryAfter: details.retry_after };
  }
}

const office = '203.0.113.9';

it('an address at its limit gets one look-up per second until its minute ends', () => {
  const clock = new ManualClock();
  const failed = createAuthFailures({ clock, maxPerMinute: 3 });
  for (const key of ['a', 'b', 'c']) {
    // Below the limit every look-up is allowed.
    for (let i = 0; i < 5; i++) expect(refusalOf(() => failed.acquireLookUp(office))).toBeUndefined();
    failed.record(office, key);
    clock.advance(5_000);
  }
  const limited = { code: 'rate_limited', retryAfter: 1 };
  expect(refusalOf(() => failed.acquireLookUp(office))).toBeUndefined();
  expect(refusalOf(() => failed.acquireLookUp(office))).toEqual(limited);
  expect(refusalOf(() => failed.acquireLookUp('203.0.113.10'))).toBeUndefined();
  clock.advance(999);
  expect(refusalOf(() => failed.acquireLookUp(office))).toEqual(limited);
  clock.advance(1);
  expect(refusalOf(() => failed.acquireLookUp(office))).toBeUndefined();
  expect(refusalOf(() => failed.acquireLookUp(office))).toEqual(limited);
  // The minute began with the first failure, 16 s ago.
  clock.advance(43_999);
  failed.acquireLookUp(office);
  expect(refusalOf(() => failed.acquireLookUp(office))).toEqual(limited);
  clock.advance(1);
  for (let i = 0; i < 5; i++) expect(refusalOf(() => failed.acquireLookUp(office))).toBeUndefined();
  expect([failed.size, failed.keys]).toEqual([0, 0]);
});

it('a key that is refused many times counts once', () => {
  const failed = createAuthFailures({ clock: new ManualClock(), maxPerMinute: 2 });
  for (let i = 0; i < 1_000; i++) failed.record(office, 'broken');
  for (let i = 0; i < 5; i++) expect(refusalOf(() => failed.acquireLookUp(office))).toBeUndefined();
  expect(failed.keys).toBe(1);
  failed.record(office, 'another');
  failed.acquireLookUp(office);
  expect(refusalOf(() => failed.acquireLookUp(office))).toBeDefined();
});

it('different keys with the same key tag count separately', () => {
  const failed = createAuthFailures({ clock: new ManualClock(), maxPerMinute: 3 });
  for (const rest of ['x', 'y', 'z']) failed.record(office, `svc_live_a1B2${rest}`);
  failed.acquireLookUp(office);
  expect(refusalOf(() => failed.acquireLookUp(office))).toBeDefined();
});

it('the number of stored addresses is bounded, and the one that failed least recently is dropped first', () => {
  const failed = createAuthFailures({ clock: new ManualClock(), maxPerMinute: 1, maxAddresses: 2 });
  for (const address of ['a', 'b', 'a', 'c']) failed.record(address, 'key');
  expect(failed.size).toBe(2);
  const isLimited = (address: string) => {
    failed.acquireLookUp(address);
    return refusalOf(() => failed.acquireLookUp(address)) !== undefined;
  };
  expect(['a', 'b', 'c'].map(isLimited)).toEqual([true, false, true]);
});

it('the number of stored keys is bounded over all addresses', () => {
  const clock = new ManualClock();
  const failed = createAuthFailures({ clock, maxPerMinute: 60, maxKeys: 100 });
  for (let address = 0; address < 20; address++) {
    for (let key = 0; key < 59; key++) failed.record(`a${address}`, `key ${key}`);
    expect(failed.keys).toBeLessThanOrEqual(100);
  }
  expect(failed.keys).toBeGreaterThan(50);
  // An address at its limit stores no keys.
  const before = failed.size;
  for (let key = 0; key < 10_000; key++) failed.record('a19', `key ${key}`);
  expect(failed.keys).toBeLessThan(60);
  expect(failed.size).toBeLessThanOrEqual(before);

  // A limit above the bound is reduced to the bound. Otherwise the address would be dropped before it reached its limit.
  const wide = createAuthFailures({ clock, maxPerMinute: 1_000_000, maxKeys: 100 });
  for (let key = 0; key < 150; key++) wide.record(office, `key ${key}`);
  wide.acquireLookUp(office);
  expect(refusalOf(() => wide.acquireLookUp(office))).toBeDefined();
  expect(wide.keys).toBe(0);
});
