import { describe, expect, it } from 'vitest';
import { jsonLd, page, script } from '../../test/support/pages.ts';
import { observeStore, type Resource } from '../index.ts';

const resource = (url: string, body: unknown, over: Partial<Resource> = {}): Resource => ({
  url,
  status: 200,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...over,
});

const shopifyUrl = 'https://shop.example/products.json?limit=250&page=1';
const wooUrl = 'https://shop.example/wp-json/wc/store/v1/products?per_page=100';
const catalogOf = (resources: Resource[], head = '') => observeStore(page({ head }, { resources })).catalog;

const product = (id: number, ...variants: [price: unknown, available?: unknown][]) => ({
  id,
  title: `Product ${id}`,
  variants: variants.map(([price, available]) => ({ price, available })),
});

describe('Shopify products.json', () => {
  const head = script('Shopify.shop = "a"; Shopify.currency = {"active":"GBP","rate":"1.0"};');

  it('counts products, takes the price of the cheapest variant, and is full when it is shorter than a page', () => {
    const body = {
      products: [
        product(1, ['10.00', true], ['12.00', false]),
        product(2, ['20.00', false]),
        product(3, ['30.00', true]),
        product(4, ['40.00', true]),
      ],
    };
    expect(catalogOf([resource(shopifyUrl, body)], head)).toEqual({
      coverage: 'full',
      productCount: 4,
      availableCount: 3,
      currency: 'GBP',
      priceRange: { p25: 17.5, median: 25, p75: 32.5 },
    });
  });

  it('is first_page when the response has a full page', () => {
    const body = { products: Array.from({ length: 250 }, (_, id) => product(id, ['9.99', true])) };
    expect(catalogOf([resource(shopifyUrl, body)], head)).toMatchObject({ coverage: 'first_page', productCount: 250 });
    expect(catalogOf([resource(shopifyUrl, { products: [] })], head)).toMatchObject({
      coverage: 'full',
      productCount: 0,
      availableCount: null,
    });
  });

  it('merges pages without counting a product twice', () => {
    const first = { products: Array.from({ length: 250 }, (_, id) => product(id, ['1.00', true])) };
    const second = { products: [product(249, ['1.00', true]), product(300, ['3.00', false])] };
    expect(
      catalogOf([resource(shopifyUrl, first), resource(shopifyUrl.replace('page=1', 'page=2'), second)]),
    ).toMatchObject({ coverage: 'full', productCount: 251 });
  });

  it('rounds quartiles to cents', () => {
    const body = { products: [product(1, ['10.01', true]), product(2, ['10.02', true])] };
    expect(catalogOf([resource(shopifyUrl, body)]).priceRange).toEqual({ p25: 10.01, median: 10.02, p75: 10.02 });
  });

  it.each([
    ['null', 'null'],
    ['a number', '7'],
    ['html', '<html>blocked</html>'],
    ['a list', '[]'],
    ['no list', '{"products":{}}'],
    ['a string for a list', '{"products":"none"}'],
    ['a listing that failed', '{"products":[]}', 403],
  ])('has no catalogue in %s', (_, body, status = 200) => {
    expect(catalogOf([resource(shopifyUrl, body, { status })])).toEqual({
      coverage: 'none',
      productCount: 0,
      availableCount: null,
      currency: 'XXX',
      priceRange: { p25: 0, median: 0, p75: 0 },
    });
  });

  it('accepts products of any shape', () => {
    const body = {
      products: [
        null,
        3,
        'x',
        [],
        {},
        { id: 1, variants: null },
        { id: 2, variants: [null, 4, {}] },
        { id: 3, variants: [{ price: 'free', available: 'yes' }] },
        { id: 4, variants: [{ price: -5 }, { price: '1e999' }, { price: { amount: 3 } }] },
        { id: 5, tags: { a: 1 }, product_type: 9, title: null, variants: [{ price: 7.5, available: true }] },
      ],
    };
    expect(catalogOf([resource(shopifyUrl, body)])).toMatchObject({
      coverage: 'full',
      productCount: 6,
      availableCount: 1,
      priceRange: { p25: 7.5, median: 7.5, p75: 7.5 },
    });
  });
});

describe('WooCommerce Store API', () => {
  const item = (id: number, price: string, stock = true, prices = {}) => ({
    id,
    name: `P${id}`,
    is_in_stock: stock,
    prices: { price, currency_code: 'EUR', currency_minor_unit: 2, ...prices },
  });

  it('converts minor units, and takes the total from the header', () => {
    const body = [item(1, '1000'), item(2, '2000', false)];
    expect(catalogOf([resource(wooUrl, body, { headers: { 'X-WP-Total': '150' } })])).toEqual({
      coverage: 'first_page',
      productCount: 150,
      availableCount: 1,
      currency: 'EUR',
      priceRange: { p25: 12.5, median: 15, p75: 17.5 },
    });
    expect(catalogOf([resource(wooUrl, body, { headers: { 'x-wp-total': '2' } })]).coverage).toBe('full');
    expect(catalogOf([resource(wooUrl, body)]).coverage).toBe('full');
  });

  it('supports currencies without minor units and prices of variable products', () => {
    const body = [
      item(1, '1200', true, { currency_code: 'JPY', currency_minor_unit: 0 }),
      item(2, '', true, {
        price: null,
        price_range: { min_amount: '800' },
        currency_code: 'JPY',
        currency_minor_unit: 0,
      }),
    ];
    expect(catalogOf([resource(wooUrl, body)])).toMatchObject({
      currency: 'JPY',
      priceRange: { p25: 900, median: 1000, p75: 1100 },
    });
  });

  it.each(['{"code":"rest_no_route"}', 'null', '"x"', ''])('has no catalogue in the response %s', (body) => {
    expect(catalogOf([resource(wooUrl, body)]).coverage).toBe('none');
  });

  it('accepts items of any shape', () => {
    expect(
      catalogOf([resource(wooUrl, [null, 1, {}, { prices: [] }, { prices: { price: 'x', currency_minor_unit: 99 } }])]),
    ).toMatchObject({ productCount: 3, currency: 'XXX', priceRange: { median: 0 } });
  });
});

describe('structured data', () => {
  const offer = (price: unknown, more = {}) => ({ '@type': 'Offer', price, priceCurrency: 'EUR', ...more });

  it('provides offers, lists of offers, aggregates and price specifications', () => {
    const head = jsonLd({
      '@graph': [
        { '@type': 'Product', name: 'a', offers: offer('10', { availability: 'https://schema.org/InStock' }) },
        {
          '@type': 'Product',
          name: 'b',
          offers: [offer('30', { availability: 'OutOfStock' }), offer('20', { availability: 'OutOfStock' })],
        },
        {
          '@type': ['Product'],
          name: 'c',
          offers: { '@type': 'AggregateOffer', lowPrice: '1.030,50', highPrice: 2000, priceCurrency: 'EUR' },
        },
        {
          '@type': 'Product',
          name: 'd',
          offers: { '@type': 'Offer', priceSpecification: [{ price: 40, priceCurrency: 'EUR' }] },
        },
      ],
    });
    expect(catalogOf([], head)).toEqual({
      coverage: 'first_page',
      productCount: 4,
      availableCount: 1,
      currency: 'EUR',
      priceRange: { p25: 17.5, median: 30, p75: 287.63 },
    });
  });

  it('is full when the list states its length and contains as many items', () => {
    const items = ['a', 'b'].map((name, index) => ({
      '@type': 'ListItem',
      position: index,
      item: { '@type': 'Product', name, offers: offer(5) },
    }));
    expect(catalogOf([], jsonLd({ '@type': 'ItemList', numberOfItems: 2, itemListElement: items })).coverage).toBe(
      'full',
    );
    expect(catalogOf([], jsonLd({ '@type': 'ItemList', numberOfItems: 9, itemListElement: items })).coverage).toBe(
      'first_page',
    );
  });

  it('is parsed in spite of comments, line breaks and trailing commas', () => {
    const head =
      '<script type="application/ld+json"><!--\n{"@type":"Product","name":"a\nb","offers":{"price":"5","priceCurrency":"USD",},}\n--></script>';
    expect(catalogOf([], head)).toMatchObject({ productCount: 1, currency: 'USD', priceRange: { median: 5 } });
  });
});
