/** The definition of a demo store. All data is invented; the names use reserved top-level domains. */
export const platforms = [
  'shopify',
  'woocommerce',
  'magento',
  'prestashop',
  'opencart',
  'bigcommerce',
  'squarespace',
  'wix',
  'shopware',
  'salesforce-commerce-cloud',
  'custom',
  'none',
] as const;
export type Platform = (typeof platforms)[number];

/** How a store responds. */
export const storeStates = [
  'open', // sells products
  'password', // the platform's password page
  'redirecting', // redirects to `redirectTo`
  'closed', // 404 everywhere
  'forbidden', // refuses visitors
  'failing', // a server error on every page
  'parked', // a registrar's page
  'down', // drops the connection
  'robots_disallowed', // sells products, and robots.txt disallows all visits
  'dead', // nothing listens
] as const;
export type StoreState = (typeof storeStates)[number];

/** A demo store as stores/ has it. */
export interface WrittenStore {
  /** Registrable domain, A-labels. */
  domain: string;
  /** Host of the shop if it is not the domain itself. The domain redirects to it. */
  host?: string;
  platform: Platform;
  title: string;
  tagline: string;
  /** BCP 47 with the country, for example de-CH. */
  language: string;
  street: string;
  city: string;
  phone: string;
  theme: string;
  categories: readonly string[];
  /** [name, price in major units, sold out?]: the first products. More are generated up to `productCount`. */
  products: readonly (readonly [name: string, price: number, soldOut?: boolean])[];
  productCount?: number;
  apps: readonly string[];
  /** Apps that the page is set up for but does not load. */
  configured?: readonly string[];
  state?: StoreState;
  redirectTo?: string;
  /** Charset of the pages, in place of UTF-8. */
  charset?: 'iso-8859-1';
}

export interface StoreDefinition extends WrittenStore {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217. */
  currency: string;
}

export interface Product {
  id: number;
  name: string;
  handle: string;
  price: number;
  available: boolean;
  category: string;
}

const editions = ['Classic', 'Small', 'Large', 'Gift Set', 'Travel', 'Limited', 'Refill', 'Duo'];

const handleOf = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Every product of a store: the defined ones, then generated editions up to `productCount`. Deterministic. */
export function productsOf(store: StoreDefinition): Product[] {
  const count = Math.max(store.productCount ?? 0, store.products.length);
  return Array.from({ length: count }, (_, index) => {
    const [base, basePrice, soldOut] = store.products[index % store.products.length] ?? ['Item', 1];
    const round = Math.floor(index / store.products.length);
    const edition = editions[(round - 1) % editions.length];
    const name = round === 0 ? base : `${base} ${edition}${round > editions.length ? ` ${round}` : ''}`;
    return {
      id: 7_100_000 + index * 13,
      name,
      handle: handleOf(name),
      price: Math.round(basePrice * (1 + 0.15 * round) * 100) / 100,
      available: !soldOut,
      category: store.categories[index % store.categories.length] ?? 'All',
    };
  });
}
