import { describe, expect, it } from 'vitest';
import { observeStore } from '../index.ts';
import { rules } from '../rules/index.ts';
import { requiredLiterals } from './required-literals.ts';
import type { Channel } from './rule.ts';

/**
 * Pages that try to be slow. The limits are on processor time, several times the usual value. So a busy machine does
 * not fail the tests, but quadratic behaviour does: with two megabytes it takes minutes.
 */
const boundMs = 3000;
const size = 2_000_000;

const repeat = (text: string, length = size): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);

const patternsIn = (...channels: Channel[]) =>
  rules.flatMap(({ patterns }) => patterns.filter(({ channel }) => channels.includes(channel)));

const literals = (...channels: Channel[]): string[] =>
  patternsIn(...channels).flatMap(({ key, regex }) => requiredLiterals(regex || key));

/** Text that begins like the patterns and then does not match. */
const nearMisses = (...channels: Channel[]): string[] =>
  patternsIn(...channels).map(({ regex }) =>
    regex
      .replace(/\\(.)/g, '$1')
      .replace(/\(\?:/g, '(')
      .replace(/[()[\]^$+*?{}|"<>]/g, ' '),
  );

const selectors = patternsIn('dom').map(({ key }) => key.replace(/[<>"]/g, ' '));

const pages: Record<string, () => string> = {
  'tags that never close': () => repeat('<a>'),
  'tags closed by other end tags': () => repeat('<a>', size / 2) + repeat('</b>', size / 2),
  'a deep tree': () => repeat('<div class="x">'),
  'forms in forms': () => repeat('<div><form>'),
  'foreign elements': () => repeat('<svg><foreignObject></title>'),
  'implied end tags': () => repeat('<p><li><td>'),
  'every literal of the markup patterns': () => repeat(literals('html').join(' ')),
  'near misses of the markup patterns': () => repeat(`<div ${nearMisses('html').join(' <div class="')}`),
  'every global': () =>
    `<script>${repeat(
      patternsIn('js', 'inline')
        .map(({ key, regex }) => `${key || regex} = `)
        .join(';'),
    )}`,
  'near misses of script URLs': () =>
    repeat(
      nearMisses('script')
        .map((text) => `<script src="https://aaaa${text}${'aaaaaa'.repeat(100)}"></script>`)
        .join(''),
    ),
  'near misses of asset URLs': () =>
    repeat(
      nearMisses('asset', 'image', 'anchor')
        .map((text) => `<link href="/${text}/${'x/'.repeat(300)}"><a href="/${text}/${'x/'.repeat(300)}">`)
        .join(''),
    ),
  'every selector': () => repeat(selectors.map((text) => `<div href="${text}" class="${text}" id="${text}">`).join('')),
  'two hundred thousand attributes': () => `<a ${Array.from({ length: 200_000 }, (_, i) => `a${i}=1`).join(' ')}>`,
  'a very long attribute': () => `<a href="${repeat('a')}`,
  comments: () => repeat('<!-- '),
  'angle brackets': () => repeat('<'),
  ampersands: () => repeat('&amp'),
  'quoted beginnings of URLs': () => `<script>${repeat('"//a.')}`,
  'one very long quoted URL': () => `<script>"//${repeat('a.')}`,
  whitespace: () => `<title>${repeat('a  ')}`,
  dashes: () => `<title>${repeat(' - ')}`,
  'nested JSON-LD': () =>
    `<script type="application/ld+json">${'{"@type":"A","a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'unfinished JSON-LD': () => `<script type="application/ld+json">${repeat('[')}`,
  'links to many hosts': () => Array.from({ length: 60_000 }, (_, i) => `<a href="//h${i}.co${i}.uk/">`).join(''),
  'Unicode that changes length in lower case': () => repeat('ßẞİ𝒳é'),
};

describe('hostile pages', () => {
  observeStore({ url: 'https://warm.example/', status: 200, headers: {}, html: '<p>' });

  it.each(Object.entries(pages))('%s take linear time at most', (_, html) => {
    const text = html();
    const before = process.cpuUsage();
    observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html: text });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(boundMs);
  });

  it('a page of ten megabytes is read up to two megabytes', () => {
    const html = `<script>Shopify.shop = "a.myshopify.com";</script>${repeat('<p>text</p>', 10_000_000)}<script src="https://js.stripe.com/v3/"></script>`;
    const { platform, technologies } = observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html });
    expect(platform.slug).toBe('shopify');
    expect(technologies.some(({ slug }) => slug === 'stripe')).toBe(false);
  });

  it.each(['', '\u0000\u0001\ufffe', '{"not":"html"}', '%PDF-1.7 …', '<', '<!doctype html>'])(
    '%j gives an observation without a storefront',
    (html) => {
      expect(observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html })).toMatchObject({
        platform: { slug: 'custom' },
        status: { state: 'not_a_storefront' },
      });
    },
  );
});
