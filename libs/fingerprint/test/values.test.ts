import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAtPage, observeStore } from '../src/index.ts';
import { observeLine } from '../src/observe-line.ts';
import { jsonLd, loaded, page, script, sheet } from './support/pages.ts';

/** Lines of `observe` that were written after public bug reports, with what is right. */
const folder = join(import.meta.dirname, 'values');
const version = (slug: string, version: string) => ({
  technologies: expect.arrayContaining([expect.objectContaining({ slug, version })]),
});
const right: Readonly<Record<string, unknown>> = {
  'currency-euro-sign.json': { catalog: { currency: 'EUR', price_range: { median: 45 } } },
  'currency-rmb.json': { catalog: { currency: 'CNY', price_range: { median: 45 } } },
  'currency-symbol-and-price.json': { catalog: { currency: 'EUR', price_range: { median: 45 } } },
  'geo-swedish-eur.json': { geography: { country: 'ZZ', basis: 'unknown' }, catalog: { currency: 'EUR' } },
  'price-options-from.json': { catalog: { currency: 'USD', product_count: 1, price_range: { median: 439.34 } } },
  'squarespace-selected-currency.json': { catalog: { currency: 'CAD', price_range: { median: 45 } } },
  'version-fontawesome-cdn.json': version('font-awesome', '5.15.4'),
  'version-jquery-ui-cdn.json': version('jquery-ui', '1.13.2'),
};

describe('values of the bug reports', () => {
  it('the values of the bug reports are all here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(right));
  });

  it.each(Object.entries(right))('the page of the bug report %s has the right value', (file, result) => {
    const line = JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    expect(JSON.parse(observeLine(line, 1).text)).toMatchObject(result as object);
  });
});

const catalogOf = (markup: Parameters<typeof page>[0]) => observeStore(page(markup)).catalog;
const countryOf = (markup: Parameters<typeof page>[0]) => observeStore(page(markup)).geography.country;
const offered = (offer: object) =>
  jsonLd({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Thing',
    offers: { '@type': 'Offer', ...offer },
  });
const card = (price: string, n = 1) =>
  `<article class="product-miniature js-product-miniature" data-id-product="${n}"><h2 class="product-title"><a href="/${n}-thing.html">Thing ${n}</a></h2><span class="price">${price}</span></article>`;

describe('currency that a page states', () => {
  it.each([
    ['€', 'EUR'],
    ['&euro;', 'EUR'],
    ['Euro', 'EUR'],
    ['EUR (€)', 'EUR'],
    ['eur', 'EUR'],
    ['£', 'GBP'],
    ['NT$', 'TWD'],
    ['US$', 'USD'],
    ['US Dollar', 'USD'],
    ['zł', 'PLN'],
    ['Kč', 'CZK'],
    ['руб.', 'RUB'],
    ['RUR', 'RUB'],
    ['RMB', 'CNY'],
    ['元', 'CNY'],
    ['R$', 'BRL'],
    ['₼', 'AZN'],
    ['Schweizer Franken', 'CHF'],
  ])('the stated currency %s is %s in structured data, microdata and Open Graph', (stated, currency) => {
    expect(catalogOf({ head: offered({ price: '45', priceCurrency: stated }) }).currency).toBe(currency);
    expect(
      catalogOf({
        body: `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Thing</b><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="45"><meta itemprop="priceCurrency" content="${stated}"></div></div>`,
      }).currency,
    ).toBe(currency);
    expect(
      catalogOf({
        head: `<meta property="og:type" content="product"><meta property="og:title" content="Thing"><meta property="product:price:amount" content="45"><meta property="product:price:currency" content="${stated}">`,
      }).currency,
    ).toBe(currency);
  });

  it.each(['ABC', 'BTC', 'XAU', 'HRK', 'IRT', 'USD, EUR', '$', 'kr', 'dollar', 'تومان', '€/kg'])(
    'the stated currency %s is ignored, because it has no code of ISO 4217 or several',
    (stated) => {
      expect(catalogOf({ head: offered({ price: '45', priceCurrency: stated }) })).toMatchObject({
        currency: 'XXX',
        productCount: 1,
        priceRange: { median: 45 },
      });
    },
  );

  it('a sign of several currencies stands for the one of the settings of the platform', () => {
    const head = `${offered({ price: '45', priceCurrency: '$' })}${script('var shop = {"currencyCode":"CAD"};')}`;
    expect(catalogOf({ head }).currency).toBe('CAD');
  });

  it.each([
    ['a sign in the price of structured data', { head: offered({ price: '€45,00' }) }, 'EUR'],
    ['a member of the settings', { head: script('var a = {"defaultCurrency":"NOK"};'), body: card('45,00') }, 'NOK'],
    [
      'an object of the settings',
      { head: script('var a = {currency: {id: 1, isoCode: "SEK"}};'), body: card('45,00') },
      'SEK',
    ],
    [
      'a sign in the settings',
      { head: script('var a = {"currency_format_symbol":"\\u20ac"};'), body: card('45,00') },
      'EUR',
    ],
    [
      'the form of prices',
      { head: script('var a = {"money_format":"{{amount}} z\\u0142"};'), body: card('45,00') },
      'PLN',
    ],
  ])('the currency that a page states is read from %s', (_, markup, currency) => {
    expect(catalogOf(markup).currency).toBe(currency);
  });

  it('the currency that a page states is read from the attributes of the page', () => {
    const html = page({ body: card('45,00') }).html.replace('<body>', '<body data-shop-currency="SEK">');
    expect(observeStore({ ...page({}), html }).catalog.currency).toBe('SEK');
  });

  it('the currency that a page states is not a currency of a visitor', () => {
    const head = script('var a = {"visitorCurrency":"NOK"};');
    expect(catalogOf({ head, body: card('45,00') }).currency).toBe('XXX');
  });
});

describe('lowest of several prices', () => {
  it.each([
    ['4 options from $439.34', 439.34],
    ['12 colors from $5', 5],
    ['From $10.00', 10],
    ['ab 19,90 €', 19.9],
    ['3 Varianten ab 19,90 €', 19.9],
    ['8 Größen ab EUR 12,95', 12.95],
    ['à partir de 12,50 €', 12.5],
    ['Desde 1.299,00 €', 1299],
    ['4 warianty od 49,99 zł', 49.99],
    ['vanaf € 9,95', 9.95],
    ['от 1 200 ₽', 1200],
    ['$12.00 – 3 options', 12],
  ])('the price %s is %d', (text, median) => {
    expect(catalogOf({ body: card(text) })).toMatchObject({ productCount: 1, priceRange: { median } });
  });

  it.each([
    'Price on request',
    '4 options',
    'ab 5 Stück 9,90 € statt 12,90 €',
    '3 for 2 from 5 shops',
    'Save $5 from $20',
  ])('the text %s is not a price: the product counts, and the catalogue has no prices', (text) => {
    expect(catalogOf({ head: script('var a = {"currency":"USD"};'), body: card(text) })).toMatchObject({
      productCount: 1,
      currency: 'XXX',
      priceRange: { p25: 0, median: 0, p75: 0 },
    });
  });

  it('a price that nobody can read is left out of the median and the quartiles', () => {
    const body = [card('$10.00', 1), card('Price on request', 2), card('$30.00', 3), card('4 options', 4)].join('');
    const { productCount, priceRange } = catalogOf({
      head: jsonLd(
        [1, 2, 3, 4].map((n) => ({
          '@type': 'Product',
          name: `Thing ${n}`,
          url: `/${n}-thing.html`,
          offers: { priceCurrency: 'USD', price: [0, '10.00', 'on request', '30.00', ''][n] },
        })),
      ),
      body,
    });
    expect({ productCount, ...priceRange }).toEqual({ productCount: 4, p25: 15, median: 20, p75: 25 });
  });

  it('a product with words in place of its price is counted without structured data, too', () => {
    const priced = card('$10.00', 1) + card('$30.00', 2);
    expect(catalogOf({ body: priced + card('Price on request', 3) })).toMatchObject({
      productCount: 3,
      priceRange: { p25: 15, median: 20, p75: 25 },
    });
    expect(catalogOf({ body: priced + card('', 3) }).productCount).toBe(2);
  });
});

describe('language and currency', () => {
  it.each([
    ['sv', '10,00 €'],
    ['sv', 'US$ 10.00'],
    ['da', '10 zł'],
    ['pl', '10,00 €'],
    ['fi', '£10.00'],
    ['sv', ''],
    ['fi', ''],
    ['en-AU', ''],
  ])('language and currency give no country when they disagree, or alone: %s and "%s"', (lang, price) => {
    expect(countryOf({ lang, body: price ? card(price) : '<p>Hej</p>' })).toBe('ZZ');
  });

  it.each([
    ['sv', '10 kr', 'SE'],
    ['fi', '10,00 €', 'FI'],
    ['pl', '10 zł', 'PL'],
    ['es', '10,00 €', 'ES'],
    ['en-AU', 'A$10.00', 'AU'],
  ])('language and currency give a country when they agree: %s and "%s"', (lang, price, country) => {
    expect(countryOf({ lang, body: card(price) + card(price, 2) })).toBe(country);
  });

  it.each([
    ['de', '10,00 £'],
    ['de', '10,00 zł'],
    ['fr', '£10.00'],
    ['nl', '£10.00'],
    ['pt', '£10.00'],
    ['zh', '¥10円'],
  ])(
    'language and currency give no country when several countries have the language and none the currency: %s and "%s"',
    (lang, price) => {
      expect(countryOf({ lang, body: card(price) + card(price, 2) })).toBe('ZZ');
    },
  );

  it('language and currency give the country of the money where one of the countries of the language has it', () => {
    expect(countryOf({ lang: 'de', body: card('CHF 10.00') + card('CHF 12.00', 2) })).toBe('CH');
  });

  it('language and currency leave the decision to other marks of the country', () => {
    const body = `${card('10,00 €')}<footer><p>Mannerheimintie 5, 00100 Helsinki</p><a href="tel:+358941234567">Ring</a></footer>`;
    expect(countryOf({ lang: 'sv', body })).toBe('FI');
  });
});

describe('place without a code in a source', () => {
  it.each([
    ['its number', '<a href="tel:+38344225588">Telefoni</a>'],
    ['its number before it had a code', '<a href="tel:+38138225588">Telefoni</a>'],
    ['its number at the network of a neighbour', '<a href="tel:+38649225588">Telefoni</a>'],
    ['its address', '<footer><p>Rruga Nënë Tereza 12, 10000 Prishtinë</p></footer>'],
    ['its name below an address', '<footer><p>Rruga B 12, 10000 Prishtinë, Kosovë</p></footer>'],
    [
      'the address in structured data',
      jsonLd({ '@type': 'Store', address: { '@type': 'PostalAddress', addressCountry: 'Kosovo' } }),
    ],
    [
      'the code in structured data',
      jsonLd({ '@type': 'Store', address: { '@type': 'PostalAddress', addressCountry: 'XK' } }),
    ],
  ])('a place without a code in a source never gets that of its neighbour: %s is XK', (_, body) => {
    expect(countryOf({ body })).toBe('XK');
  });

  it('Serbia, Monaco and Slovenia keep their phone numbers beside Kosovo', () => {
    expect(
      ['+381112255880', '+37793225588', '+38614225588'].map((number) =>
        countryOf({ body: `<a href="tel:${number}">` }),
      ),
    ).toEqual(['RS', 'MC', 'SI']);
  });
});

describe('version in the address of a library', () => {
  const versionOf = (slug: string, url: string) =>
    observeStore(page({ head: /\.css$/.test(url) ? sheet(url) : loaded(url) })).technologies.find(
      (one) => one.slug === slug,
    )?.version;

  it.each([
    ['font-awesome', '6.4.0', 'https://ka-f.fontawesome.com/releases/v6.4.0/css/free.min.css'],
    ['font-awesome', '5.8.1', 'https://use.fontawesome.com/releases/v5.8.1/js/all.js'],
    ['jquery-ui', '1.12.1', '//code.jquery.com/ui/1.12.1/themes/base/jquery-ui.css'],
    ['jquery-mobile', '1.4.5', 'https://code.jquery.com/mobile/1.4.5/jquery.mobile-1.4.5.min.js'],
    ['highcharts', '11.4.8', 'https://code.highcharts.com/stock/11.4.8/highstock.js'],
    ['angularjs', '1.8.2', 'https://code.angularjs.org/1.8.2/angular.min.js'],
    ['ckeditor', '4.22.1', 'https://cdn.ckeditor.com/4.22.1/standard/ckeditor.js'],
    ['datatables', '1.13.6', 'https://cdn.datatables.net/1.13.6/js/jquery.dataTables.min.js'],
    ['datatables', '1.10.20', 'https://cdn.datatables.net/v/dt/dt-1.10.20/datatables.min.js'],
    ['videojs', '7.20.3', 'https://vjs.zencdn.net/7.20.3/video.min.js'],
    ['sentry', '7.64.0', 'https://browser.sentry-cdn.com/7.64.0/bundle.min.js'],
    ['firebase', '9.6.1', 'https://www.gstatic.com/firebasejs/9.6.1/firebase-app.js'],
    ['tailwind-css', '3.4.1', 'https://cdn.tailwindcss.com/3.4.1'],
    ['jquery', '2.1.4', 'https://libs.baidu.com/jquery/2.1.4/jquery.min.js'],
  ])(
    "the version in the address of a library is that of the folder on the vendor's and on public hosts: %s %s",
    (slug, version, url) => {
      expect(versionOf(slug, url)).toBe(version);
    },
  );

  it.each([
    ['font-awesome', 'https://use.fontawesome.com/releases/latest/css/all.css'],
    ['font-awesome', 'https://use.fontawesome.com/1e2f3a4b5c.js?v=5.15.4'],
    ['jquery-ui', 'https://code.jquery.com/ui/jquery-ui-git.js'],
    ['highcharts', 'https://code.highcharts.com/highcharts.js?1.2.3'],
    ['tailwind-css', 'https://cdn.tailwindcss.com/?plugins=forms@0.5.3'],
  ])('the version of %s is none where the address of the library has none: %s', (slug, url) => {
    expect(versionOf(slug, url)).toBeUndefined();
  });

  it('the version in the address of a library is none where two copies of the library disagree', () => {
    const head = ['5.15.4', '6.4.0'].map((number) =>
      sheet(`https://use.fontawesome.com/releases/v${number}/css/all.css`),
    );
    const technologies = observeStore(page({ head: head.join('') })).technologies;
    expect(technologies.find(({ slug }) => slug === 'font-awesome')?.version).toBeUndefined();
  });
});

describe('page of a registrar', () => {
  const stateOf = (html: string, over: object = {}) =>
    lookAtPage({ url: 'https://oldshop.example/', status: 200, headers: {}, html, ...over }).seen?.status.state;

  it.each([
    ['a broker to which the domain leads', 'https://www.hugedomains.com/domain_profile.cfm?d=oldshop.example'],
    ['a marketplace of a registrar', 'https://www.afternic.com/forsale/oldshop.example'],
  ])('the page of a registrar is parked: %s', (_, url) => {
    const html = '<title>Premium domains</title><h1>oldshop.example</h1><p>Buy now, or pay in months.</p>';
    expect(stateOf(html, { url, requestedHost: 'oldshop.example' })).toBe('parked');
    expect(stateOf(html, { url, requestedHost: new URL(url).hostname })).not.toBe('parked');
    expect(stateOf(html, { url: 'https://newshop.example/', requestedHost: 'oldshop.example' })).toBe('redirected');
  });

  it('a page with a basket of its own that speaks of domains is not parked', () => {
    const says = '<title>Tea</title><h1>Tea</h1><p>This domain was registered in 1999, and we sell tea since then.</p>';
    const basket = '<form action="/cart/add"><button>Add to cart</button></form>';
    const atBroker = '<form action="https://broker.example/cart/add"><button>Buy now</button></form>';
    expect(stateOf(says + basket)).not.toBe('parked');
    expect(stateOf(says + atBroker)).toBe('parked');
  });

  it('the page of a registrar is parked if an application of the registrar renders it and no application of the site does', () => {
    const lander = '<script src="https://img1.wsimg.com/parking-lander/static/js/main.js"></script>';
    const shell = (scripts: string) => `<title>oldshop.example</title>${scripts}<div id="root"></div>`;
    expect(stateOf(shell(lander))).toBe('parked');
    expect(stateOf(shell(`${lander}<script src="/assets/app.js"></script>`))).toBe('not_a_storefront');
  });

  it.each([
    'We register your domain at Namecheap or Porkbun and park it until launch.',
    'My old domain was registered with GoDaddy; domains parked by registrars show advertisements.',
    'Your car is parked by our staff at Leeds station.',
    'Hosted by one.com. Contact us for moorings.',
    'Der Verein ist beim Amtsgericht registriert.',
  ])('a small page that speaks of registrars and parking is not parked: %s', (text) => {
    expect(stateOf(`<title>Hafen</title><h1>Hafen</h1><p>${text}</p><a href="/news">News</a>`)).toBe(
      'not_a_storefront',
    );
  });
});
