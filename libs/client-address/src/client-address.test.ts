import { describe, expect, it } from 'vitest';
import { addressGroup, createReadClientAddress, isAddressOrRange } from './client-address.ts';

describe('address of a caller', () => {
  const groupBehind = (proxies: string[]) => {
    const read = createReadClientAddress(proxies);
    return (...given: Parameters<typeof read>) => addressGroup(read(...given) ?? 'unknown');
  };
  const direct = groupBehind([]);
  const behind = groupBehind(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

  it('the address of a caller is that of the connection; an X-Forwarded-For written by the caller is ignored', () => {
    expect(direct('203.0.113.9', undefined)).toBe('203.0.113.9');
    expect(direct('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(behind('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  });

  it('the address of a caller behind trusted proxies is the last address that is not a trusted proxy', () => {
    expect(behind('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
    expect(behind('10.1.2.3', 'spoofed, 8.8.8.8, 198.51.100.1, 192.0.2.7')).toBe('198.51.100.1');
    expect(behind('fd00::1', '198.51.100.1,10.9.9.9')).toBe('198.51.100.1');
    expect(behind('10.1.2.3', '10.0.0.1')).toBe('10.0.0.1');
    expect(behind('10.1.2.3', undefined)).toBe('10.1.2.3');
  });

  it('the address of a caller is the last valid one when an entry of X-Forwarded-For is not an address', () => {
    expect(behind('10.1.2.3', '198.51.100.1, unknown')).toBe('10.1.2.3');
    expect(behind('10.1.2.3', '198.51.100.1, unknown, 10.4.4.4')).toBe('10.4.4.4');
    expect(behind('10.1.2.3', '')).toBe('10.1.2.3');
    expect(behind(undefined, '198.51.100.1')).toBe('unknown');
    expect(behind('10.1.2.3', '10.0.0.1,'.repeat(10_000))).toBe('10.1.2.3');
  });

  it('the address of a caller counts by the /64 prefix of IPv6, and by the IPv4 address of an IPv4-mapped one', () => {
    expect(direct('2001:db8:1:2:3:4:5:6', undefined)).toBe('2001:db8:1:2::/64');
    expect(direct('2001:db8:1:2::', undefined)).toBe('2001:db8:1:2::/64');
    expect(direct('::1', undefined)).toBe('0:0:0:0::/64');
    expect(direct('fe80::1%eth0', undefined)).toBe('fe80:0:0:0::/64');
    expect(direct('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9');
    expect(behind('::ffff:10.1.2.3', '::ffff:198.51.100.1')).toBe('198.51.100.1');
  });
});

it('an address range is an address or a CIDR range', () => {
  for (const range of ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1']) expect(isAddressOrRange(range), range).toBe(true);
  for (const text of ['', 'proxy', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/-1'])
    expect(isAddressOrRange(text), text).toBe(false);
});

it('a client behind a proxy keeps its whole IPv6 address', () => {
  expect(createReadClientAddress(['10.0.0.0/8'])('10.1.2.3', '2001:DB8::7')).toBe('2001:db8::7');
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s is throttled as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
