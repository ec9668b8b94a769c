import type { Words } from '../html.ts';
import type { Product, StoreDefinition } from '../store.ts';

export interface PageContext {
  store: StoreDefinition;
  products: readonly Product[];
  words: Words;
  /** Tags of the installed apps. */
  apps: string;
  /** These tags and the structured data of the store. */
  head: string;
  /** Scheme and host for visitors, for example http://northwind-tea.example. */
  origin: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  cookies?: readonly string[];
  /** HTML unless the headers state another type. */
  body: string;
}

export interface Template {
  home(context: PageContext): Answer;
  /** Lines of robots.txt for every robot. */
  robots: readonly string[];
  /** Path of the sitemap, as robots.txt names it. */
  sitemap?: string;
  /** The platform's public listing or another page; undefined is a 404. */
  other?(context: PageContext, path: string, query: URLSearchParams): Answer | undefined;
  password?(context: PageContext): Answer;
}

export const json = (value: unknown, headers: Record<string, string> = {}): Answer => ({
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
});

export const shopIdOf = (store: StoreDefinition) => store.domain.split('.')[0] ?? store.domain;
