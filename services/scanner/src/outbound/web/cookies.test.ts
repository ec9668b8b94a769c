import { describe, expect, it } from 'vitest';
import { createCookieJar } from './cookies.ts';

const nowMs = Date.UTC(2026, 0, 15);
const url = (text: string) => new URL(text);
const home = url('https://shop.example.com/');
/** The header of a request to `to`, after a response of `from` with these lines. */
const sent = (to: string, lines: readonly string[], from = home) => {
  const jar = createCookieJar(() => nowMs);
  jar.keep(from, lines);
  return jar.headerFor(url(to));
};

describe('cookies of a visit', () => {
  it('cookies of a visit are sent back to the host that set them, in their order, and to no other host', () => {
    const lines = ['a=1', 'b=two words; HttpOnly', 'c="quoted"'];
    expect(sent('https://shop.example.com/x', lines)).toBe('a=1; b=two words; c="quoted"');
    for (const host of ['example.com', 'www.example.com', 'a.shop.example.com', 'shop.example.net'])
      expect(sent(`https://${host}/`, lines), host).toBe('');
  });

  it.each([
    ['example.com', ['example.com', 'www.example.com', 'shop.example.com'], ['example.net', 'badexample.com']],
    ['.EXAMPLE.com', ['example.com', 'a.b.example.com'], []],
    ['shop.example.com', ['shop.example.com', 'a.shop.example.com'], ['example.com', 'www.example.com']],
  ])('cookies with the domain %s go to it and the hosts below', (domain, to, notTo) => {
    const lines = [`a=1; Domain=${domain}`];
    for (const host of to) expect(sent(`https://${host}/`, lines), host).toBe('a=1');
    for (const host of notTo) expect(sent(`https://${host}/`, lines), host).toBe('');
  });

  it.each([
    ['another site', 'https://shop.example.com/', 'example.net'],
    ['a host below', 'https://example.com/', 'shop.example.com'],
    ['a public suffix', 'https://shop.example.com/', 'com'],
    ['a suffix of a platform', 'https://tea.myshopify.com/', 'myshopify.com'],
    ['a host of a platform', 'https://tea.mybigcommerce.com/', 'mybigcommerce.com'],
    ['an address that ends alike', 'https://192.0.2.1/', '2.1'],
  ])('cookies with the domain of %s are ignored', (_, from, domain) => {
    expect(sent(from, [`a=1; Domain=${domain}`, 'b=2'], url(from))).toBe('b=2');
    expect(sent(`https://${domain}/`, [`a=1; Domain=${domain}`], url(from))).toBe('');
  });

  it.each([
    ['a=1; Path=/en', ['/en', '/en/', '/en/tea'], ['/', '/english']],
    ['a=1; Path=/en/', ['/en/', '/en/tea'], ['/en', '/']],
    ['a=1; Path=en', ['/', '/x'], []],
    ['a=1', ['/', '/x'], []],
  ])('cookies of a visit keep to their path: %s', (line, to, notTo) => {
    for (const path of to) expect(sent(`https://shop.example.com${path}`, [line]), path).toBe('a=1');
    for (const path of notTo) expect(sent(`https://shop.example.com${path}`, [line]), path).toBe('');
  });

  it('cookies without a path are for the folder of the page that set them', () => {
    const from = url('https://shop.example.com/en/tea?x=/a/b');
    expect(sent('https://shop.example.com/en/coffee', ['a=1'], from)).toBe('a=1');
    expect(sent('https://shop.example.com/', ['a=1'], from)).toBe('');
  });

  it('secure cookies are sent by https only', () => {
    expect(sent('https://shop.example.com/', ['a=1; Secure'])).toBe('a=1');
    expect(sent('http://shop.example.com/', ['a=1; Secure', 'b=2'])).toBe('b=2');
  });

  it('cookies are replaced by one of the same name, domain and path, and removed by one that has expired', () => {
    const jar = createCookieJar(() => nowMs);
    jar.keep(home, ['a=1', 'a=other; Path=/en', 'b=1']);
    jar.keep(home, ['a=2']);
    expect(jar.headerFor(home)).toBe('b=1; a=2');
    jar.keep(home, ['a=; Max-Age=0', 'b=; Expires=Wed, 14 Jan 2026 00:00:00 GMT']);
    expect(jar.headerFor(home)).toBe('');
    jar.keep(home, ['c=1; Expires=Fri, 16 Jan 2026 00:00:00 GMT', 'd=1; Max-Age=60']);
    expect(jar.headerFor(home)).toBe('c=1; d=1');
  });

  it('cookies that a header cannot carry are ignored', () => {
    expect(sent(home.href, ['a=1\r\nX-Evil: 1', 'b=\u0000', 'ü=1', '=nameless', '', ';;', 'c=1'])).toBe('c=1');
  });

  it('cookies of a visit are bounded in number, length and length of a request, and the youngest stay', () => {
    const jar = createCookieJar(() => nowMs);
    for (let round = 0; round < 4; round++)
      jar.keep(
        home,
        Array.from({ length: 60 }, (_, n) => `n${round}-${n}=1`),
      );
    const names = jar.headerFor(home).split('; ');
    expect(names).toHaveLength(50);
    expect(names.at(-1)).toBe('n3-59=1');
    expect(sent(home.href, [`a=${'x'.repeat(4_095)}`, 'b=1'])).toBe('b=1');
    const long = Array.from({ length: 40 }, (_, n) => `n${n}=${'x'.repeat(1_000)}`);
    expect(sent(home.href, long).length).toBeLessThanOrEqual(8_192);
    const kept = sent(home.href, long).split('; ');
    expect(kept.map((pair) => pair.split('=')[0])).toEqual(['n32', 'n33', 'n34', 'n35', 'n36', 'n37', 'n38', 'n39']);
  });
});
