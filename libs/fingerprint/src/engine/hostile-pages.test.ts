import { describe, expect, it } from 'vitest';
import { observeStore } from '../index.ts';
import { maxOpenTags } from '../page/document.ts';
import { rules } from '../rules/index.ts';
import { requiredLiterals } from './required-literals.ts';
import type { Channel } from './rule.ts';

/**
 * Pages that try to be slow. The limits are on processor time, several times the usual value. So a busy machine does
 * not fail the tests, but quadratic behaviour does: what takes a minute at the largest size takes four seconds at a quarter of it.
 * `.ci/nightly` reads pages of the largest size.
 */
const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';
const largestSize = 2_000_000;
const size = isNightly ? largestSize : largestSize / 4;
const boundMs = isNightly ? 3000 : 1500;

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
  'end tags without a start tag below many open tags': () => '<b>'.repeat(maxOpenTags) + repeat('</q>'),
  'unknown end tags without a start tag below many open tags': () => '<b>'.repeat(maxOpenTags) + repeat('</qq>'),
  'end tags of svg without a start tag below many open tags': () =>
    `${'<b>'.repeat(maxOpenTags - 10)}<svg><title>${repeat('</foreignobject>')}`,
  'forms below many open tags': () => '<b>'.repeat(maxOpenTags - 10) + repeat('<form>'),
  'start tags with names of their own': () => Array.from({ length: size / 8 }, (_, i) => `<a${i}>`).join(''),
  'end tags with names of their own': () => Array.from({ length: size / 10 }, (_, i) => `</a${i}>`).join(''),
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
  'names and prices in each other': () =>
    repeat('<div class="product-name price" itemprop="name"><a href="/products/a">'),
  'cards with nothing in them': () => repeat('<li class="type-product price"><a href="/products/a"></a></li>'),
  'cards beside each other': () =>
    Array.from({ length: size / 100 }, (_, id) => `<h2 class="product-name">a</h2><a href="/p${id}">$1 $2</a>`).join(
      '',
    ),
  'cards below one very long name': () =>
    `<div id="${'cart'.slice(1).repeat(size / 20)}">${repeat('<li class="type-product"><a href="/products/a">a</a></li>')}`,
  'names below one very long link': () =>
    `<div><a href="/${'x/'.repeat(size / 8)}"></a>${repeat('<p class="product-name product-title product_name">a</p>')}`,
  'plugins with versions': () =>
    Array.from(
      { length: size / 1000 },
      (_, id) => `<script src="${'/wp-content/plugins/a'.repeat(40)}${id}/?ver=1.${id}&verver="></script>`,
    ).join(''),
  'headings in headings': () => repeat('<h1>'),
  'items in items': () => repeat('<div itemscope itemtype="https://schema.org/Product" itemprop="offers">'),
  'members of one item': () =>
    `<div itemscope itemtype="https://schema.org/Product">${repeat('<p itemprop="price name">')}</div>`,
  'every selector': () => repeat(selectors.map((text) => `<div href="${text}" class="${text}" id="${text}">`).join('')),
  'very many attributes': () => `<a ${Array.from({ length: size / 10 }, (_, i) => `a${i}=1`).join(' ')}>`,
  'a very long attribute': () => `<a href="${repeat('a')}`,
  comments: () => repeat('<!-- '),
  'angle brackets': () => repeat('<'),
  ampersands: () => repeat('&amp'),
  'escaped quotes in scripts': () => `<script>${repeat("\\'")}`,
  'slashes in scripts': () => `<script>${repeat('(/[')}`,
  'regular expressions without an end': () => `<script>${repeat('=/a')}`,
  'comments without an end in scripts': () => `<script>${repeat('/*/')}`,
  'templates without an end': () => `<script>${repeat('\\`')}`,
  'strings without an end': () => `<script>${repeat('"\n\'\n')}`,
  'comments and scripts in turns': () => repeat('<!-- a --><script>"</script><style></style><textarea></textarea>'),
  'quoted continuations of URLs': () => `<script>${repeat('+"a.b.c.')}`,
  'names that are switched off': () => `<script>${repeat('fbq={a:1,')}`,
  'quoted beginnings of URLs': () => `<script>${repeat('"//a.')}`,
  'one very long quoted URL': () => `<script>"//${repeat('a.')}`,
  whitespace: () => `<title>${repeat('a  ')}`,
  dashes: () => `<title>${repeat(' - ')}`,
  'nested JSON-LD': () =>
    `<script type="application/ld+json">${'{"@type":"A","a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'unfinished JSON-LD': () => `<script type="application/ld+json">${repeat('[')}`,
  'links to many hosts': () => Array.from({ length: size / 33 }, (_, i) => `<a href="//h${i}.co${i}.uk/">`).join(''),
  'folders of plugins in scripts': () => `<script>${repeat('wp-content/plugins/a')}`,
  'names of modules in scripts': () => `<script>require(${repeat('"Aa_')}`,
  'lists of pixels': () => `<script>Shopify ${repeat('webPixelsConfigList:[')}`,
  'style sheets below many folders': () =>
    repeat(`<link rel="stylesheet" href="/${'skin/frontend/aa/bb/modules/themes/js/a/'.repeat(25)}a.css">`),
  'Unicode that changes length in lower case': () => repeat('ßẞİ𝒳é'),
};

describe('hostile pages', () => {
  observeStore({ url: 'https://warm.example/', status: 200, headers: {}, html: '<p>' });

  it.each(Object.entries(pages))('hostile pages take linear time at most: %s', (_, html) => {
    const text = html();
    const before = process.cpuUsage();
    observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html: text });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(boundMs);
  });

  it('lists of files without an end in a script are read once', () => {
    const html = `<script>${repeat('jtl.load([', largestSize)}</script>`;
    const before = process.cpuUsage();
    observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html });
    // The usual value is 50 ms. Reading 8,000 characters for each beginning takes more than a second.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(750);
  });

  it('a page of ten megabytes is read up to two megabytes', () => {
    const html = `<script>Shopify.shop = "a.myshopify.com";</script>${repeat('<p>text</p>', 10_000_000)}<script src="https://js.stripe.com/v3/"></script>`;
    const { platform, technologies } = observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html });
    expect(platform.slug).toBe('shopify');
    expect(technologies.some(({ slug }) => slug === 'stripe')).toBe(false);
  });

  it.each(['', '\u0000\u0001\ufffe', '{"not":"html"}', '%PDF-1.7 …', '<', '<!doctype html>'])(
    'the page %j gives an observation without a storefront',
    (html) => {
      expect(observeStore({ url: 'https://shop.example/', status: 200, headers: {}, html })).toMatchObject({
        platform: { slug: 'custom' },
        status: { state: 'not_a_storefront' },
      });
    },
  );
});
