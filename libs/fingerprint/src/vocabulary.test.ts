import { describe, expect, it } from 'vitest';
import { listingResources, presentSlug, vocabulary } from './index.ts';

describe('vocabulary', () => {
  const slugs = vocabulary.map(({ slug }) => slug);

  it('the vocabulary has unique, sorted, canonical slugs', () => {
    expect(slugs).toEqual([...new Set(slugs)].sort());
    expect(slugs.filter((slug) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug))).toEqual([]);
    expect(vocabulary.filter(({ category }) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(category))).toEqual([]);
  });

  it('the vocabulary has a name, a vendor and a website for every entry', () => {
    expect(vocabulary.filter(({ name, vendor, website }) => !name || !vendor || !URL.canParse(website))).toEqual([]);
    expect(vocabulary.filter(({ listingUrl }) => listingUrl !== null && !URL.canParse(listingUrl))).toEqual([]);
  });

  it('the vocabulary has entries for unknown values, and the platforms with their own names', () => {
    const expected = [
      'custom',
      'custom-theme',
      'shopify',
      'woocommerce',
      'magento',
      'prestashop',
      'opencart',
      'bigcommerce',
      'squarespace',
      'wix',
      'salesforce-commerce-cloud',
      'hcl-commerce',
      'sap-commerce-cloud',
      'zen-cart',
      'miva',
      'shopware',
      'dawn',
      'klaviyo',
    ];
    expect(expected.filter((slug) => !slugs.includes(slug))).toEqual([]);
    expect(vocabulary.find(({ slug }) => slug === 'shopify')).toMatchObject({
      kind: 'platform',
      category: 'ecommerce',
    });
  });

  it('the vocabulary has entries of all four kinds', () => {
    expect(new Set(vocabulary.map(({ kind }) => kind))).toEqual(new Set(['platform', 'app', 'service', 'theme']));
  });
});

describe('listingResources', () => {
  it.each([
    ['shopify', ['https://shop.example/products.json?limit=250&page=1']],
    ['woocommerce', ['https://shop.example/wp-json/wc/store/v1/products?per_page=100']],
    ['magento', []],
    ['custom', []],
  ])('listingResources returns for %s the URLs %j', (platform, urls) => {
    expect(listingResources(platform, 'https://shop.example')).toEqual(urls);
  });
});

describe('earlier slugs', () => {
  it.each([
    ['colormeshop', 'color-me-shop'],
    ['bizweb', 'sapo'],
    ['xtcommerce', 'xt-commerce'],
    ['base-ec', 'base'],
  ])('the earlier slug %s stands for %s, and only the latter is in the vocabulary', (earlier, present) => {
    expect([presentSlug(earlier), presentSlug(present)]).toEqual([present, present]);
    const slugs = vocabulary.map(({ slug }) => slug);
    expect([slugs.includes(earlier), slugs.includes(present)]).toEqual([false, true]);
  });
});
