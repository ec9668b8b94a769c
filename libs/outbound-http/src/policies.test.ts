import { describe, expect, it } from 'vitest';
import { createAddressPolicy, isAddressLiteral } from './address-policy.ts';
import { nameRefusalOf } from './name-policy.ts';

describe('the address policy', () => {
  const policy = createAddressPolicy(['203.0.114.0/24', '2a00:1234::/32']);

  it.each(['93.184.215.14', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    'the address policy allows the public address %s',
    (address) => {
      expect(policy.refusalOf(address)).toBeUndefined();
    },
  );

  it.each([
    ['203.0.114.9', 'denied'],
    ['2a00:1234::9', 'denied'],
    ['168.63.129.16', 'denied'],
    ['127.0.0.1', 'loopback'],
    ['::ffff:93.184.215.14', 'ipv4Mapped'],
    ['64:ff9b::5db8:d70e', 'rfc6052'],
    ['2002:5db8:d70e::', '6to4'],
    ['2001::1', 'teredo'],
    ['4000::1', 'unassigned'],
    ['fe80::1%eth0', 'linkLocal'],
    ['', 'not an address'],
  ])('the address policy refuses %s as %s', (address, range) => {
    expect(policy.refusalOf(address)).toBe(range);
  });

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '::1', '127.1'])(
    'the address policy recognizes %s as an IP address and not as a name',
    (host) => {
      expect(isAddressLiteral(host)).toBe(true);
      expect(nameRefusalOf(host)?.code).toBe('blocked_address');
    },
  );
});

describe('the name policy', () => {
  it.each([
    ['shop.com', undefined],
    ['xn--ksehof-zrich-gcb75a.ch', undefined],
    ['shop.example', 'dns_failure'],
    ['localhost', 'blocked_address'],
    ['db.internal', 'blocked_address'],
    ['a.b.svc.cluster.local.', 'blocked_address'],
    ['router', 'blocked_address'],
    ['1.2.3.com', undefined],
    [`${'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.'.repeat(4)}shop`, undefined],
    [`${'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.'.repeat(4)}shops.com`, 'dns_failure'],
  ] as const)('the name policy decides whether %s may be resolved, with the refusal %s', (host, refusal) => {
    expect(nameRefusalOf(host)?.code).toBe(refusal);
  });
});
