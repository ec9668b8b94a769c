import { compile } from 'css-select';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../page/document.ts';
import { matcherOf } from './selector-matcher.ts';

const { elements } = parseDocument(`<html data-shop><body class="Shop captcha-box" id="MainPart_1">
  <a href="https://A.example/forsale">A</a> <a href="https://a.example/forsale?x=1">B</a> <a name="forsale">C</a>
  <script src="/js/aes.js"></script> <form action="/challenge"></form> <img src="/aes.js.png" data-src='it"s'>
  <meta name="Generator" content="Shop 1"> <div class="constructor" data-empty=""></div></body></html>`);

describe('matcher of a selector', () => {
  it.each([
    'a[href*="a.example/forsale"]',
    'a[href*="A.example"]',
    'a[href^="https://a"]',
    'a[href$="forsale"]',
    "form[action='/challenge']",
    'form[action="/Challenge"]',
    '[id^="MainPart_"]',
    '[class*="captcha"]',
    '[class="captcha"]',
    'script[src$="/aes.js"]',
    'html[data-shop]',
    '[data-empty]',
    '[name="generator"]',
    'meta[name="Generator"]',
    'img[data-src*="\'"]',
    'body.Shop a[href*="forsale"]',
  ])('the selector %s matches the same elements as in css-select', (selector) => {
    const matches = matcherOf(selector);
    const expected = compile<(typeof elements)[number], (typeof elements)[number]>(selector);
    expect(elements.filter(matches)).toEqual(elements.filter((element) => expected(element)));
  });

  it.each(['a[href*="a.example/forsale"]', 'html[data-shop]', '[class*="captcha"]', 'script[src$="/aes.js"]'])(
    'the selector %s matches an element',
    (selector) => {
      expect(elements.filter(matcherOf(selector))).toHaveLength(1);
    },
  );
});
