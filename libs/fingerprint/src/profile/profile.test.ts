import { describe, expect, it } from 'vitest';
import { jsonLd, page, script } from '../../test/support/pages.ts';
import { observeStore, type PageInput } from '../index.ts';

const nameOf = (input: PageInput) => observeStore(input).name;
const geographyOf = (input: PageInput) => observeStore(input).geography;
const industryOf = (input: PageInput) => observeStore(input).industry;

describe('name', () => {
  it.each([
    [
      'its site name',
      { head: '<meta property="og:site_name" content="Northwind Tea"><title>x</title>' },
      'Northwind Tea',
    ],
    ['its organisation', { head: jsonLd({ '@type': 'Organization', name: 'Northwind Tea' }) }, 'Northwind Tea'],
    [
      'a name escaped twice',
      { head: '<meta property="og:site_name" content="Mom&amp;#039;s &amp;amp; Co">' },
      "Mom's & Co",
    ],
    [
      'the part of the title that the host repeats',
      { head: '<title>Fine lamps and more | Shop Example</title>' },
      'Shop Example',
    ],
    ['the first part of a title without it', { head: '<title>Northwind – Tea from the hills</title>' }, 'Northwind'],
    ['its host', {}, 'shop.example'],
  ])('is %s', (_, markup, name) => {
    expect(nameOf(page(markup))).toBe(name);
  });

  it('prefers the part of the title that also occurs in the host', () => {
    expect(
      nameOf(
        page(
          { head: '<title>Buy fine tea online | Northwind Tea</title>' },
          { url: 'https://www.northwind-tea.example/' },
        ),
      ),
    ).toBe('Northwind Tea');
  });
});

describe('geography', () => {
  const address = (addressCountry: unknown) =>
    jsonLd({ '@type': 'Organization', address: { '@type': 'PostalAddress', addressCountry } });

  it.each([
    ['DE', 'DE'],
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    [{ '@type': 'Country', name: 'United States' }, 'US'],
    ['USA', 'US'],
    ['uk', 'GB'],
    ['España', 'ES'],
  ])('with an address in %j is declared', (value, country) => {
    expect(geographyOf(page({ head: address(value) }))).toEqual({ country, basis: 'declared' });
  });

  it('with an address in the visible markup is observed', () => {
    expect(geographyOf(page({ body: '<span itemprop="addressCountry">France</span>' }))).toEqual({
      country: 'FR',
      basis: 'observed',
    });
  });

  it.each([
    ['the domain', { body: '<a href="tel:+33123456789">' }, { url: 'https://shop.de/' }, 'DE'],
    ['the phone number', { body: '<a href="tel:+33123456789">', lang: 'de' }, {}, 'FR'],
    ['a Canadian area code', { body: '<a href="tel:+1-604-555-0100">' }, {}, 'CA'],
    ['the currency', { head: '<meta property="og:price:currency" content="SEK">' }, {}, 'SE'],
    ['the language', { lang: 'pl' }, {}, 'PL'],
    ['the region of the language', { lang: 'en-NZ' }, {}, 'NZ'],
  ])('is inferred from %s', (_, markup, over, country) => {
    expect(geographyOf(page(markup, over))).toEqual({ country, basis: 'inferred' });
  });

  it.each([
    ['a fashionable country code', {}, { url: 'https://shop.io/' }],
    ['the market that a platform guessed for the visitor', { head: script('Shopify.country = "JP";') }, {}],
    ['en-US that nobody chose', { lang: 'en-US' }, {}],
    ['a free-call number', { body: '<a href="tel:+18005550100">' }, {}],
  ])('is not inferred from %s', (_, markup, over) => {
    expect(geographyOf(page(markup, over))).toEqual({ country: 'ZZ', basis: 'unknown' });
  });
});

describe('industry', () => {
  const listing = (types: string[]) => [
    {
      url: 'https://shop.example/products.json?limit=250',
      status: 200,
      headers: {},
      body: JSON.stringify({ products: types.map((product_type, id) => ({ id, product_type, variants: [] })) }),
    },
  ];

  it.each([
    ['apparel', ['Dresses', 'Jeans', 'T-Shirts', 'Hoodies']],
    ['beverages', ['Whole bean coffee', 'Espresso', 'Tea']],
    ['pets', ['Dog food', 'Cat food', 'Leashes']],
    ['jewelry-and-watches', ['Necklace', 'Earrings', 'Bracelet']],
    ['home-and-furniture', ['Sofas', 'Pillows', 'Lamps']],
  ])('is %s by the product types of the listing', (slug, types) => {
    expect(industryOf(page({}, { resources: listing(types) }))).toEqual({ slug, basis: 'classified' });
  });

  it('is the same for German and English menus', () => {
    expect(
      industryOf(
        page({
          lang: 'de',
          head: '<title>Schuhe kaufen</title>',
          body: '<nav><a href="/c/damenschuhe">Schuhe</a> <a>Sneaker</a> <a>Sandalen</a></nav><h1>Schuhe</h1>',
        }),
      ),
    ).toEqual({ slug: 'shoes', basis: 'classified' });
  });

  it('is unclassified without specific words', () => {
    expect(industryOf(page({ head: '<title>Hello</title>' }))).toEqual({ slug: 'unclassified', basis: 'unknown' });
  });
});
