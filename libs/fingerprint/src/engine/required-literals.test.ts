import { describe, expect, it } from 'vitest';
import { rules } from '../rules/index.ts';
import { plainLiteral, quickCheck, requiredLiterals, wordStart, writtenLiterals } from './required-literals.ts';

describe('requiredLiterals', () => {
  it.each([
    ['klaviyo\\.com', ['klaviyo.com']],
    ['(?:static|a)\\.klaviyo\\.com/', ['.klaviyo.com/']],
    ['foo|barbaz', ['foo', 'barbaz']],
    ['(foo|barbaz)', ['foo', 'barbaz']],
    ['colou?r-picker', ['r-picker']],
    ['a+bcd', ['bcd']],
    ['abc{2,}def', ['def']],
    ['abc{0,2}def', ['def']],
    ['abc*', []],
    ['x|', []],
    ['[abc]def', ['def']],
    ['(?:abcdef)?ghi', ['ghi']],
    ['(?:abcdef)+', ['abcdef']],
    ['(?!abcdef)ghi', ['ghi']],
    ['\\d\\.js', ['.js']],
    ['ÜBER-shop', ['ber-shop']],
    ['^https?://abc', ['://abc']],
    ['\\bGLS\\b', ['gls']],
    ['sib(?:mail|forms)\\.com/', ['sibmail', 'sibforms']],
    ['jquery[.-]mobile', ['mobile']],
    ['cdn\\.shopify\\.com/.+/hs-load', ['/hs-load']],
    ['abc(?:de|f)*ghi', ['ghi']],
    ['ab(?:cd|e.)fg', []],
    ['abc(?=def)d', ['def']],
  ])('requiredLiterals returns for %s the literals %j', (source, literals) => {
    expect(requiredLiterals(source)).toEqual(literals);
  });

  it('requiredLiterals finds a literal in every text pattern of the rules, so that no pattern runs on every page', () => {
    const bare = rules.flatMap(({ slug, patterns }) =>
      patterns
        .filter(({ channel }) => ['script', 'asset', 'image', 'anchor', 'inline', 'html'].includes(channel))
        .filter(({ regex }) => requiredLiterals(regex).length === 0)
        .map(({ regex }) => `${slug}: ${regex}`),
    );
    // Patterns without a literal never match. There are few of them.
    expect(bare.length).toBeLessThan(40);
  });
});

describe('plainLiteral', () => {
  it.each([
    ['klaviyo\\.com/', 'klaviyo.com/'],
    ['a-b_c', 'a-b_c'],
    ['a.b', undefined],
    ['a\\d', undefined],
    ['(a)', undefined],
    ['ü', undefined],
  ])('plainLiteral returns for %s the text %s', (source, text) => {
    expect(plainLiteral(source)).toBe(text);
  });
});

describe('quickCheck', () => {
  it.each([
    ['\\bpaypal\\s*\\.\\s*(?:Buttons|Messages)\\b', 'PayPal.Buttons()', true],
    ['\\bpaypal\\s*\\.\\s*(?:Buttons|Messages)\\b', 'data-messages="paypal"', true],
    ['\\bpaypal\\s*\\.\\s*(?:Buttons|Messages)\\b', 'paypal and other checkouts', false],
    ['gtag\\([^)]+AW-', "gtag('config', 'G-1')", false],
    ['abc.def|ghi', 'ghi', true],
    ['abc.def|ghi', 'abc', false],
    ['abc(?:def)?', 'abc', true],
    ['abc|\\d', '', true],
  ])('quickCheck of %s lets %j pass: %j', (source, text, passes) => {
    expect(quickCheck(source)(text)).toBe(passes);
  });
});

describe('writtenLiterals', () => {
  const written = (source: string) => writtenLiterals(source, { shortest: 2, anyScript: true, starts: true });

  it.each([
    ['\\bGB\\s?\\d', [`${wordStart}GB`]],
    ['\\b(?:GmbH|AG)\\b', [`${wordStart}GmbH`, `${wordStart}AG`]],
    ['(?:\\bUEN|\\bMST)\\d', [`${wordStart}UEN`, `${wordStart}MST`]],
    ['a\\bcd', ['cd'].map((text) => `${wordStart}${text}`)],
    ['\\b\\d+ABC', ['ABC']],
    ['ab(?:\\bcd|\\bef)', [`${wordStart}cd`, `${wordStart}ef`]],
    ['\\b[A-Z]\\d', []],
    ['\\bR\\.?U\\.?C\\b', ['RUC', 'RU.C', 'R.UC', 'R.U.C'].map((text) => `${wordStart}${text}`)],
    ['\\bK?\\bvK\\d', [`${wordStart}vK`]],
    ['ab?(?:cd|ef)', ['acd', 'abcd', 'aef', 'abef']],
    ['〒\\s?\\d', ['〒']],
  ])('writtenLiterals of %s keep their case and the starts of words: %j', (source, literals) => {
    expect(written(source)).toEqual(literals);
  });
});
