import { describe, expect, it } from 'vitest';
import { createAddressPolicy, isAddressLiteral } from './address-policy.ts';
import { verdictOnName } from './name-policy.ts';
import { isHtml } from './page.ts';
import { VisitFailure } from './reasons.ts';
import { checkedUrl, leftDomain, nextHop } from './redirect-policy.ts';
import { maxCrawlDelayMs, robotsRules } from './robots-policy.ts';

describe('addresses', () => {
  const policy = createAddressPolicy(['203.0.114.0/24', '2a00:1234::/32']);

  it.each(['93.184.215.14', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::1'])('%s is public', (address) => {
    expect(policy.refusalOf(address)).toBeUndefined();
  });

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
  ])('%s is refused as %s', (address, range) => {
    expect(policy.refusalOf(address)).toBe(range);
  });

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '::1', '127.1'])('%s is no name', (host) => {
    expect(isAddressLiteral(host)).toBe(true);
    expect(verdictOnName(host)).toBe('private');
  });
});

describe('names', () => {
  it.each([
    ['shop.com', 'resolve'],
    ['xn--ksehof-zrich-gcb75a.ch', 'resolve'],
    ['shop.example', 'nonexistent'],
    ['localhost', 'private'],
    ['db.internal', 'private'],
    ['a.b.svc.cluster.local.', 'private'],
    ['router', 'private'],
    ['1.2.3.com', 'resolve'],
  ] as const)('%s: %s', (host, verdict) => {
    expect(verdictOnName(host)).toBe(verdict);
  });
});

describe('redirects', () => {
  const nobody = () => false;
  const reasonOf = (work: () => unknown) => {
    try {
      work();
      return 'allowed';
    } catch (error) {
      return error instanceof VisitFailure ? error.reason : String(error);
    }
  };

  it('credentials and fragments are left behind', () => {
    expect(checkedUrl('https://user:pass@shop.com/a#b', undefined, nobody).href).toBe('https://shop.com/a');
  });

  it('relative targets are resolved against the page before', () => {
    expect(nextHop('../b?c', ['https://shop.com/a/d'], nobody).href).toBe('https://shop.com/b?c');
  });

  it.each([
    ['https://shop.com:8443/', 'blocked_address'],
    ['ftp://shop.com/', 'blocked_address'],
    ['javascript:alert(1)', 'blocked_address'],
    ['http://127.0.0.1/', 'blocked_address'],
    ['http://', 'invalid_response'],
    [`https://shop.com/${'a'.repeat(3_000)}`, 'invalid_response'],
    ['https://shop.com/a', 'too_many_redirects'],
    ['https://www.shop.com/', 'allowed'],
  ])('%s: %s', (location, reason) => {
    expect(reasonOf(() => nextHop(location, ['https://shop.com/a'], nobody))).toBe(reason);
  });

  it('another registrable domain is another store, another host of it is not', () => {
    expect(leftDomain('shop.com', 'www.shop.com')).toBe(false);
    expect(leftDomain('shop.com', 'shop.de')).toBe(true);
    expect(leftDomain('a.myshopify.com', 'b.myshopify.com')).toBe(true);
  });
});

describe('robots.txt', () => {
  const rules = (text: string, status = 200) =>
    robotsRules('https://shop.com/robots.txt', status, text, 'ShopscopeBot');

  it('a missing file allows everything, a failing one nothing for now', () => {
    expect(rules('User-agent: *\nDisallow: /', 404).allows('https://shop.com/')).toBe(true);
    expect(() => rules('', 500)).toThrow(/robots_unavailable/);
    expect(() => rules('', 429)).toThrow(/robots_unavailable/);
  });

  it('a group of our own goes before the general one', () => {
    const own = rules('User-agent: *\nDisallow: /\n\nUser-agent: ShopscopeBot\nDisallow: /private\n');
    expect(own.allows('https://shop.com/')).toBe(true);
    expect(own.allows('https://shop.com/private/a')).toBe(false);
  });

  it('the pause it asks for is kept, up to a bound', () => {
    expect(rules('User-agent: *\nCrawl-delay: 2').crawlDelayMs).toBe(2_000);
    expect(rules('User-agent: *\nCrawl-delay: 86400').crawlDelayMs).toBe(maxCrawlDelayMs);
    expect(rules('User-agent: *\nCrawl-delay: soon').crawlDelayMs).toBe(0);
    expect(rules('User-agent: *\nCrawl-delay: -5').crawlDelayMs).toBe(0);
  });

  it('rules made to keep the matcher busy are a refusal, where they would', () => {
    const hostile = rules(`User-agent: *\n${`Disallow: ${'*a'.repeat(5_000)}b\n`.repeat(100)}`);
    expect(hostile.allows(`https://shop.com/${'a'.repeat(2_000)}`)).toBe(false);
    expect(hostile.allows('https://shop.com/')).toBe(true);
  });
});

describe('pages', () => {
  const page = (type: string | undefined, text: string) => ({
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(text),
  });

  it.each([
    [page('text/html; charset=utf-8', ''), true],
    [page('Application/XHTML+XML', ''), true],
    [page('text/plain', '<html>'), false],
    [page(undefined, '  <!doctype html>'), true],
    [page(undefined, '{"a":1}'), false],
  ])('%j', (input, expected) => {
    expect(isHtml(input)).toBe(expected);
  });
});
