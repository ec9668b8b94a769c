import { isObject, type Json, parsedJson } from '../json.ts';
import type { Price } from './prices.ts';

/** One product of a listing of any platform. Unknown members are undefined. */
export interface ListedProduct {
  /** The price that a buyer pays now for the cheapest variant. */
  price: Price | undefined;
  available: boolean | undefined;
  /** Currencies that the listing or the sign of the price allows. Empty if neither states one. */
  currencies: readonly string[];
  /** Product type, category names and tags. They classify the industry. */
  words: string;
}

export interface Listing {
  /** The source is the feed of the platform, or the products that the page shows. */
  source: 'platform' | 'page';
  products: ListedProduct[];
  /** The number of products in the whole catalogue; undefined if the platform does not state it. */
  total: number | undefined;
  complete: boolean;
}

/** Listings are untrusted text: members may be missing, have a wrong type or be very long. */
export const maxProducts = 1000;
const maxListingChars = 20_000_000;

export const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.slice(0, maxProducts).filter(isObject) : [];

export const parseJson = (body: string): unknown =>
  body.length > maxListingChars ? undefined : parsedJson(body.replace(/^\ufeff/, ''));

/** Returns the words of a string, a list of strings, or a list of named objects. They are joined, with at most `maxChars`. */
export function wordsIn(value: unknown, maxChars = 200): string {
  if (typeof value === 'string') return value.slice(0, maxChars);
  if (!Array.isArray(value)) return '';
  const words = value
    .slice(0, 20)
    .map((item) =>
      typeof item === 'string' ? item : isObject(item) && typeof item.name === 'string' ? item.name : '',
    );
  return words.join(' ').slice(0, maxChars);
}
