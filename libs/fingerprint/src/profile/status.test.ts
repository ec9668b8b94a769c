import { describe, expect, it } from 'vitest';
import { jsonLd, page, storefronts } from '../../test/support/pages.ts';
import shopWords from '../data/shop-words.rules.json' with { type: 'json' };
import { observeStore, type PageInput } from '../index.ts';

const statusOf = (input: PageInput) => observeStore(input).status.state;

describe('shop on no known platform', () => {
  it.each(shopWords.map(({ language, order, basket }) => [language, order, basket] as const))(
    'a shop on no known platform in the language %s is a storefront by any of its order buttons and baskets',
    (lang, order, basket) => {
      for (const label of order)
        expect(
          statusOf(page({ lang, body: `<a href="/x">${basket[0]} (0)</a><p>12.00</p><button>${label}</button>` })),
          label,
        ).toBe('active_storefront');
      for (const label of basket)
        expect(
          statusOf(
            page({ lang, body: `<a href="/x1">${label} (2)</a><p>€ 12.00</p><p>€ 13.00</p><a href="/checkout">→</a>` }),
          ),
          label,
        ).toBe('active_storefront');
    },
  );

  it('order buttons and baskets have words in at least twenty languages', () => {
    expect(shopWords.length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ['a product page', '<a href="/cart">Cart</a><span class="price">$12.00</span><button>Add to cart</button>'],
    ['a form that adds to the basket', '<form action="/basket/add"><button>+</button></form><p>$12.00 $14.00</p>'],
    ['a grid of a category', '<a href="/cart">Cart (0)</a><a href="/checkout">Checkout</a><p>$12.00</p><p>$13.00</p>'],
    [
      'an account page',
      '<a href="/shopping-cart">0</a><a href="/checkout">Checkout</a><span class="price">0.00</span>',
    ],
    [
      'a category with the number of items before the name of the basket',
      '<button><i>0</i><span> Mon panier</span></button><a href="/checkout">→</a><p>12,00 € 13,00 €</p>',
    ],
    [
      'a category with the total before and after the name of the basket',
      '<a href="/x"><b>0</b> <small>EUR 0,00*</small> <small><b>Warenkorb</b> EUR 0,00*</small></a><a href="/kasse">→</a><p>12,00 € 13,00 €</p>',
    ],
    [
      'a category whose basket is named mine',
      '<a href="mon_panier.php"><i></i></a><a href="/checkout">→</a><p>12,00 € 13,00 €</p>',
    ],
    [
      'a category whose basket says what its button does',
      '<button aria-label="Öppna varukorgen"></button><a href="/checkout">→</a><p>120 kr 130 kr</p>',
    ],
    [
      'a product page with buttons from other elements',
      '<p>$12.00</p><p>$13.00</p><div class="jsx-1 button">Add to cart<div></div></div>',
    ],
    [
      'a product page with indented labels',
      `<p>$12.00</p><p>$13.00</p><button>\n${' '.repeat(90)}<span>${' '.repeat(90)}</span>Add to cart\n</button>`,
    ],
    [
      'a product page with details after the label of its button',
      '<button>Add to cart <span class="sr-only">(€12.00, free shipping over €50, delivery within 3 to 5 working days)</span></button><a href="/cart">Cart</a><span class="price">€12.00</span>',
    ],
    [
      'a basket icon with a name for screen readers',
      '<a href="/x" aria-label="Warenkorb"><i></i></a><a href="/kasse">Kasse</a><p>12,00 € 13,00 €</p>',
    ],
  ])('a shop on no known platform is a storefront on %s', (_, body) => {
    const seen = observeStore(page({ body }));
    expect(seen).toMatchObject({ platform: { slug: 'custom' }, status: { state: 'active_storefront' } });
  });
});

describe('shop without a basket in its markup', () => {
  const order = (text: string, number = '919000000001') =>
    `<a href="https://wa.me/${number}?text=${encodeURIComponent(text)}">WhatsApp</a>`;
  const prices = '<p>Rs. 749</p><p>Rs. 549</p><p>Rs. 849</p><p>Rs. 649</p>';

  it('a shop without a basket in its markup is a storefront when links prepare messages that order its products', () => {
    const goods = ['the Bunny (Rs. 749). More information, please', 'the Dino.', 'the Toy Car'];
    const body = prices + goods.map((name) => order(`Hi! I'd like to order ${name}`)).join('');
    expect(statusOf(page({ body }))).toBe('active_storefront');
    const pt = ['o Anel', 'o Colar', 'a Pulseira'].map((name) => order(`Olá! Gostaria de pedir ${name}`)).join('');
    expect(statusOf(page({ lang: 'pt', body: `<p>R$ 10,00 R$ 12,00 R$ 14,00 R$ 16,00</p>${pt}` }))).toBe(
      'active_storefront',
    );
  });

  it.each([
    ['two messages', order("I'd like to order the Bunny") + order("I'd like to order the Dino")],
    [
      'messages that ask for appointments',
      ['la Dra. Ruiz', 'el Dr. Vega', 'el Dr. Mora'].map((name) => order(`Quiero pedir una cita con ${name}`)).join(''),
    ],
    [
      'messages that ask for information and quotes',
      order('Quisiera pedir información') + order('Quisiera pedir un presupuesto') + order('Quero pedir um orçamento'),
    ],
    [
      'messages about homes',
      ['Elm', 'Oak', 'Fir'].map((name) => order(`I want to buy the house in ${name} Street`)).join(''),
    ],
    [
      'messages about used cars',
      ['Polo', 'Clio', 'Yaris'].map((n) => order(`I want to buy a used car: ${n}`)).join(''),
    ],
    [
      'messages about rooms in Indonesian',
      ['deluxe', 'standar', 'keluarga'].map((name) => order(`Halo, saya mau pesan kamar ${name}`)).join(''),
    ],
    [
      'messages about flats in Turkish',
      ['A1', 'A2', 'A3'].map((name) => order(`${name} daire satın almak istiyorum`)).join(''),
    ],
    [
      'messages about appointments in German',
      ['Montag', 'Dienstag', 'Freitag'].map((day) => order(`Ich möchte einen Termin bestellen: ${day}`)).join(''),
    ],
    ['questions about houses', order('Is the house in Elm Street free?') + order('Is the house in Oak Street free?')],
    [
      'orders from several sellers',
      order("I'd like to order A", '919000000001') + order("I'd like to order B", '919000000002'),
    ],
  ])('a shop without a basket in its markup is not a storefront by %s', (_, links) => {
    expect(statusOf(page({ body: prices + links }))).toBe('not_a_storefront');
  });

  const search = { '@type': 'WebSite', potentialAction: { '@type': 'SearchAction', target: '/search?q=' } };
  const product = {
    '@type': 'Product',
    name: 'Pork',
    offers: { '@type': 'AggregateOffer', lowPrice: '12500', priceCurrency: 'VND' },
  };

  const shell = (data: unknown, head = '', url = 'https://shop.example/pork') =>
    page({ head: head + jsonLd(data), body: '<div id="app"></div>' }, { url });
  const offered = (offers: unknown, more = {}) => [search, { '@type': 'Product', name: 'Pork', offers, ...more }];

  it('a shop without a basket in its markup is a storefront when its page is an empty shell with offers in structured data', () => {
    expect(statusOf(shell([search, product]))).toBe('active_storefront');
    expect(
      statusOf(
        shell([
          { ...search, name: 'Shop Example' },
          {
            ...product,
            offers: {
              '@type': 'Offer',
              price: '5.00',
              url: 'https://www.shop.example/pork',
              seller: { '@type': 'Organization', name: 'Shop Example' },
            },
          },
        ]),
      ),
    ).toBe('active_storefront');
  });

  it.each([
    ['its offer is on another site', shell(offered({ price: '5', url: 'https://www.amazon.com/dp/B0' }))],
    [
      'its offer is of another seller',
      shell(offered({ price: '5', seller: { '@type': 'Organization', name: 'Other' } })),
    ],
    [
      'it counts the offers of several sellers',
      shell(offered({ '@type': 'AggregateOffer', lowPrice: '5', offerCount: 12 })),
    ],
    ['it reviews a product', shell(offered({ price: '5' }, { review: { '@type': 'Review', name: 'Good' } }))],
    ['it is an article', shell([...offered({ price: '5' }), { '@type': 'BlogPosting', headline: 'Pork' }])],
    ['its type is an article', shell(offered({ price: '5' }), '<meta property="og:type" content="article">')],
    ['it runs on WordPress', shell(offered({ price: '5' }), '<meta name="generator" content="WordPress 6.5">')],
    [
      'it offers software',
      shell([...offered({ price: '5' }), { '@type': 'SoftwareApplication', name: 'Pork', offers: { price: '5' } }]),
    ],
    ['it is the front page of a service', shell(offered({ price: '5' }), '', 'https://shop.example/')],
    [
      'it has long paragraphs',
      page(
        { head: jsonLd([search, product]), body: `<p>${'We tested it. '.repeat(30)}</p>` },
        { url: 'https://shop.example/pork' },
      ),
    ],
  ])('a shop without a basket in its markup is not a storefront by offers in structured data when %s', (_, input) => {
    expect(statusOf(input)).toBe('not_a_storefront');
  });

  it('a shop without a basket in its markup is not a storefront when an article has offers in structured data', () => {
    const body = '<p>We tested it.</p>'.repeat(20);
    expect(statusOf(page({ head: jsonLd([search, product]), body }))).toBe('not_a_storefront');
    expect(statusOf(page({ head: jsonLd([product]), body: '<div id="app"></div>' }))).toBe('not_a_storefront');
  });

  it.each([
    ['vi', '<p>50.000đ</p><p>250.000đ</p><p>700.000đ</p><p>90.000đ</p>'],
    ['fr', '<p>2099 DT</p><p>149 DT</p><p>2149 DT</p><p>399 DT</p>'],
  ])('a shop without a basket in its markup counts prices with the signs of %s', (lang, list) => {
    expect(statusOf(page({ lang, body: `${list}<button class="cart-button">0</button>` }))).toBe('active_storefront');
    expect(statusOf(page({ lang: 'de', body: `${list}<button class="cart-button">0</button>` }))).toBe(
      'not_a_storefront',
    );
  });

  it.each([
    ['en', '<p>DT 770, DT 880, DT 990, DT 1990</p>'],
    ['en', '<p>770 DT</p><p>880 DT</p><p>990 DT</p><p>240 DT</p>'],
    ['fr', '<p>Yamaha DT 50 DT 125 DT 175 DT 250 DT 400</p>'],
    ['fr', '<p>DA 45, 30 DA, 52 DA, 61 DA, 12 DA</p>'],
    ['fr', '<p>DT 50</p><p>DT 125</p><p>DT 175</p><p>DT 250</p>'],
  ])('a shop without a basket in its markup has no prices in dinars in %s: %s', (lang, list) => {
    const seen = observeStore(page({ lang, body: `${list}<button class="cart-button">0</button>` }));
    expect(seen.status.state).toBe('not_a_storefront');
    expect(seen.geography.country).toBe('ZZ');
  });
});

describe('bare word "comprar"', () => {
  const prices = '<p>R$ 10,00</p><p>R$ 12,00</p><p>R$ 14,00</p><p>R$ 16,00</p>';
  const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">Comprar</a>`).join('');

  it.each([
    ['on a button', '<button>Comprar</button>'],
    ['on links to several products', links('/p/1', '/p/2', '/p/3')],
  ])('the bare word "comprar" orders %s', (_, body) => {
    expect(statusOf(page({ lang: 'pt', body: prices + body }))).toBe('active_storefront');
  });

  it.each([
    ['is a menu of an agent', `${links('/comprar')}<a href="/alugar">Alugar</a>`],
    ['is a menu of an agent on three pages', `${links('/c/1', '/c/2', '/c/3')}<a href="/alquilar">Alquilar</a>`],
    ['is an order at an exchange', '<button>Comprar</button><button>Vender</button>'],
    ['is a button of a menu', '<nav><button>Comprar</button></nav>'],
    ['is a link of an article', links('/comprar')],
    ['repeats one link', links('/comprar', '/comprar', '/comprar')],
  ])('the bare word "comprar" orders nothing where it %s', (_, body) => {
    expect(statusOf(page({ lang: 'pt', body: prices + body }))).toBe('not_a_storefront');
  });

  it('the bare word "comprar" orders nothing on a platform that also serves other sites, without a price', () => {
    const head = '<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css">';
    expect(statusOf(page({ head, lang: 'pt', body: links('/comprar') }))).toBe('not_a_storefront');
    expect(statusOf(page({ head, lang: 'pt', body: '<button>Comprar</button>' }))).toBe('not_a_storefront');
    expect(statusOf(page({ head, lang: 'pt', body: '<p>R$ 10,00</p><button>Comprar</button>' }))).toBe(
      'active_storefront',
    );
  });
});

describe('page about shops', () => {
  const prices = '<p>$29.00 per month</p><p>$79.00 per month</p>';
  it.each([
    ['a blog about shops', '<h1>Why customers leave the cart</h1><p>Put an "Add to cart" button here. $5.00 $6.00</p>'],
    [
      'a page that quotes code',
      '<pre>&lt;button class="add-to-cart"&gt;Add to cart&lt;/button&gt;</pre><p>$5.00 $6.00</p>',
    ],
    [
      'an agency',
      '<h1>We build shops</h1><a href="/services/cart-integration">Cart integration</a><a href="/checkout-optimisation">Checkout</a>',
    ],
    [
      'a list of links to shops of others',
      `<a href="https://other.example/cart">Cart</a><a href="https://other.example/p?add-to-cart=1">Add to cart</a>${prices}`,
    ],
    [
      'a payment page',
      `<h1>Pay your invoice</h1><p>Total € 12.00</p><p>Fee € 1.00</p><a href="/checkout">Pay</a><button>Pay now</button>`,
    ],
    [
      'a payment provider',
      `<a href="/docs/payments/checkout">Checkout</a><a href="/docs/shopping/cart">Cart API</a>${prices}<button>Start now</button>`,
    ],
    [
      'a page with boxes like buttons',
      `<div class="button">How to open a cart</div><div class="btn">Start</div>${prices}`,
    ],
    ['a choice of a quantity in bags', `<button>1 bag</button><a href="/checkout">Donate</a>${prices}`],
    ['a set of icons', `<button aria-label="Bag icon"></button><a href="/checkout">Upgrade</a>${prices}`],
    ['a price list of software', `${prices}<a href="/signup">Buy now</a>`],
    ['a comparison of products with links to sellers', `<a href="https://seller.example/p/1">Buy now</a>${prices}`],
  ])('a page about shops is not a storefront: %s', (_, body) => {
    expect(statusOf(page({ body }))).toBe('not_a_storefront');
  });
});

describe('baskets that belong to no shop', () => {
  const prices = '<p>689,00 €</p><p>648,00 €</p><p>599,00 €</p><p>49,00 €</p>';

  it("a page is not a storefront because of a basket on a link to somebody else's shop", () => {
    const link = (more: string) => `${prices}<a class="icon cart" ${more}>Zum Shop</a>`;
    expect(statusOf(page({ body: link('href="/basket-1"') }))).toBe('active_storefront');
    const counted = 'href="https://x.shop.example/track?url=https%3A%2F%2Fwww.market.test%2Fdp%2F1"';
    expect(statusOf(page({ body: link(counted) }))).toBe('not_a_storefront');
    expect(statusOf(page({ body: link('href="/go/1" rel="sponsored"') }))).toBe('not_a_storefront');
    expect(statusOf(page({ body: `${prices}<button class="Button--Clickout cart">Zum Shop</button>` }))).toBe(
      'not_a_storefront',
    );
    expect(statusOf(page({ body: link('href="/cart?redirect=https%3A%2F%2Fshop.example%2F"') }))).toBe(
      'active_storefront',
    );
  });

  it('a page is not a storefront because of a basket for brochures of an authority', () => {
    const head = '<meta name="generator" content="Government Site Builder">';
    const body =
      '<a href="/warenkorb/">Warenkorb</a><a class="add-to-cart" href="/broschuere?add">In den Warenkorb</a>';
    expect(statusOf(page({ body, lang: 'de' }))).toBe('active_storefront');
    expect(statusOf(page({ head, body, lang: 'de' }))).toBe('not_a_storefront');
    expect(statusOf(page({ head, body: body + prices, lang: 'de' }))).toBe('active_storefront');
  });
});

describe('site on a platform that also serves other sites', () => {
  const woo = { head: '<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css">' };

  it.each([
    ['a basket and a link to the shop', '<a href="/cart/">0</a><a href="/shop/">Shop</a>'],
    [
      'links to the shop and to a category of products',
      '<a href="/shop/">Shop</a><a href="/product-category/teas/">Teas</a>',
    ],
    ['an order button', '<a href="?add-to-cart=12">Add to cart</a>'],
  ])('a site on a platform that also serves other sites is a storefront with %s', (_, body) => {
    expect(statusOf(page({ ...woo, body }))).toBe('active_storefront');
  });

  it.each([
    ['the plugin alone', '<p>My garden</p>'],
    ['a link to a page that is called shop', '<a href="/shop/">Shop</a>'],
    ['a basket alone', '<a href="/cart/">0</a>'],
    [
      'a shop on another site',
      '<a href="https://other.example/shop/">Shop</a><a href="https://other.example/cart">Cart</a><a href="https://other.example/product/x">x</a>',
    ],
  ])('a site on a platform that also serves other sites is not a storefront with %s', (_, body) => {
    expect(statusOf(page({ ...woo, body }))).toBe('not_a_storefront');
  });

  it('a site on a platform that only serves stores is a storefront, whatever the page shows', () => {
    expect(statusOf(storefronts['magento 2'] as PageInput)).toBe('active_storefront');
  });

  it('a site on a platform that also serves other sites is a storefront when structured data offers a product', () => {
    const head = `${woo.head}${jsonLd({ '@type': 'Product', name: 'Tea', offers: { price: '5.00', priceCurrency: 'EUR' } })}`;
    expect(statusOf(page({ head }))).toBe('active_storefront');
  });
});

describe('opening hours', () => {
  it.each([
    'Visit us: the store is closed on public holidays.',
    'Our shop is closed on Sundays. The store is closed until 9.',
    'Sonntag: Shop geschlossen',
  ])('a shop is open when its page states hours at which it is closed: %s', (text) => {
    expect(statusOf({ ...storefronts.shopify, html: `${storefronts.shopify?.html}<p>${text}</p>` } as PageInput)).toBe(
      'active_storefront',
    );
  });

  it('a shop is closed when the page says only that', () => {
    expect(statusOf(page({ body: '<h1>This store is closed</h1>' }))).toBe('closed');
    expect(statusOf(page({ body: '<h1>Shop geschlossen</h1>' }))).toBe('closed');
  });
});

describe('list of prices', () => {
  const lamps = Array.from({ length: 6 }, (_, n) => `<a href="/lamps/${n}.html">Lamp</a> <span>$2${n}.00</span>`).join(
    '',
  );

  it('a list of prices beside a basket is the category of a shop', () => {
    expect(statusOf(page({ body: `<a href="/cart">Cart</a>${lamps}` }))).toBe('active_storefront');
  });

  it('a list of prices without a basket is not a category of a shop', () => {
    expect(statusOf(page({ body: lamps }))).toBe('not_a_storefront');
    expect(statusOf(page({ body: `${lamps}<button>Jetzt bestellen</button>`, lang: 'de' }))).toBe('not_a_storefront');
  });
});

describe('shop that sells by links to a payment service', () => {
  const prices = '<p>₦12,000</p><p>₦20,000</p><p>₦9,500</p><p>₦15,000</p>';
  const link = (url: string, label: string) => `<a href="${url}" target="_blank">${label}</a>`;
  const both = (url: string, label: string) => link(`${url}1`, label) + link(`${url}2`, label);

  it.each([
    ['https://paystack.com/buy/hoodie', 'BUY'],
    ['https://paystack.shop/pay/hoodie', 'Buy now →'],
    ['https://flutterwave.com/pay/hoodie', 'Order now'],
    ['https://buy.stripe.com/abc123', 'Kaufen'],
    ['https://square.link/u/abc123', 'Buy'],
    ['https://www.paypal.com/ncp/payment/ABC', 'Acheter'],
    ['https://rzp.io/l/hoodie', 'Buy Now'],
    ['https://mpago.la/2abc', 'Comprar'],
    ['https://payhip.com/b/abc', 'Buy it now'],
    ['https://acme.gumroad.com/l/abc', 'Purchase'],
    ['https://www.shopier.com/acme/123', 'Satın al'],
    ['https://pay.sumup.com/b2c/ABC', 'Acquista'],
  ])('a shop that sells by links to a payment service is a storefront by %s', (url, label) => {
    const links = both(url, label);
    expect(statusOf(page({ body: prices + links }))).toBe('active_storefront');
    expect(statusOf(page({ body: links }))).toBe('not_a_storefront');
    // One book or ticket on a site about something else.
    expect(statusOf(page({ body: prices + link(url, label) + link(url, label) }))).toBe('not_a_storefront');
  });

  it.each([
    ['donations', prices + both('https://paystack.com/pay/church', 'Donate')],
    ['invoices', prices + both('https://buy.stripe.com/abc', 'Pay your invoice')],
    [
      'plans of software',
      '<p>$9 / month</p><p>$19 / month</p><p>$29 per user</p><p>$99</p>' +
        both('https://buy.stripe.com/abc', 'Buy now'),
    ],
    ['plans with a switch', `<button>Monthly</button>${prices}${both('https://buy.stripe.com/abc', 'Buy now')}`],
    ['plans with a remark', `<p>Billed annually</p>${prices}${both('https://buy.stripe.com/abc', 'Buy now')}`],
    ['tariffs in German', `<p>9 € pro Monat</p>${prices}${both('https://buy.stripe.com/abc', 'Jetzt kaufen')}`],
    ['the site of the service', prices + both('https://paystack.com/#', 'Buy')],
    ['shops of others', prices + both('https://market.example/item/', 'Buy')],
  ])('a shop that sells by links to a payment service is not a storefront by %s', (_, body) => {
    expect(statusOf(page({ body }))).toBe('not_a_storefront');
  });
});

describe('shop that an application renders', () => {
  const goods = (price = 'price:12.5') =>
    ['A1', 'A2', 'A3'].map((sku) => `{name:"Rice",sku:"${sku}",${price}}`).join(',');
  const nuxt = (state: string) => `<script>window.__NUXT__=(function(a){return {data:[${state}]}})(1)</script>`;
  const next = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
    products: ['A1', 'A2', 'A3'].map((sku) => ({ sku, price: 3 })),
  })}</script>`;

  it.each([
    ['products and the orders of the visitor', `<a href="/sales/order/history">…</a>${nuxt(goods())}`],
    ['products and a label of orders', `<a href="/x">Mis Órdenes</a>${nuxt(goods('regular_price:a'))}`],
    ['products and a button of orders', `<button>Meine Bestellungen</button>${next}`],
    ['products and a basket', `<a href="/cart">0</a>${next}`],
  ])('a shop that an application renders is a storefront by %s', (_, body) => {
    expect(statusOf(page({ body }))).toBe('active_storefront');
  });

  it.each([
    ['products alone', nuxt(goods())],
    ['orders alone', '<a href="/my-orders">My orders</a>'],
    ['products without prices', `<a href="/my-orders">My orders</a>${nuxt(goods('weight:1'))}`],
    [
      'two products',
      `<a href="/my-orders">My orders</a>${nuxt('{sku:"A1",price:1},{sku:"A1",price:2},{sku:"A2",price:1}')}`,
    ],
    ['data of another script', `<a href="/my-orders">My orders</a><script>track([${goods()}])</script>`],
    ['quoted data', `<a href="/my-orders">My orders</a><pre>window.__NUXT__=[${goods()}]</pre>`],
    ['an order of speakers', `<a href="/events/order">Order of speakers</a>${nuxt(goods())}`],
  ])('a shop that an application renders is not a storefront by %s', (_, body) => {
    expect(statusOf(page({ body }))).toBe('not_a_storefront');
  });
});
