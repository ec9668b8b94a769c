import { describe, expect, it } from 'vitest';
import { type Address, parseAddress } from './address.ts';
import { optOutListOf, subjectOf } from './opt-out.ts';

const addresses = (...texts: string[]) => texts.map((text) => parseAddress(text) as Address);

describe('opt-out of a domain', () => {
  const list = optOutListOf(['victim.example', 'github.io']);

  it.each([
    'victim.example',
    'www.victim.example',
    'a_b.victim.example',
    '-x.a.victim.example',
    'github.io',
    'somebody.github.io',
  ])('an opt-out of a domain holds for every host at or below it: %s', (host) => {
    expect(list.forbids(host, [])).toBe(true);
  });

  it.each(['example', 'notvictim.example', 'victim.example.org', 'io'])(
    'an opt-out of a domain holds for no other host: %s',
    (host) => {
      expect(list.forbids(host, [])).toBe(false);
    },
  );
});

describe('the subject of an opt-out', () => {
  it.each([
    ['https://www.Victim.example/', 'victim.example'],
    ['github.io', 'github.io'],
    ['https://myshopify.com/', 'myshopify.com'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['2001:db8::1/32', '2001:db8::/32'],
  ])('the subject of an opt-out has a normal form: %s', (text, subject) => {
    expect(subjectOf(text)).toBe(subject);
  });

  it.each(['com', 'co.uk', 'localhost', 'www', '::ffff:203.0.113.7/95', '203.0.113.0/33', '2001:db8::/129'])(
    'the subject of an opt-out is neither the suffix of a registry nor an invalid network: %s',
    (text) => {
      expect(subjectOf(text)).toBeNull();
    },
  );

  it('an opt-out of IPv4 addresses mapped to IPv6 forbids the addresses of IPv4', () => {
    const list = optOutListOf([subjectOf('::ffff:203.0.113.7/120') ?? '']);
    expect(list.forbids('shop.example', addresses('203.0.113.99'))).toBe(true);
    expect(list.forbids('shop.example', addresses('::ffff:203.0.113.99'))).toBe(true);
    expect(list.forbids('shop.example', addresses('203.0.114.1'))).toBe(false);
  });
});
