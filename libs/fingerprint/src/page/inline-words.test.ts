import { expect, it } from 'vitest';
import { inlineWordsOf } from './inline-words.ts';

it('inlineWordsOf finds the words that the code has in their own case', () => {
  const code = 'shopify.js; Shopify.currency = {}; "Page_Type"; WP-JSON/wp-json;';
  expect([...inlineWordsOf(code)].sort()).toEqual(['Shopify', 'Shopify.currency', 'urrency', 'wp-json']);
  expect(inlineWordsOf('').size).toBe(0);
});
