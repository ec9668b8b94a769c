import { describe, expect, it } from 'vitest';
import { page, script } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';

/** The home page of a shop with these products and this menu. */
function industryOf(products: readonly string[], menu: readonly string[] = [], text = '', tag = 'h2'): string {
  const head = script('var wc_add_to_cart_params = {};');
  const cards = products.map(
    (name, at) =>
      `<li class="product type-product"><a href="/product/p${at}/"><${tag} class="woocommerce-loop-product__title">${name}</${tag}></a><span class="price">$18.00</span></li>`,
  );
  const nav = `<nav>${menu.map((label) => `<a href="/c/${label.toLowerCase().replace(/\W+/g, '-')}">${label}</a>`).join('')}</nav>`;
  const body = `${nav}<ul class="products">${cards.join('')}</ul>${text}<a class="add_to_cart_button" href="?add-to-cart=1">Add to cart</a>`;
  return observeStore(page({ head, body }, { url: 'https://www.oakfern.com/' })).industry.slug;
}

const openCartMenu = [
  'Desktops',
  'Laptops &amp; Notebooks',
  'Components',
  'Tablets',
  'Software',
  'Phones &amp; PDAs',
  'Cameras',
  'MP3 Players',
];
const luma = [
  'Radiant Tee',
  'Breathe-Easy Tank',
  'Argus All-Weather Tank',
  'Hero Hoodie',
  'Fusion Backpack',
  'Push It Messenger Bag',
];

describe('industry of a shop with the sample data of its platform', () => {
  it.each<[platform: string, products: string[], menu: string[]]>([
    ['WooCommerce', ['Album', 'Beanie', 'Beanie with Logo', 'Belt', 'Cap', 'Hoodie', 'Hoodie with Logo', 'Polo'], []],
    [
      'WooCommerce',
      ['Album', 'Hoodie with Zipper', 'V-Neck T-Shirt', 'WordPress Pennant'],
      ['Hoodies', 'T-shirts', 'Accessories'],
    ],
    [
      'an old WooCommerce',
      ['Happy Ninja', 'Ship Your Idea', 'Woo Logo', 'Premium Quality'],
      ['Clothing', 'T-shirts', 'Hoodies'],
    ],
    ['Magento', luma, []],
    ['Magento', luma, ["What's New", 'Women', 'Men', 'Gear', 'Training', 'Sale']],
    ['Magento', ['Helios EverCool™ Tee', 'Logan  HeatTec® Tee', 'Ryker LumaTech™ Tee (V-neck)'], []],
    ['Magento', ['Joust Duffle Bag', 'Zing Jump Rope', 'Aim Analog Watch'], ['Bags', 'Fitness Equipment', 'Watches']],
    ['PrestaShop', ['Hummingbird printed t-shirt', 'Hummingbird printed sweater', 'Mug The best is yet to come'], []],
    [
      'PrestaShop',
      [
        'Hummingbird printed t-shirt',
        'The adventure begins Framed...',
        'Mountain fox cushion',
        'Mug The adventure begins',
      ],
      ['Clothes', 'Accessories', 'Art'],
    ],
    [
      'PrestaShop 1.6',
      ['Faded Short Sleeve T-shirts', 'Blouse', 'Printed Dress', 'Printed Summer Dress'],
      ['Women', 'Dresses', 'T-shirts'],
    ],
    [
      'PrestaShop 1.6 in French',
      ['T-shirts à manches courtes délavés', 'Blouse', 'Robe imprimée', "Robe d'été imprimée"],
      [],
    ],
    ['OpenCart', ['MacBook', 'iPhone', 'Apple Cinema 30"'], []],
    [
      'OpenCart',
      ['MacBook', 'iPhone', 'Apple Cinema 30"', 'Canon EOS 5D', 'Nikon D300', 'Samsung SyncMaster 941BW'],
      openCartMenu,
    ],
  ])(
    'the industry of a shop with the sample data of its platform is unclassified: %s with %j and the menu %j',
    (_, products, menu) => {
      expect(industryOf(products, menu)).toBe('unclassified');
    },
  );

  it('the industry of a shop with the sample data of OpenCart is unclassified when it shows them in small headings', () => {
    expect(industryOf(['MacBook', 'iPhone', 'Apple Cinema 30"', 'Canon EOS 5D'], openCartMenu, '', 'h4')).toBe(
      'unclassified',
    );
  });

  it('the industry of a shop with sample data is unclassified beside the notice that the store is a demonstration', () => {
    const products = ['Example T-Shirt', 'Example Pants', 'Leather Bag'];
    const notice = '<p>This is a demo store for testing purposes — no orders shall be fulfilled.</p>';
    expect(industryOf(products)).toBe('apparel');
    expect(industryOf(products, [], notice)).toBe('unclassified');
  });

  it('the industry of a shop with sample data is unclassified when a part of the name of a sample is a word of goods', () => {
    const products = ['Hummingbird printed t-shirt', 'Hummingbird printed sweater', 'Mug The best is yet to come'];
    const link = '<a href="/6-mug.html">Mug The best is yet to come</a>';
    expect(industryOf(products, [], link)).toBe('unclassified');
  });

  it('the industry of a shop that has samples for products follows its own menu', () => {
    expect(industryOf(luma, ['Coffee beans', 'Espresso', 'Tea', 'Cold brew coffee'])).toBe('beverages');
  });
});

describe('industry of a shop whose goods have the names of samples', () => {
  it.each<[industry: string, products: string[], menu: string[]]>([
    ['apparel', ['Beanie', 'Denim jacket', 'Wool cardigan', 'Linen dress'], []],
    ['apparel', ['Hoodie', 'T-Shirt', 'Beanie', 'Cap', 'Polo'], ['Hoodies', 'T-shirts', 'Accessories']],
    ['apparel', ['Hoodie with Logo', 'Leather belt', 'Denim jacket'], []],
    [
      'apparel',
      ['Hoodie with Logo', 'T-Shirt with Logo', 'Beanie', 'Cap', 'Wolf Tour Hoodie', 'Wolf Tour T-Shirt'],
      ['Hoodies', 'T-Shirts', 'Accessories'],
    ],
    ['apparel', ['Blouse', 'Printed Dress', 'Printed Summer Dress', 'Printed Chiffon Dress'], ['Women', 'Dresses']],
    ['apparel', ['Hero Hoodie', 'Radiant Tee', 'Denim jacket', 'Linen dress'], []],
    ['electronics', ['iPhone', 'Samsung smartphone', 'Phone charger', 'Bluetooth headphones'], []],
    [
      'electronics',
      ['iPhone', 'MacBook', 'iMac', 'MacBook Air', 'MacBook Pro'],
      ['Smartphones', 'Headphones', 'Phone chargers'],
    ],
    [
      'electronics',
      ['Canon EOS 5D', 'Nikon D300', 'iPhone', 'Digital camera'],
      ['Cameras', 'Smartphones', 'Headphones'],
    ],
    ['beverages', ['Mug The adventure begins', 'Espresso beans', 'Green tea', 'Cold brew coffee'], ['Coffee', 'Tea']],
  ])(
    'the industry of a shop whose goods have the names of samples is %s with %j and the menu %j',
    (industry, products, menu) => {
      expect(industryOf(products, menu)).toBe(industry);
    },
  );
});
