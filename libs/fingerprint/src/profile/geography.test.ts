import { describe, expect, it } from 'vitest';
import { jsonLd, page, script } from '../../test/support/pages.ts';
import { observeStore, type PageInput } from '../index.ts';

const geographyOf = (input: PageInput) => observeStore(input).geography;
const address = (addressCountry: unknown, type = 'Organization') =>
  jsonLd({ '@type': type, address: { '@type': 'PostalAddress', addressCountry } });
const unknown = { country: 'ZZ', basis: 'unknown' };

describe('country in structured data', () => {
  it.each([
    ['DE', 'DE'],
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    [{ '@type': 'Country', name: 'United States' }, 'US'],
    ['USA', 'US'],
    ['uk', 'GB'],
    ['España', 'ES'],
  ])('the country %j of an address in structured data is declared', (value, country) => {
    expect(geographyOf(page({ head: address(value) }))).toEqual({ country, basis: 'declared' });
  });

  it('the country in structured data is read from region and postal code when the address has no country', () => {
    const head = jsonLd({
      '@type': 'Store',
      address: { '@type': 'PostalAddress', addressLocality: 'Salem', addressRegion: 'OR', postalCode: '97301' },
    });
    expect(geographyOf(page({ head }))).toEqual({ country: 'US', basis: 'declared' });
  });

  it('the country in structured data is unknown when addresses of the store contradict each other or belong to an event', () => {
    expect(geographyOf(page({ head: address('DE') + address('FR') }))).toEqual(unknown);
    expect(geographyOf(page({ head: address('DE', 'Event') }))).toEqual(unknown);
  });
});

describe('country in data of the platform', () => {
  const pixels = (country: string) =>
    script(
      `f({initData: {"shop":{"name":"A","paymentSettings":{"currencyCode":"USD"},"myshopifyDomain":"a.myshopify.com","countryCode":"${country}"}}});`,
    );

  it.each([
    ['the web pixels of Shopify', pixels('CA')],
    [
      'Apple Pay of Shopify',
      '<script id="apple-pay-shop-capabilities" type="application/json">{"shopId":1,"countryCode":"CA","currencyCode":"CAD"}</script>',
    ],
    ['the settings of Squarespace', script('Static.SQUARESPACE_CONTEXT = {"websiteSettings":{"country":"CA"}};')],
    [
      'the Stripe button of WooCommerce',
      script('var wc_stripe_express_checkout_params = {"checkout":{"country_code":"CA"}};'),
    ],
    [
      'the base location of WooCommerce',
      script('var wcSettings = "%22baseLocation%22%3A%7B%22country%22%3A%22CA%22";'),
    ],
    ['the settings of Tiendanube', script('LS.store = {}; LS.country = "CA";')],
  ])('the country in data of the platform decides in %s', (_, head) => {
    expect(geographyOf(page({ head, lang: 'de' }, { url: 'https://shop.de/' }))).toEqual({
      country: 'CA',
      basis: 'observed',
    });
  });

  it('the country in data of the platform is never the guess about the visitor', () => {
    expect(
      geographyOf(
        page({ head: script('Shopify.country = "JP"; Shopify.currency = {"active":"JPY","rate":"151.2"};') }),
      ),
    ).toEqual(unknown);
  });
});

describe('register numbers and postal addresses', () => {
  it.each([
    ['USt-IdNr.: DE123456789', 'DE'],
    ['Amtsgericht Köln, HRB 12345', 'DE'],
    ['UID: ATU12345678', 'AT'],
    ['CHE-123.456.789 MWST', 'CH'],
    ['TVA FR 12 345678901', 'FR'],
    ['SIRET : 123 456 789 00012', 'FR'],
    ['P.IVA 01234567890', 'IT'],
    ['CIF: B12345678', 'ES'],
    ['NIPC 501 234 567', 'PT'],
    ['Livro de Reclamações', 'PT'],
    ['KvK 12345678', 'NL'],
    ['BTW NL123456789B01', 'NL'],
    ['BTW BE 0123.456.789', 'BE'],
    ['Registered in England and Wales', 'GB'],
    ['VAT GB 123 4567 89', 'GB'],
    ['CVR-nr. 12 34 56 78', 'DK'],
    ['Org.nr 556123-4567', 'SE'],
    ['Org.nr 912 345 678 MVA', 'NO'],
    ['Y-tunnus: 1234567-8', 'FI'],
    ['NIP: 123-456-78-90', 'PL'],
    ['IČO 12345678, DIČ: CZ12345678', 'CZ'],
    ['Adószám: 12345678-1-23', 'HU'],
    ['CUI: RO12345678, J40/1234/2019', 'RO'],
    ['ЕИК 123456789', 'BG'],
    ['ИНН 7701234567', 'RU'],
    ['ЄДРПОУ 12345678', 'UA'],
    ['CNPJ 12.345.678/0001-90', 'BR'],
    ['CUIT 30-12345678-9', 'AR'],
    ['RUT: 76.123.456-7', 'CL'],
    ['NIT: 900.123.456-7', 'CO'],
    ['RUC: 20123456789', 'PE'],
    ['ABN 12 345 678 901', 'AU'],
    ['GSTIN: 27ABCDE1234F1Z5', 'IN'],
    ['Lamp Trading Sdn. Bhd.', 'MY'],
    ['特定商取引法に基づく表記', 'JP'],
    ['사업자등록번호 123-45-67890', 'KR'],
    ['京ICP备12345678号', 'CN'],
    ['統一編號 12345678', 'TW'],
    ['12 High Street, Leeds LS1 4AP', 'GB'],
    ['100 Main Street, Salem, OR 97301', 'US'],
    ['100 King Street, Toronto, ON M5V 2T6', 'CA'],
    ['1 George Street, Sydney NSW 2000', 'AU'],
    ['Kerkstraat 12, 1017 GA Amsterdam', 'NL'],
    ['12 rue Haute, 75001 Paris, France', 'FR'],
  ])('register numbers and postal addresses show the country: %s', (text, country) => {
    expect(geographyOf(page({ body: `<main>Tea</main><footer><p>${text}</p></footer>` }))).toEqual({
      country,
      basis: 'observed',
    });
  });

  it('register numbers and postal addresses are observed in the visible markup', () => {
    expect(geographyOf(page({ body: '<span itemprop="addressCountry">France</span>' }))).toEqual({
      country: 'FR',
      basis: 'observed',
    });
  });

  it.each([
    ['a list of countries to ship to', '<p>Zone 1200: Germany</p><p>Zone 1300: France</p><p>Zone 1400: Italy</p>'],
    ['the choices of a form', '<select><option>12345 Berlin, Germany</option></select>'],
    ['a table of nutrients', '<p>Calories 250, Vitamin A 1385 IU Vitamin C 12</p>'],
    ['digits without a label', '<p>Order 123456789, article 12345678</p>'],
  ])('no register number or postal address is found in %s', (_, body) => {
    expect(geographyOf(page({ body }))).toEqual(unknown);
  });
});

describe('weaker marks of a country', () => {
  it.each([
    ['the domain', {}, { url: 'https://shop.de/' }, 'DE'],
    ['a phone number', { body: '<a href="tel:+33142685300">' }, {}, 'FR'],
    ['a visible phone number', { body: '<footer>Call +48 22 695 28 14</footer>' }, {}, 'PL'],
    ['a messenger', { body: '<a href="https://wa.me/5511987651234">Chat</a>' }, {}, 'BR'],
    ['a Canadian area code', { body: '<a href="tel:+1-604-254-0180">' }, {}, 'CA'],
    ['an American area code', { body: '<p>Call us: (503) 224-1877</p>' }, {}, 'US'],
    ['the currency', { head: '<meta property="og:price:currency" content="SEK">' }, {}, 'SE'],
    ['visible prices', { body: '<p>49,90 zł</p><p>19,00 zł</p>' }, {}, 'PL'],
    ['prices in crowns of the language', { body: '<p>49 kr</p><p>199 kr</p>', lang: 'nb' }, {}, 'NO'],
    ['the origin of shipments', { body: '<p>All orders ship from New Zealand.</p>' }, {}, 'NZ'],
    ['domestic shipping', { body: '<p>Free shipping in the continental US</p>' }, {}, 'US'],
    ['an e-mail address', { body: '<p>hello@shop.cl</p>' }, {}, 'CL'],
    ['a language of one country with its currency', { lang: 'pl', body: '<p>49,90 zł</p>' }, {}, 'PL'],
    [
      'a language of one country with its time zone',
      { lang: 'pl', head: script('var a = {"timezone":"Europe/Warsaw"};') },
      {},
      'PL',
    ],
    ['a region that the store chose with its currency', { lang: 'en-NZ', body: '<p>NZ$12.00</p>' }, {}, 'NZ'],
    ['euro prices in Spanish', { lang: 'es', body: '<p>12,00 €</p><p>13,00 €</p>' }, {}, 'ES'],
    ['a free call and the hours of a time zone', { body: '<p>1-800-226-7667, 8 AM to 8 PM ET, $5</p>' }, {}, 'US'],
  ])('weaker marks of a country lead to it together or alone: %s', (_, markup, over, country) => {
    expect(geographyOf(page(markup, over))).toEqual({ country, basis: 'inferred' });
  });

  it('weaker marks of a country yield to an address: a German domain of a Dutch merchant', () => {
    const body = '<footer><p>Kerkstraat 12, 1017 GA Amsterdam</p><a href="tel:+31206221234">Tel</a></footer>';
    expect(geographyOf(page({ body, lang: 'de' }, { url: 'https://shop.de/' })).country).toBe('NL');
  });

  it.each([
    ['a fashionable country code', {}, { url: 'https://shop.io/' }],
    ['en-US that nobody chose', { lang: 'en-US', head: '<meta property="og:price:currency" content="USD">' }, {}],
    ['German, which several countries speak', { lang: 'de' }, {}],
    ['a language of one country alone', { lang: 'pl' }, {}],
    ['a region of a language alone', { lang: 'en-NZ' }, {}],
    ['de-DE, which site builders choose', { lang: 'de-DE' }, {}],
    ['Russian', { lang: 'ru' }, {}],
    ['Spanish with dollar prices', { lang: 'es', body: '<p>$ 62.595</p><p>$ 59.900</p>' }, {}],
    ['a free-call number', { body: '<a href="tel:+18002267667">' }, {}],
    ['the number of a theme', { body: '<a href="tel:+91987654321">' }, {}],
    ['euro prices', { body: '<p>12,00 €</p><p>13,00 €</p>' }, {}],
    [
      'one of several currencies that are offered',
      {
        body: '<select name="currency"><option>GBP</option><option>EUR</option></select><p>£12.00</p><p>£13.00</p>',
      },
      {},
    ],
    ['phone numbers of several countries', { body: '<p>+33 1 42 68 53 00</p><p>+48 22 695 28 14</p>' }, {}],
    [
      'one of many languages of a translated site',
      {
        lang: 'pl',
        head: ['pl', 'de', 'en'].map((code) => `<link rel="alternate" hreflang="${code}" href="/${code}">`).join(''),
      },
      {},
    ],
    [
      'a domain that contradicts the phone number',
      { body: '<a href="tel:+33142685300">' },
      { url: 'https://shop.de/' },
    ],
  ])('weaker marks of a country do not suffice: %s', (_, markup, over) => {
    expect(geographyOf(page(markup, over))).toEqual(unknown);
  });
});

describe('what a page shows of others', () => {
  it.each([
    ['the register number of a payment company', { body: '<p>Klarna Bank AB, Org.nr 556737-0431</p>' }],
    ['the register number of the hosting company', { body: '<p>Hébergeur : OVH SAS – RCS Lille 424 761 419</p>' }],
    ['a German code before a village, which is not a state', { body: '<p>Dorfstr. 1, DE 10115 Ahrensdorf</p>' }],
    ['a Brazilian postal code', { body: '<p>Florianópolis, SC 88010-000</p>' }],
    ['a number of pieces', { body: '<p>MADE IN 15000 pieces</p>' }],
    ['a date before a town in short', { body: '<p>November 2, 2023</p><p>LA Hosts the Largest Fair</p>' }],
    ['a date with its time zone', { body: '<p>Posted on February 15, 2017 PM Eastern</p>' }],
    ['a phone with its memory', { body: '<p>Galaxy S21 8GB, M10 4GB</p>' }],
    [
      'the address of a manufacturer',
      {
        head: jsonLd({
          '@type': 'Product',
          name: 'Lamp',
          manufacturer: { '@type': 'Organization', address: { '@type': 'PostalAddress', addressCountry: 'CN' } },
        }),
      },
    ],
  ])('what a page shows of others is not a sign of its country: %s', (_, markup) => {
    expect(geographyOf(page(markup))).toEqual(unknown);
  });

  it('what a page shows of others does not hide the number of the merchant beside it', () => {
    const body = '<p>USt-IdNr. DE123456789</p><p>Klarna Bank AB, Org.nr 556737-0431</p>';
    expect(geographyOf(page({ body, lang: 'de' })).country).toBe('DE');
  });
});
