import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { expect, it } from 'vitest';
import { createFailedAttempts } from './failed-attempts.ts';

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

it('an address at its limit gets one look-up a second until its minute ends, and is free again then', () => {
  const clock = new ManualClock();
  const failed = createFailedAttempts({ clock, maxPerMinute: 3 });
  for (const key of ['a', 'b', 'c']) {
    // Below the limit nothing is held back.
    for (let i = 0; i < 5; i++) expect(refusalOf(() => failed.takeLookUp(office))).toBeUndefined();
    failed.note(office, key);
    clock.advance(5_000);
  }
  const limited = { code: 'rate_limited', retryAfter: 1 };
  expect(refusalOf(() => failed.takeLookUp(office))).toBeUndefined();
  expect(refusalOf(() => failed.takeLookUp(office))).toEqual(limited);
  expect(refusalOf(() => failed.takeLookUp('203.0.113.10'))).toBeUndefined();
  clock.advance(999);
  expect(refusalOf(() => failed.takeLookUp(office))).toEqual(limited);
  clock.advance(1);
  expect(refusalOf(() => failed.takeLookUp(office))).toBeUndefined();
  expect(refusalOf(() => failed.takeLookUp(office))).toEqual(limited);
  // The minute began with the first failure, 16 s ago.
  clock.advance(43_999);
  failed.takeLookUp(office);
  expect(refusalOf(() => failed.takeLookUp(office))).toEqual(limited);
  clock.advance(1);
  for (let i = 0; i < 5; i++) expect(refusalOf(() => failed.takeLookUp(office))).toBeUndefined();
  expect([failed.size, failed.keys]).toEqual([0, 0]);
});

it('one key that is refused again and again counts once', () => {
  const failed = createFailedAttempts({ clock: new ManualClock(), maxPerMinute: 2 });
  for (let i = 0; i < 1_000; i++) failed.note(office, 'broken');
  for (let i = 0; i < 5; i++) expect(refusalOf(() => failed.takeLookUp(office))).toBeUndefined();
  expect(failed.keys).toBe(1);
  failed.note(office, 'another');
  failed.takeLookUp(office);
  expect(refusalOf(() => failed.takeLookUp(office))).toBeDefined();
});

it('keys that share their public prefix count each, so that a guesser gains nothing by keeping it', () => {
  const failed = createFailedAttempts({ clock: new ManualClock(), maxPerMinute: 3 });
  for (const rest of ['x', 'y', 'z']) failed.note(office, `svc_live_a1B2${rest}`);
  failed.takeLookUp(office);
  expect(refusalOf(() => failed.takeLookUp(office))).toBeDefined();
});

it('a bounded number of addresses is remembered, the one that failed least recently goes first', () => {
  const failed = createFailedAttempts({ clock: new ManualClock(), maxPerMinute: 1, maxAddresses: 2 });
  for (const address of ['a', 'b', 'a', 'c']) failed.note(address, 'key');
  expect(failed.size).toBe(2);
  const isLimited = (address: string) => {
    failed.takeLookUp(address);
    return refusalOf(() => failed.takeLookUp(address)) !== undefined;
  };
  expect(['a', 'b', 'c'].map(isLimited)).toEqual([true, false, true]);
});

it('a bounded number of keys is remembered, whatever addresses send how many', () => {
  const clock = new ManualClock();
  const failed = createFailedAttempts({ clock, maxPerMinute: 60, maxKeys: 100 });
  for (let address = 0; address < 20; address++) {
    for (let key = 0; key < 59; key++) failed.note(`a${address}`, `key ${key}`);
    expect(failed.keys).toBeLessThanOrEqual(100);
  }
  expect(failed.keys).toBeGreaterThan(50);
  // An address at its limit holds no keys.
  const before = failed.size;
  for (let key = 0; key < 10_000; key++) failed.note('a19', `key ${key}`);
  expect(failed.keys).toBeLessThan(60);
  expect(failed.size).toBeLessThanOrEqual(before);

  // A limit above the bound ends at the bound, instead of being forgotten and begun anew for ever.
  const wide = createFailedAttempts({ clock, maxPerMinute: 1_000_000, maxKeys: 100 });
  for (let key = 0; key < 150; key++) wide.note(office, `key ${key}`);
  wide.takeLookUp(office);
  expect(refusalOf(() => wide.takeLookUp(office))).toBeDefined();
  expect(wide.keys).toBe(0);
});
