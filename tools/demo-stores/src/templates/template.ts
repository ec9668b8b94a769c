import type { Words } from '../html.ts';
import type { Product, StoreDefinition } from '../store.ts';

export interface PageContext {
  store: StoreDefinition;
  products: readonly Product[];
  /** Title and tagline for HTML. */
  title: string;
  tagline: string;
  words: Words;
  /** Tags of the installed apps. */
  apps: string;
  /** These tags and the structured data of the store. */
  head: string;
  /** Scheme and host for visitors, for example http://northwind-tea.example. */
  origin: string;
  footer: string;
}

/** One of the first products, with its name and price for HTML. */
export interface CardContext extends PageContext {
  product: Product;
  name: string;
  price: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  cookies?: readonly string[];
  /** HTML unless the headers state another type. */
  body: string;
}

export interface Template {
  headers?(context: PageContext): Record<string, string>;
  cookies?: readonly string[];
  card?(context: CardContext): string;
  /** `cards`: the cards of the first products. */
  home(context: PageContext & { cards: string }): string;
  /** Lines of robots.txt for every robot. */
  robots: readonly string[];
  /** Path of the sitemap, as robots.txt names it. */
  sitemap?: string;
  /** The platform's public listing or another page; undefined is a 404. */
  other?(context: PageContext, path: string, query: URLSearchParams): Answer | undefined;
  password?(context: PageContext): string;
}

export const json = (value: unknown, headers: Record<string, string> = {}): Answer => ({
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
});

export const shopIdOf = (store: StoreDefinition) => store.domain.split('.')[0] ?? store.domain;
