/** One product of a listing, whatever the platform; what is unknown is undefined. */
export interface ListedProduct {
  price: number | undefined;
  available: boolean | undefined;
  currency: string | undefined;
  /** Product type, category names and tags, for the industry. */
  words: string;
}

export interface Listing {
  /** The platform's own feed, or what the page says of itself. */
  source: 'platform' | 'page';
  products: ListedProduct[];
  /** Products in the whole catalogue, when the platform says so. */
  total: number | undefined;
  complete: boolean;
}

/** Listings are hostile text: anything may be missing, misshapen or enormous. */
export const maxProducts = 1000;
export const maxListingChars = 20_000_000;

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.slice(0, maxProducts).filter(isObject) : [];

export function parseJson(body: string): unknown {
  if (body.length > maxListingChars) return undefined;
  try {
    return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
  } catch {
    return undefined;
  }
}

/** Strings of a string, a list of strings, or a list of named objects; joined, at most `maxChars`. */
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
