import { describe, expect, it } from 'vitest';
import { parseTargetUrl } from './target-url.ts';
import { fixedTestHosts, loopbackHosts, noTestHosts } from './test-hosts.ts';

const outcomeOf = (text: string, testHosts = noTestHosts) => {
  const { url, problem } = parseTargetUrl(text, testHosts);
  return url?.href ?? problem;
};

describe('the URL of a target', () => {
  it.each([
    ['https://hooks.shop.com/in?a=1', 'https://hooks.shop.com/in?a=1'],
    ['https://Hooks.Shop.com.:8443/#part', 'https://hooks.shop.com:8443/'],
    ['https://bücher.de/', 'https://xn--bcher-kva.de/'],
    ['HTTPS://hooks.shop.com', 'https://hooks.shop.com/'],
    ['', 'malformed'],
    ['hooks.shop.com', 'malformed'],
    ['https://', 'malformed'],
    ['https://hooks.shop.com:0/', 'malformed'],
    ['https://hooks.shop.com:65536/', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    [' https://hooks.shop.com/', 'malformed'],
    ['https://hooks.shop.com/a\nb', 'malformed'],
    ['https://hooks.shop.com/a\tb', 'malformed'],
    ['https://hooks.shop.com/\u0000', 'malformed'],
    ['https://user@hooks.shop.com/', 'has_credentials'],
    ['https://:secret@hooks.shop.com/', 'has_credentials'],
    ['http://hooks.shop.com/', 'not_https'],
    ['http://127.0.0.1:3000/', 'not_https'],
    ['ftp://hooks.shop.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
  ])('the URL of a target %j is read as %s', (text, outcome) => {
    expect(outcomeOf(text)).toBe(outcome);
  });

  it('the URL of a target has at most 2,048 characters', () => {
    const urlOf = (length: number) => 'https://hooks.shop.com/'.padEnd(length, 'a');
    expect(outcomeOf(urlOf(2_048))).toBe(urlOf(2_048));
    expect(outcomeOf(urlOf(2_049))).toBe('too_long');
  });

  it.each([
    ['http://localhost:3000/in', 'http://localhost:3000/in'],
    ['http://127.1:3000/', 'http://127.0.0.1:3000/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
    ['https://localhost:3000/', 'https://localhost:3000/'],
    ['http://10.0.0.1/', 'not_https'],
    ['http://localhost.shop.com/', 'not_https'],
    ['http://shop.localhost/', 'not_https'],
    ['http://[::ffff:127.0.0.1]/', 'not_https'],
    ['ftp://localhost/', 'not_https'],
    ['http://user@localhost/', 'has_credentials'],
  ])('the URL of a target %j is read as %s where loopback is allowed', (text, outcome) => {
    expect(outcomeOf(text, loopbackHosts)).toBe(outcome);
  });

  it('the URL of a target may be plain http for a test host only', () => {
    const hosts = fixedTestHosts({ 'receiver.test': { address: '127.0.0.1' } });
    expect(outcomeOf('http://receiver.test/', hosts)).toBe('http://receiver.test/');
    expect(outcomeOf('http://other.test/', hosts)).toBe('not_https');
  });
});
