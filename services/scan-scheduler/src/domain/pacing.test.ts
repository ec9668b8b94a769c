import { hourMs } from '@shopscope/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, parseAddress, parseNetwork } from './address.ts';
import {
  limitOfKey,
  maxClockDifferenceMs,
  type PacingLimits,
  requestOf,
  slotOf,
  targetOfKey,
  targetsOf,
  visitOf,
} from './pacing.ts';

const networks = (...texts: string[]) => texts.flatMap((text) => parseNetwork(text) ?? []);
const limits: PacingLimits = {
  domainRequestsPerSecond: 4,
  addressRequestsPerSecond: 5,
  platforms: [
    { name: 'big', networks: networks('192.0.2.0/24', '2001:db8:1::/48'), requestsPerSecond: 50 },
    { name: 'own', networks: networks('192.0.0.0/8'), requestsPerSecond: 900, domainRequestsPerSecond: 800 },
  ],
};
const addresses = (...texts: string[]) => texts.map((text) => parseAddress(text) as Address);
const keysOf = (...texts: string[]) => targetsOf(limits, 'shop.example', addresses(...texts)).map(({ key }) => key);

describe('targets of a request', () => {
  it('the targets of a request are its domain and each IPv4 address', () => {
    expect(targetsOf(limits, 'shop.example', addresses('203.0.113.7', '203.0.113.8'))).toEqual([
      { key: 'domain:shop.example', requestsPerSecond: 4, lowestRequestsPerSecond: 4 },
      { key: 'address:203.0.113.7', requestsPerSecond: 5, lowestRequestsPerSecond: 5 },
      { key: 'address:203.0.113.8', requestsPerSecond: 5, lowestRequestsPerSecond: 5 },
    ]);
  });

  it('a target of pacing is one for all addresses of a /64 of IPv6, and one for an IPv4 address in any notation', () => {
    expect(keysOf('2001:db8:7::1', '2001:db8:7::ffff', '2001:db8:7:1::1')).toEqual([
      'domain:shop.example',
      'address:2001:db8:7::/64',
      'address:2001:db8:7:1::/64',
    ]);
    expect(keysOf('::ffff:203.0.113.7', '203.0.113.7')).toEqual(['domain:shop.example', 'address:203.0.113.7']);
  });

  it('a target of pacing is one for all addresses of a platform, the first that has them', () => {
    expect(keysOf('192.0.2.1', '192.0.2.200', '2001:db8:1::5')).toEqual(['domain:shop.example', 'platform:big']);
  });

  it('the limit of a domain comes from its platform, and is the lowest of several', () => {
    const domainLimit = (...texts: string[]) =>
      targetsOf(limits, 'shop.example', addresses(...texts))[0]?.requestsPerSecond;
    expect([domainLimit('192.1.1.1'), domainLimit('192.0.2.1'), domainLimit('192.1.1.1', '203.0.113.7')]).toEqual([
      800, 4, 4,
    ]);
  });

  it('the targets of a request have their limits also by their keys alone', () => {
    const keys = ['domain:a.example', 'address:203.0.113.7', 'platform:big', 'platform:removed'];
    expect(keys.map((key) => limitOfKey(limits, key))).toEqual([4, 5, 50, 5]);
  });

  it('the limit of a target by its key alone is never higher than the one with the addresses', () => {
    const rate = fc.double({ min: 0.01, max: 1_000, noNaN: true });
    const platform = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      networks: fc.constantFrom(['192.0.2.0/24'], ['192.0.0.0/8', '2001:db8::/32'], ['203.0.113.0/24']),
      requestsPerSecond: rate,
      domainRequestsPerSecond: fc.option(rate, { nil: undefined }),
    });
    const platforms = fc.uniqueArray(platform, { selector: ({ name }) => name });
    const hosts = fc.subarray(['192.0.2.1', '192.9.9.9', '203.0.113.7', '198.51.100.1', '2001:db8::1'], {
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.record({ domain: rate, address: rate }), platforms, hosts, (general, entries, texts) => {
        const some: PacingLimits = {
          domainRequestsPerSecond: general.domain,
          addressRequestsPerSecond: general.address,
          platforms: entries.map((entry) => ({ ...entry, networks: networks(...entry.networks) })),
        };
        for (const { key, requestsPerSecond } of targetsOf(some, 'shop.example', addresses(...texts))) {
          expect(limitOfKey(some, key)).toBeLessThanOrEqual(requestsPerSecond);
        }
      }),
    );
  });
});

describe('a schedule', () => {
  const target = targetOfKey(limits, 'address:203.0.113.7');

  it('a schedule gives an unused request slot at once, and refuses a slot after the longest wait', () => {
    expect(slotOf(undefined, 1_000, requestOf(target, 100))).toBe(1_000);
    expect(slotOf(500, 1_000, requestOf(target, 100))).toBe(1_000);
    expect(slotOf(1_100, 1_000, requestOf(target, 100))).toBe(1_100);
    expect(slotOf(1_101, 1_000, requestOf(target, 100))).toBeNull();
  });

  it('a schedule ignores a slot that no reservation can have given', () => {
    expect(slotOf(31_300, 1_000, requestOf(target, 100))).toBeNull();
    expect(slotOf(31_301, 1_000, requestOf(target, 100))).toBe(1_000);
    expect(slotOf(hourMs, 5_000, visitOf(target))).toBe(4_000);
  });

  it.each([
    ['two clocks take turns', (n: number) => (n % 2) * maxClockDifferenceMs],
    ['a faster clock follows', (n: number) => (n < 1_200 ? 0 : maxClockDifferenceMs)],
    ['a slower clock follows', (n: number) => (n < 1_200 ? 0 : -maxClockDifferenceMs)],
  ])('a schedule gives no more than the slots of one longest wait twice when %s', (_, offsetMsOf) => {
    const maxWaitMs = 10_000;
    const reservation = requestOf(target, maxWaitMs);
    let next: number | undefined;
    const sentAtMs: number[] = [];
    for (let n = 0; n < 2_400; n++) {
      const nowMs = n * 50;
      const slot = slotOf(next, nowMs + offsetMsOf(n), reservation);
      if (slot === null) continue;
      next = slot + reservation.costMs;
      sentAtMs.push(slot - offsetMsOf(n));
    }
    const requests = sentAtMs.filter((ms) => ms < 120_000).length;
    const perSecond = target.requestsPerSecond;
    expect(requests).toBeLessThanOrEqual((120 + maxWaitMs / 1_000) * perSecond + 1);
    expect(requests).toBeGreaterThan(80 * perSecond);
  });

  it('a schedule keeps turns of visits for a second', () => {
    expect(slotOf(undefined, 5_000, visitOf(target))).toBe(4_000);
    expect(slotOf(5_000, 5_000, visitOf(target))).toBe(5_000);
    expect(slotOf(5_001, 5_000, visitOf(target))).toBeNull();
    expect(visitOf(target).costMs).toBe(2_400);
  });
});
