import { LiteralScanner } from '../engine/aho-corasick.ts';

/** Words that expressions over all inline code require. Most pages have few of them. */
const words = [
  'LS = {',
  'LS.store',
  'SQUARESPACE_CONTEXT',
  'Shopify',
  'Shopify.currency',
  'ShopifyBuy',
  'appDefinitionId',
  'baseLocation',
  'demandware.store',
  'google_product_category',
  'initData',
  'iso_code',
  'item_category',
  'oney',
  'pageType',
  'page_type',
  'prestashop',
  'productType',
  'product_Type',
  'product_type',
  'producttype',
  'require',
  'route=extension',
  'trekkie',
  'urrency',
  'wc_stripe_',
  'window.__',
  'wp-content',
  'wp-json',
] as const;

export type InlineWord = (typeof words)[number];

const scanner = new LiteralScanner(words);

/** Returns the words that the code contains. One scan for all words is faster than a search for each. */
export function inlineWordsOf(code: string): ReadonlySet<InlineWord> {
  const found = new Set<InlineWord>();
  scanner.scan(code, (id, end) => {
    const word = words[id] as InlineWord;
    if (!found.has(word) && code.startsWith(word, end - word.length)) found.add(word);
  });
  return found;
}
