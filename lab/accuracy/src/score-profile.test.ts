import type { Catalog } from '@shopscope/fingerprint';
import { describe, expect, it } from 'vitest';
import type { Label } from './labels.ts';
import {
  isWritten,
  judgeCatalog,
  judgeCountry,
  judgeIndustry,
  judgeName,
  judgePlatform,
  judgeStatus,
  judgeVersions,
} from './score-profile.ts';

describe('score of a name', () => {
  const label = { value: 'Käthe & Söhne', also: ['Kaethe'] };
  it.each([
    ['KÄTHE & SÖHNE', 'right'],
    ['Kathe Sohne', 'right'],
    ['kaethe', 'right'],
    ['Käthe', 'wrong'],
    ['kaethe-shop', 'unknown'],
    ['www.kaethe-shop.co.uk', 'unknown'],
    ['kaethe-shop.co.uk', 'unknown'],
    ['', 'unknown'],
  ])('the name "%s" is scored as %s', (name, outcome) => {
    expect(judgeName({ name, nameBasis: 'observed' }, label, 'www.kaethe-shop.co.uk').outcome).toBe(outcome);
  });

  it('a domain is scored as right when it is the name', () => {
    expect(
      judgeName({ name: 'Teapot', nameBasis: 'domain' }, { value: 'teapot', also: [] }, 'teapot.example').outcome,
    ).toBe('right');
  });

  it('a name that the observation calls the domain is scored as unknown', () => {
    expect(judgeName({ name: 'unknown', nameBasis: 'domain' }, label, 'saved-page.html').outcome).toBe('unknown');
  });

  it('a name is scored as wrong on a page that shows none', () => {
    expect(
      judgeName({ name: 'Home', nameBasis: 'observed' }, { value: null, also: [] }, 'teapot.example').outcome,
    ).toBe('wrong');
  });
});

describe('score of country, industry, status and platform', () => {
  it.each([
    ['SE', { value: 'SE', sure: true }, 'right', undefined],
    ['ZZ', { value: 'SE', sure: true }, 'unknown', undefined],
    ['NO', { value: 'SE', sure: true }, 'wrong', undefined],
    ['NO', { value: 'SE', sure: false }, 'right', true],
    ['NO', { value: null, sure: false }, 'wrong', undefined],
    ['ZZ', { value: null, sure: false }, 'unknown', undefined],
  ])('the country %s with the label %o is scored as %s', (country, label, outcome, unsure) => {
    const judged = judgeCountry(country, label);
    expect([judged.outcome, judged.unsure]).toEqual([outcome, unsure]);
  });

  it.each([
    ['food', { value: 'food', also: [] }, 'right'],
    ['garden', { value: 'food', also: ['garden'] }, 'right'],
    ['pets', { value: 'food', also: ['garden'] }, 'wrong'],
    ['unclassified', { value: 'food', also: [] }, 'unknown'],
    ['unclassified', { value: null, also: [] }, 'unknown'],
    ['food', { value: null, also: [] }, 'wrong'],
  ])('the industry %s with the label %o is scored as %s', (slug, label, outcome) => {
    expect(judgeIndustry(slug, label).outcome).toBe(outcome);
  });

  it.each([
    ['active_storefront', { value: 'active_storefront', sure: true }, 'right', undefined],
    ['not_a_storefront', { value: 'active_storefront', sure: true }, 'wrong', undefined],
    ['not_a_storefront', { value: 'active_storefront', sure: false }, 'right', true],
    ['closed', { value: 'active_storefront', sure: false }, 'wrong', undefined],
  ])('the status %s with the label %o is scored as %s', (state, label, outcome, unsure) => {
    const judged = judgeStatus(state, label);
    expect([judged.outcome, judged.unsure]).toEqual([outcome, unsure]);
  });

  it.each([
    ['shopify', 'shopify', 'right'],
    ['custom', null, 'right'],
    ['custom', 'shopify', 'unknown'],
    ['wix', 'shopify', 'wrong'],
    ['shopify', null, 'wrong'],
  ])('the platform %s of a page of %s is scored as %s', (slug, expected, outcome) => {
    expect(judgePlatform(slug, expected).outcome).toBe(outcome);
  });
});

describe('score of versions', () => {
  it('the score of versions judges each stated version that the readers looked for, and counts a missing one as unknown', () => {
    const stated = [
      { slug: 'jquery', version: '1.8.3' },
      { slug: 'wordpress', version: '20240101' },
      { slug: 'slick' },
      { slug: 'vue', version: '3.4.1' },
      { slug: 'unread', version: '1.2.3' },
    ];
    const label = [
      { slug: 'jquery', version: '1.8.3' },
      { slug: 'jquery', version: '3.6.0' },
      { slug: 'wordpress', version: '6.4' },
      { slug: 'slick', version: 'v1.9.0' },
    ];
    expect(judgeVersions(stated, label, new Set(['jquery', 'wordpress', 'slick', 'vue']))).toEqual([
      { outcome: 'right', said: 'jquery 1.8.3', label: '1.8.3, 3.6.0' },
      { outcome: 'wrong', said: 'wordpress 20240101', label: '6.4' },
      { outcome: 'wrong', said: 'vue 3.4.1', label: '' },
      { outcome: 'unknown', said: 'slick', label: 'v1.9.0' },
    ]);
  });

  it('a leading v is no difference between versions', () => {
    const [stated, label] = [[{ slug: 'slick', version: '1.9.0' }], [{ slug: 'slick', version: 'v1.9.0' }]];
    const [judged] = judgeVersions(stated, label, new Set(['slick']));
    expect(judged?.outcome).toBe('right');
  });
});

describe('score of a catalogue', () => {
  const label = (products: Partial<Label['products']>, page_kind = 'category') =>
    ({ page_kind, products: { listed: 3, currency: 'EUR', lowest: '10.00', highest: '30.00', ...products } }) as Label;
  const catalog = (over: Partial<Catalog> & { prices?: [number, number, number] }): Catalog => {
    const { prices: [p25, median, p75] = [10, 20, 30], ...rest } = over;
    return {
      coverage: 'first_page',
      productCount: 3,
      availableCount: null,
      currency: 'EUR',
      priceRange: { p25, median, p75 },
      ...rest,
    };
  };
  const none: [number, number, number] = [0, 0, 0];
  const noPrice = { currency: null, lowest: null, highest: null };

  it.each<[string, Catalog, Label, string]>([
    ['all as labelled', catalog({}), label({}), 'right'],
    ['no catalogue', catalog({ coverage: 'none', productCount: 0, prices: none }), label({}), 'unknown'],
    ['a part of the products', catalog({ productCount: 2 }), label({}), 'right'],
    ['a part of the products as the whole', catalog({ productCount: 2, coverage: 'full' }), label({}), 'wrong'],
    ['a product counted twice', catalog({ productCount: 4 }), label({}), 'wrong'],
    ['another currency', catalog({ currency: 'USD' }), label({}), 'wrong'],
    ['no currency and no price', catalog({ currency: 'XXX', prices: none }), label({}), 'right'],
    ['a wrong decimal mark', catalog({ prices: [10, 20, 3000] }), label({}), 'wrong'],
    ['a currency where no price is shown', catalog({ prices: none }), label(noPrice), 'right'],
    ['a price where none is shown', catalog({}), label(noPrice), 'wrong'],
    ['products where none are shown', catalog({ prices: none }), label({ listed: 0, ...noPrice }), 'wrong'],
    ['a cheaper price on a listing page', catalog({ prices: [8, 20, 30] }), label({}), 'wrong'],
  ])('the score of a catalogue compares it with its label: %s', (_, observed, expected, outcome) => {
    expect(judgeCatalog(observed, expected, 'also 8.00').outcome).toBe(outcome);
  });

  it.each([
    [8, 'right'],
    [9, 'wrong'],
    [1, 'wrong'],
    [10.01, 'wrong'],
  ])('the price %d of a product page is scored as %s when the page has variants of 8.00 and 1.00', (price, outcome) => {
    const product = label({ listed: 1, highest: '10.00' }, 'product');
    const observed = catalog({ productCount: 1, prices: [price, price, price] });
    expect(judgeCatalog(observed, product, '{"variants":[{"price":800},{"price":"1.00"}]}').outcome).toBe(outcome);
  });

  it('the score of a catalogue says whether the number of products is exact', () => {
    expect(judgeCatalog(catalog({}), label({}), '').exact).toBe(true);
    expect(judgeCatalog(catalog({ productCount: 2 }), label({}), '').exact).toBe(false);
  });

  it.each([
    [1299.5, '1.299,50 €'],
    [1299.5, '"price":129950'],
    [1299.5, '1,299.5'],
    [12, '"12"'],
    [12, '12.0'],
    [12, '12,00'],
  ])('the number %d is written in: %s', (price, html) => {
    expect(isWritten(price, html)).toBe(true);
  });

  it.each([
    [12, '112'],
    [12, '12.5'],
    [12, '3.12'],
    [1299.5, '1299.55'],
    [1299.5, '12995'],
  ])('the number %d is not written in: %s', (price, html) => {
    expect(isWritten(price, html)).toBe(false);
  });
});
