import type { Backends } from './backends.ts';
import { putStore, type SearchedStore } from './search.ts';

/** 30 stores, of which each test knows what matches. */
export const domainOf = (n: number) => `store-${String(n).padStart(2, '0')}.example`;
export const numbers = Array.from({ length: 30 }, (_, at) => at + 1);

export const storeOf = (n: number): SearchedStore => ({
  country: n % 5 === 0 ? 'AT' : 'DE',
  scope: n % 10 === 7 ? 'partial' : 'full',
  products: n * 10,
  technologies: {
    // Every other of these has it since its first scan.
    ...(n % 2 === 0 && { klaviyo: n % 4 === 0 ? 10 : undefined }),
    ...(n % 3 === 0 && { loox: 5 }),
  },
  ...(n <= 12 && n % 2 === 1 && { removed: { 'judge-me': 20 } }),
  ...(n > 20 && n <= 26 && { moved: { woocommerce: 15 } }),
});

export const fillCorpus = (backends: Backends): void => {
  for (const n of numbers) putStore(backends, domainOf(n), storeOf(n));
};
