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

  it('a catalogue of products.json counts products, takes cheapest variants, and is full when it is shorter than a page', () => {
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

  it('a catalogue of products.json is first_page when the response has a full page', () => {
    const body = { products: Array.from({ length: 250 }, (_, id) => product(id, ['9.99', true])) };
    expect(catalogOf([resource(shopifyUrl, body)], head)).toMatchObject({ coverage: 'first_page', productCount: 250 });
    expect(catalogOf([resource(shopifyUrl, { products: [] })], head)).toMatchObject({
      coverage: 'full',
      productCount: 0,
      availableCount: null,
    });
  });

  it('a catalogue of products.json merges pages without counting a product twice', () => {
    const first = { products: Array.from({ length: 250 }, (_, id) => product(id, ['1.00', true])) };
    const second = { products: [product(249, ['1.00', true]), product(300, ['3.00', false])] };
    expect(
      catalogOf([resource(shopifyUrl, first), resource(shopifyUrl.replace('page=1', 'page=2'), second)]),
    ).toMatchObject({ coverage: 'full', productCount: 251 });
  });

  it('a catalogue of products.json rounds quartiles to cents', () => {
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
  ])('a response to products.json has no catalogue when it is %s', (_, body, status = 200) => {
    expect(catalogOf([resource(shopifyUrl, body, { status })])).toEqual({
      coverage: 'none',
      productCount: 0,
      availableCount: null,
      currency: 'XXX',
      priceRange: { p25: 0, median: 0, p75: 0 },
    });
  });

  it('a catalogue of products.json accepts products of any shape', () => {
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

  it('a catalogue of the WooCommerce Store API converts minor units, and takes the total from the header', () => {
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

  it('a catalogue of the WooCommerce Store API supports currencies without minor units and prices of variable products', () => {
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

  it.each(['{"code":"rest_no_route"}', 'null', '"x"', ''])(
    'the response %s of the WooCommerce Store API has no catalogue',
    (body) => {
      expect(catalogOf([resource(wooUrl, body)]).coverage).toBe('none');
    },
  );

  it('a catalogue of the WooCommerce Store API accepts items of any shape', () => {
    expect(
      catalogOf([resource(wooUrl, [null, 1, {}, { prices: [] }, { prices: { price: 'x', currency_minor_unit: 99 } }])]),
    ).toMatchObject({ productCount: 3, currency: 'XXX', priceRange: { median: 0 } });
  });
});

describe('structured data', () => {
  const offer = (price: unknown, more = {}) => ({ '@type': 'Offer', price, priceCurrency: 'EUR', ...more });

  it('structured data provides offers, lists of offers, aggregates and price specifications', () => {
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
      availableCount: null,
      currency: 'EUR',
      priceRange: { p25: 17.5, median: 30, p75: 287.63 },
    });
  });

  it.each([
    ['de', '24.500', 24500],
    ['en', '24.500', 0],
    [undefined, '24.500', 0],
    [undefined, '1.024.500', 1024500],
    ['de', '24.50', 24.5],
    ['de', 24.5, 24.5],
    ['ja', 24.5, 24.5],
  ])(
    'three digits after a point are thousands or decimals by the language %s, or no price: %j',
    (lang, price, median) => {
      const head = jsonLd({ '@type': 'Product', name: 'a', offers: offer(price) });
      const { catalog } = observeStore(page({ head, lang: lang ?? '' }));
      expect(catalog).toMatchObject({ productCount: 1, priceRange: { median } });
    },
  );

  it('three digits after a point are decimals where the language and the currency write a point', () => {
    const offers = { '@type': 'Offer', price: '24.500', priceCurrency: 'USD' };
    const head = jsonLd({ '@type': 'Product', name: 'a', offers });
    expect(catalogOf([], head)).toMatchObject({ currency: 'USD', priceRange: { median: 24.5 } });
  });

  it('a price of a unit, of many pieces or of the delivery is not the price of the product', () => {
    const priceSpecification = [
      { '@type': 'UnitPriceSpecification', price: 2.5, priceCurrency: 'EUR', referenceQuantity: { value: 100 } },
      { '@type': 'UnitPriceSpecification', price: 3, priceCurrency: 'EUR', eligibleQuantity: { minValue: 10 } },
      { '@type': 'DeliveryChargeSpecification', price: 4.9, priceCurrency: 'EUR' },
      { '@type': 'UnitPriceSpecification', price: 30, priceCurrency: 'EUR', priceType: 'https://schema.org/ListPrice' },
      { '@type': 'UnitPriceSpecification', price: 20, priceCurrency: 'EUR' },
    ];
    const head = jsonLd({ '@type': 'Product', name: 'a', offers: { '@type': 'Offer', priceSpecification } });
    expect(catalogOf([], head)).toMatchObject({ currency: 'EUR', priceRange: { median: 20 } });
  });

  it('zero in structured data is not a price, and the next statement of the offer counts', () => {
    const head = jsonLd([
      { '@type': 'Product', name: 'a', offers: { '@type': 'AggregateOffer', lowPrice: '0.00', priceCurrency: 'EUR' } },
      { '@type': 'Product', name: 'b', offers: [offer(0), offer('0.00', { priceSpecification: { price: 12 } })] },
    ]);
    expect(catalogOf([], head)).toMatchObject({ productCount: 2, priceRange: { p25: 12, median: 12, p75: 12 } });
  });

  it('offers and variants that are only named are read where the page describes them', () => {
    const head = jsonLd({
      '@graph': [
        { '@type': 'Product', '@id': '#a', name: 'a', offers: { '@id': '#offer' } },
        { '@type': 'Offer', '@id': '#offer', price: '15.00', priceCurrency: 'EUR' },
        { '@type': 'ProductGroup', '@id': '#g', name: 'g', hasVariant: [{ '@id': '#v1' }, { '@id': '#v2' }] },
        { '@type': 'Product', '@id': '#v1', name: 'g 1', offers: offer('40') },
        { '@type': 'Product', '@id': '#v2', name: 'g 2', offers: offer('35') },
        { '@type': 'Product', '@id': '#c', name: 'c', offers: { '@id': '#missing' } },
      ],
    });
    expect(catalogOf([], head)).toMatchObject({ productCount: 3, currency: 'EUR', priceRange: { p25: 20, p75: 30 } });
  });

  it('structured data counts the available products when every product states its availability', () => {
    const stocked = (name: string, availability: string) => ({
      '@type': 'Product',
      name,
      offers: offer(5, { availability }),
    });
    const head = jsonLd([stocked('a', 'https://schema.org/InStock'), stocked('b', 'https://schema.org/OutOfStock')]);
    expect(catalogOf([], head)).toMatchObject({ productCount: 2, availableCount: 1 });
  });

  it('structured data is never the whole catalogue, because a list on a page may be one category', () => {
    const items = ['a', 'b'].map((name, index) => ({
      '@type': 'ListItem',
      position: index,
      item: { '@type': 'Product', name, offers: offer(5) },
    }));
    const list = jsonLd({ '@type': 'ItemList', numberOfItems: 2, itemListElement: items });
    expect(catalogOf([], list)).toMatchObject({ coverage: 'first_page', productCount: 2 });
  });

  it('structured data counts a product once over its ids, its variants and repeated descriptions', () => {
    const variant = (name: string, price: number, more = {}) => ({
      '@type': 'Product',
      name,
      sku: name,
      offers: offer(price),
      ...more,
    });
    const group = {
      '@type': 'ProductGroup',
      '@id': '/p/shirt#group',
      productGroupID: 'shirt',
      name: 'Shirt',
      hasVariant: [variant('Shirt red', 30), variant('Shirt blue', 20)],
    };
    expect(catalogOf([], jsonLd(group))).toMatchObject({ productCount: 1, priceRange: { median: 20 } });
    const loose = ['red', 'blue'].map((colour, n) =>
      variant(`Shirt ${colour}`, 30 - n, {
        isVariantOf: { '@type': 'ProductGroup', productGroupID: 'shirt', name: 'Shirt' },
      }),
    );
    expect(catalogOf([], jsonLd(loose))).toMatchObject({ productCount: 1, priceRange: { median: 29 } });
    const first = { '@type': 'Product', name: 'Mug', url: 'https://shop.example/p/mug', offers: offer(9) };
    const again = { '@type': 'Product', name: 'Mug', url: 'https://shop.example/p/mug/?ref=1', offers: offer(9) };
    expect(catalogOf([], jsonLd(first) + jsonLd(again) + jsonLd({ ...first, url: undefined }))).toMatchObject({
      productCount: 1,
    });
  });

  it('structured data leaves out list prices and prices in other currencies', () => {
    const specifications = [
      {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/ListPrice',
        price: '50',
        priceCurrency: 'EUR',
      },
      { '@type': 'UnitPriceSpecification', price: '40', priceCurrency: 'EUR' },
    ];
    const head = jsonLd([
      { '@type': 'Product', name: 'a', offers: { '@type': 'Offer', priceSpecification: specifications } },
      { '@type': 'Product', name: 'b', offers: offer(42) },
      { '@type': 'Product', name: 'c', offers: { '@type': 'Offer', price: '4000', priceCurrency: 'JPY' } },
    ]);
    expect(catalogOf([], head)).toMatchObject({
      productCount: 3,
      currency: 'EUR',
      priceRange: { p25: 40.5, median: 41, p75: 41.5 },
    });
  });

  it('structured data is parsed in spite of comments, line breaks and trailing commas', () => {
    const head =
      '<script type="application/ld+json"><!--\n{"@type":"Product","name":"a\nb","offers":{"price":"5","priceCurrency":"USD",},}\n--></script>';
    expect(catalogOf([], head)).toMatchObject({ productCount: 1, currency: 'USD', priceRange: { median: 5 } });
  });
});

describe('microdata', () => {
  const item = (name: string, offers: string, more = '') =>
    `<div itemscope itemtype="http://schema.org/Product"><h3 itemprop="name">${name}</h3>${more}${offers}</div>`;
  const offer = (price: string, currency = 'EUR') =>
    `<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="${currency}"><span itemprop="price">${price}</span><link itemprop="availability" href="http://schema.org/InStock"></div>`;
  const shown = (body: string, lang = 'de') => observeStore(page({ body, lang })).catalog;

  it('microdata provides names, prices, currencies and availability', () => {
    expect(shown(item('Lampe', offer('1.299,00 €')) + item('Tisch', offer('99,90 €')))).toEqual({
      coverage: 'first_page',
      productCount: 2,
      availableCount: 2,
      currency: 'EUR',
      priceRange: { p25: 399.68, median: 699.45, p75: 999.23 },
    });
  });

  it('microdata takes the price of the cheapest variant, and the attribute before the text', () => {
    const variants = ['30', '20'].map((price) => offer(price)).join('');
    expect(shown(item('Hemd', variants)).priceRange.median).toBe(20);
    const exact = offer('1').replace(
      '<span itemprop="price">1</span>',
      '<span itemprop="price" content="12.50">12 fuffzig</span>',
    );
    expect(shown(item('Hemd', exact)).priceRange.median).toBe(12.5);
  });

  it.each([
    ['12,10 €', 12.1],
    ['10,49 €', 10.49],
    ['N1000', 0],
    ['N1000.00', 0],
    ['£9.00', 0],
  ])('a product with 10 in the attribute and %j in the text of its microdata costs %d', (text, price) => {
    const shop = '<span class="option-price">10.00</span>';
    const both = offer(`<span class="money">${text}</span>`).replace(
      '<span itemprop="price">',
      '<span class="price" itemprop="price" content="10">',
    );
    expect(shown(item('Hemd', shop + both))).toMatchObject({ productCount: 1, priceRange: { median: price } });
  });

  it('microdata takes the text of a link that is marked as the name', () => {
    const linked = item('', offer('80,00 €')).replace(
      '<h3 itemprop="name"></h3>',
      '<a itemprop="name" href="/lampe">Lampe</a>',
    );
    const head = jsonLd({ '@type': 'Product', name: 'Lampe', offers: { price: '80', priceCurrency: 'EUR' } });
    expect(shown(head + linked).productCount).toBe(1);
  });

  it('microdata ignores reviews of a product', () => {
    const review = '<div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"></div>';
    expect(shown(item('Lampe', review)).coverage).toBe('none');
  });

  it('microdata gives no prices of related products within the item of the page', () => {
    const related =
      '<li class="product-item"><a class="product-item-link" href="/p/cheap">Kabel</a><span class="price">3,00 €</span></li>';
    const main = item(
      'Lampe',
      `<ul>${related}${related.replaceAll('cheap', 'other').replace('Kabel', 'Birne')}</ul>`,
      offer('80,00 €'),
    );
    expect(shown(main)).toMatchObject({ productCount: 3, priceRange: { p25: 3, median: 3, p75: 41.5 } });
  });

  it('microdata counts a product once when JSON-LD describes it, too', () => {
    const head = jsonLd({
      '@type': 'Product',
      name: 'Lampe',
      url: '/p/lampe',
      offers: { price: '80', priceCurrency: 'EUR' },
    });
    expect(shown(head + item('Lampe', offer('80,00 €')))).toMatchObject({ productCount: 1, currency: 'EUR' });
  });
});

/** Templates of platforms, from their public default themes. */
const templates: Readonly<Record<string, (id: number, price: string) => string>> = {
  WooCommerce: (id, price) =>
    `<li class="product type-product post-${id}"><a href="/product/p${id}/" class="woocommerce-LoopProduct-link"><img src="a.jpg"><h2 class="woocommerce-loop-product__title">Product ${id}</h2><span class="price"><del><span class="amount">99.99€</span></del> <ins><span class="woocommerce-Price-amount amount"><bdi>${price}</bdi></span></ins></span></a><a href="?add-to-cart=${id}" class="add_to_cart_button">Add to cart</a></li>`,
  'Magento 1': (id, price) =>
    `<li class="item"><a href="/p${id}.html" class="product-image"><img src="a.jpg"></a><h2 class="product-name"><a href="/p${id}.html">Product ${id}</a></h2><div class="price-box"><p class="old-price"><span class="price">99,99 €</span></p><p class="special-price"><span class="price">${price}</span></p></div><a href="/wishlist/index/add/product/${id}/" class="link-wishlist">Wish</a></li>`,
  'Magento 2': (id, price) =>
    `<li class="item product product-item"><div class="product-item-info"><a href="/p${id}.html" class="product photo"><img></a><strong class="product name product-item-name"><a class="product-item-link" href="/p${id}.html">Product ${id}</a></strong><div class="price-box price-final_price"><span class="special-price"><span data-price-amount="${price.replace(',', '.').replace(' €', '')}" data-price-type="finalPrice" class="price-wrapper"><span class="price">${price}</span></span></span><span class="old-price"><span data-price-amount="99.99" data-price-type="oldPrice" class="price-wrapper"><span class="price">99,99 €</span></span></span></div></div></li>`,
  PrestaShop: (id, price) =>
    `<article class="product-miniature js-product-miniature" data-id-product="${id}"><h3 class="h3 product-title"><a href="/${id}-p.html#/1-size">Product ${id}</a></h3><div class="product-price-and-shipping"><span class="regular-price">99,99 €</span><span class="discount-percentage">-20%</span><span class="price">${price}</span></div></article>`,
  OpenCart: (id, price) =>
    `<div class="product-layout"><div class="product-thumb"><div class="image"><a href="/index.php?route=product/product&amp;product_id=${id}"><img></a></div><div class="caption"><h4><a href="/index.php?route=product/product&amp;path=20&amp;product_id=${id}">Product ${id}</a></h4><p>From 25 hours of work</p><p class="price"><span class="price-new">${price}</span> <span class="price-old">99,99 €</span> <span class="price-tax">Ex Tax: 9,00 €</span></p></div></div></div>`,
  Shopify: (id, price) =>
    `<div class="grid__item"><div class="card-wrapper"><h3 class="card__heading"><a href="/collections/all/products/p${id}?variant=1">Product ${id}</a></h3><div class="price price--on-sale"><span class="visually-hidden">Regular price</span><s class="price-item price-item--regular">99,99 €</s><span class="price-item price-item--sale">${price}</span></div><a href="/products/p${id}"><img></a></div></div>`,
  BigCommerce: (id, price) =>
    `<li class="product"><article class="card"><figure class="card-figure"><a href="/p${id}/"><img></a></figure><div class="card-body"><h4 class="card-title"><a href="/p${id}/">Product ${id}</a></h4><div class="card-text"><span class="price price--non-sale">99,99 €</span><span class="price price--withoutTax price-primary">${price}</span></div></div></article></li>`,
  Wix: (id, price) =>
    `<li data-hook="product-list-grid-item"><a href="/product-page/p${id}" data-hook="product-item-container"><p data-hook="product-item-name">Product ${id}</p><span data-hook="product-item-price-to-pay">${price}</span></a></li>`,
  Shopware: (id, price) =>
    `<div class="card product-box"><a href="/p${id}" class="product-image-link"><img></a><a href="/p${id}" class="product-name">Product ${id}</a><div class="product-price-info"><p class="product-price-unit">Content: 0.5 l (25,00 €* / 1 l)</p><span class="product-price">${price}*</span></div></div>`,
};

describe('cards of templates', () => {
  const prices = ['10,00 €', '20,00 €', '30,00 €'];

  it.each(Object.entries(templates))(
    'cards of %s are counted once each, with the price that a buyer pays',
    (_, card) => {
      const cards = prices.map((price, index) => card(index + 1, price)).join('');
      const body = `<main><ul class="list">${cards}</ul><div class="carousel">${card(1, '10,00 €')}</div></main>`;
      expect(observeStore(page({ body, lang: 'de' })).catalog).toEqual({
        coverage: 'first_page',
        productCount: 3,
        availableCount: null,
        currency: 'EUR',
        priceRange: { p25: 15, median: 20, p75: 25 },
      });
    },
  );

  it.each([
    [
      'a recipe',
      '<ul><li><a href="/product/garlic">garlic powder</a> <span class="amount">1</span> <span>tsp</span></li></ul>',
    ],
    ['a menu', '<nav><ul><li><a href="/products/lamp">Lamp</a></li></ul><span class="price">10 €</span></nav>'],
    [
      'an empty basket',
      '<div class="mini-cart"><a href="/products/lamp">Lamp</a><span class="price">10 €</span></div>',
    ],
    ['free shipping', '<a href="/products/lamp">Lamp</a><p class="price">Free shipping over 50 €</p>'],
    ['a surcharge', '<label><a href="/products/guarantee">3 years</a><span class="price">+20,00 €</span></label>'],
    ['a button', '<div class="product"><a href="/product/leaf">Bestellen Sie jetzt</a><p>59,99€</p></div>'],
    [
      'the costs of delivery beside a price',
      '<div class="product"><p class="price">27,90 €</p>zzgl. <a href="/pages/versandkosten">Versandkosten</a></div>',
    ],
  ])('cards of products are not seen in %s', (_, body) => {
    expect(observeStore(page({ body, lang: 'de' })).catalog.coverage).toBe('none');
  });

  it('the product of a card may be named after delivery with a further word', () => {
    const body = '<div class="product"><p class="price">3,90 €</p><a href="/boxes/large">Versandkarton groß</a></div>';
    expect(observeStore(page({ body, lang: 'de' })).catalog.productCount).toBe(1);
  });

  it('cards without prices count only when no product shows one', () => {
    const hidden =
      '<li class="product type-product"><a href="/product/a"><h2 class="woocommerce-loop-product__title">A</h2></a></li>';
    const other = hidden.replaceAll('/a', '/b').replace('>A<', '>B<');
    expect(observeStore(page({ body: hidden + other })).catalog).toMatchObject({
      coverage: 'first_page',
      productCount: 2,
      currency: 'XXX',
      priceRange: { median: 0 },
    });
    const priced = templates.WooCommerce?.(3, '10,00 €') ?? '';
    expect(observeStore(page({ body: hidden + priced, lang: 'de' })).catalog.productCount).toBe(1);
  });

  it('cards of one product at several addresses are one product', () => {
    const at = (href: string, name = 'Lamp') =>
      `<li class="item"><h2 class="product-name"><a href="${href}">${name}</a></h2><span class="price">5,00 €</span></li>`;
    const count = (...cards: string[]) =>
      observeStore(page({ body: `<ul>${cards.join('')}</ul>`, lang: 'de' })).catalog.productCount;
    expect(count(at('/lamp.html'), at('/lights/lamp.html'), at('/lamp.html?ref=2#top'))).toBe(1);
    expect(count(at('/product.php?id=1'), at('/product.php?id=2', 'Desk'))).toBe(2);
    expect(count(at('/lamp-1.html'), at('/lamp-2.html'))).toBe(2);
  });
});

describe('product of a product page', () => {
  const related = [1, 2].map((id) => templates.WooCommerce?.(id, '10,00 €')).join('');
  const catalog = (body: string, head = '', url = 'https://shop.example/product/lamp/') =>
    observeStore(page({ head, body, lang: 'de' }, { url })).catalog;

  it('the product of a product page is its heading with the nearest price, and related products are listed beside it', () => {
    const body = `<form><input name="add-to-cart" value="7"></form><div class="product"><h1 class="product_title">Lampe</h1><p class="price"><span class="amount">80,00 €</span></p></div><section class="related"><h2>Dazu</h2><ul>${related}</ul></section>`;
    expect(catalog(body)).toMatchObject({
      productCount: 3,
      currency: 'EUR',
      priceRange: { p25: 10, median: 10, p75: 45 },
    });
    expect(catalog(body.replace(/<section.*section>/, ''))).toMatchObject({
      productCount: 1,
      priceRange: { median: 80 },
    });
  });

  it('the product of a product page has the price that OpenCart shows in a plain list below the heading', () => {
    const prices = '<ul class="list-unstyled"><li><h2>80,00 €</h2></li><li>Ohne Steuer: 67,23 €</li></ul>';
    const body = `<h1>Lampe</h1>${prices}<input name="product_id" value="7">`;
    expect(catalog(body)).toMatchObject({ productCount: 1, priceRange: { median: 80 } });
  });

  it('the product of a product page has the price with tax when both are shown', () => {
    const without = '<span class="price price--withoutTax sale">67,23 €</span>';
    const body = `<input name="product_id" value="7"><h1>Lampe</h1><p>${without} <span class="price price--withTax">80,00 €</span></p>`;
    expect(catalog(body).priceRange.median).toBe(80);
    expect(catalog(body.replace(/<span class="price price--withTax.*?span>/, '')).priceRange.median).toBe(67.23);
  });

  it('the product of a product page is not assumed on a page of another kind', () => {
    expect(catalog('<h1>Über uns</h1><p class="price">80,00 €</p>', '', 'https://shop.example/about').coverage).toBe(
      'none',
    );
  });

  it('the product of a product page has the lowest price of the variations that WooCommerce prints', () => {
    const variations = JSON.stringify([{ display_price: 30 }, { display_price: 19.9 }]).replaceAll('"', '&quot;');
    const body = `<h1>Hemd</h1><p class="price">19,90 € – 30,00 €</p><form class="variations_form cart" data-product_variations="${variations}"><input name="add-to-cart" value="7"></form>`;
    expect(catalog(body)).toMatchObject({ productCount: 1, priceRange: { median: 19.9 } });
  });

  it('the product of a product page has the price in the text, and only without it the price in meta tags, which may exclude tax', () => {
    const head =
      '<meta property="og:type" content="product"><meta property="og:title" content="Buch"><meta property="product:price:amount" content="10.14"><meta property="product:price:currency" content="EUR">';
    expect(catalog('<h1>Buch</h1><span class="price">10,75 €</span>', head).priceRange.median).toBe(10.75);
    expect(catalog('<p>Ein Buch</p>', head)).toMatchObject({
      productCount: 1,
      currency: 'EUR',
      priceRange: { median: 10.14 },
    });
  });

  it('the product of a product page is in the JSON of a Shopify theme, in hundredths, with its cheapest variant', () => {
    const product = {
      id: 1,
      title: 'Lamp',
      handle: 'lamp',
      price: 2599,
      variants: [
        { id: 1, price: 2599, available: false },
        { id: 2, price: 1999, available: true },
      ],
    };
    const json = (value: unknown) => `<script type="application/json">${JSON.stringify(value)}</script>`;
    const head = '<meta property="og:type" content="product"><meta property="og:title" content="Lamp">';
    const at = 'https://shop.example/products/lamp';
    const unseen = json({ ...product, title: 'Guarantee', handle: 'guarantee' });
    expect(catalog(`<h1>Lamp</h1>${json(product)}${unseen}`, head, at)).toMatchObject({
      productCount: 1,
      availableCount: 1,
      priceRange: { median: 19.99 },
    });
  });
});

describe('currency', () => {
  const listed = (price: string, over: { lang?: string; url?: string; head?: string } = {}) =>
    observeStore(
      page(
        {
          head: over.head ?? '',
          lang: over.lang ?? 'en',
          body: `<ul>${templates.WooCommerce?.(1, price)}</ul>`.replace(/<del>.*<\/del>/, ''),
        },
        { url: over.url ?? 'https://shop.example/' },
      ),
    ).catalog;

  it.each([
    ['$10.00', 'en-US', 'https://shop.us/', 'USD', 10],
    ['$10.00', 'en-US', 'https://shop.example/', 'XXX', 10],
    ['$10.00', 'en', 'https://shop.de/', 'USD', 10],
    ['$10.00', 'en-CA', 'https://shop.ca/', 'CAD', 10],
    ['$44.900', 'es', 'https://shop.cl/', 'CLP', 44_900],
    ['$44.900', 'es', 'https://shop.example/', 'XXX', 44_900],
    ['£10.00', 'en', 'https://shop.example/', 'GBP', 10],
    ['1 299 kr', 'sv', 'https://shop.se/', 'SEK', 1299],
    ['1 299 kr', 'en', 'https://shop.example/', 'XXX', 1299],
    ['Rs.1,299', 'en', 'https://shop.pk/', 'PKR', 1299],
    ['¥1,299', 'ja', 'https://shop.jp/', 'JPY', 1299],
    ['KWD 1.250', 'en', 'https://shop.example/', 'KWD', 1.25],
  ])('the currency of %s on a page in %s at %s is %s', (price, lang, url, currency, median) => {
    expect(listed(price, { lang, url })).toMatchObject({ currency, priceRange: { median } });
  });

  it('the currency of the settings counts only when the prices allow it', () => {
    const settings = script('var config = {"currency":"CAD"};');
    expect(listed('$10.00', { head: settings }).currency).toBe('CAD');
    expect(listed('10.00 €', { head: settings }).currency).toBe('EUR');
  });
});

describe('price beside another amount', () => {
  const cards = (price: string) =>
    Array.from(
      { length: 3 },
      (_, n) => `<div class="product-card"><a class="product-name" href="/products/p${n}">Lamp ${n}</a>${price}</div>`,
    ).join('');
  const priceOf = (price: string) =>
    observeStore(page({ body: `<a href="/cart">Cart</a>${cards(price)}`, lang: 'de' })).catalog.priceRange.median;

  it.each([
    '<span class="product-price with-list-price">20,00 € <span class="list-price"><span class="list-price-price">30,00 €</span></span></span>',
    '<span class="price has-old-price">20,00 € <del>30,00 €</del></span>',
    '<span class="price precio-anterior">30,00 €</span><span class="price">20,00 €</span>',
    '<span class="price prix-barre">30,00 €</span><span class="price">20,00 €</span>',
    '<span class="price">statt 30,00 €</span><span class="price">20,00 €</span>',
    '<span class="price">UVP 30,00 €</span><span class="price">20,00 €</span>',
    '<span class="omnibus-price">15,00 €</span><span class="price">20,00 €</span>',
    '<span class="delivery-price">4,90 €</span><span class="price">20,00 €</span>',
  ])('a price beside another amount is what a buyer pays in %s', (price) => {
    expect(priceOf(price)).toBe(20);
  });

  it('the price of several offers is in the currency of the first one', () => {
    const head = jsonLd({
      '@type': 'Product',
      name: 'Lamp',
      offers: [
        { '@type': 'Offer', price: '1200', priceCurrency: 'SEK', availability: 'https://schema.org/InStock' },
        { '@type': 'Offer', price: '110', priceCurrency: 'EUR' },
      ],
    });
    expect(observeStore(page({ head })).catalog).toMatchObject({ currency: 'SEK', priceRange: { median: 1200 } });
  });
});

describe('spellings of prices', () => {
  const cards = (price: string, lang: string) => {
    const card = (at: number) =>
      `<li class="product type-product"><a href="/product/p${at}/"><h2 class="woocommerce-loop-product__title">Chair ${at}</h2><span class="price"><span class="woocommerce-Price-amount amount">${price}</span></span></a></li>`;
    const body = `<ul class="products">${[0, 1, 2].map(card).join('')}</ul>`;
    return observeStore(page({ body, head: script('var wc_add_to_cart_params = {};'), lang })).catalog;
  };

  it.each([
    ['Rp1.299.000', 'id', 'IDR', 1_299_000],
    ['1 299:-', 'sv', 'XXX', 1299],
    ['١٬٢٩٩٫٠٠ ر.س', 'ar', 'SAR', 1299],
    ['١٬٢٩٩ ر.س', 'ar', 'SAR', 1299],
    ['١٢٫٩٠٠ د.ك', 'ar', 'KWD', 12.9],
    ['19€99', 'fr', 'EUR', 19.99],
    ['۱۲٬۹۰۰ تومان', 'fa', 'XXX', 0],
    ['12,900.00 تومان', 'fa', 'XXX', 0],
  ])(
    'a price on a page that states no currency is read: %s in the language %s is %s %d',
    (price, lang, currency, median) => {
      expect(cards(price, lang)).toMatchObject({ productCount: 3, currency, priceRange: { median } });
    },
  );
});
