import words from '../data/shop-words.rules.json' with { type: 'json' };

/** Words of shops by language; see `data/shop-words.yaml`. A label is compared as a whole, so a sentence with such a word does not count. */
export interface ShopWords {
  language: string;
  /** Labels of buttons that put a product into the basket. */
  order: readonly string[];
  /** Names of the basket. */
  basket: readonly string[];
}

export const shopWords: readonly ShopWords[] = words;
