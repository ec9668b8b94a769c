import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAtPage, type PageInput } from '../src/index.ts';
import { loaded, page, script, sheet } from './support/pages.ts';

/** Pages that were written after public bug reports, with what is right. */
const folder = join(import.meta.dirname, 'platform-cases');
const runs = (slug: string, state = 'active_storefront') => ({ platform: { slug }, status: { state } });
const none = runs('custom', 'not_a_storefront');
const right: Readonly<Record<string, object>> = {
  'bigcommerce-catalyst-meta.json': runs('bigcommerce'),
  'bitrix-shop.json': runs('1c-bitrix'),
  'drupal-commerce-1.json': runs('drupal-commerce'),
  'ecwid-embedded-status.json': runs('ecwid'),
  'foreign-magento-static.json': none,
  'foreign-prestashop-module.json': none,
  'foreign-wp-content-script.json': none,
  'hikashop-1.json': runs('hikashop'),
  'hostinger-store.json': runs('hostinger-website-builder'),
  'jimdo-shop-1.json': runs('jimdo'),
  'magento-pwa-studio-data-attributes.json': runs('magento'),
  'medusa-starter.json': runs('medusa'),
  'modified-comment-and-generator.json': runs('modified'),
  'plentymarkets-ceres-assets.json': runs('plentymarkets'),
  'sap-spartacus-shell.json': runs('sap-commerce-cloud'),
  'sfcc-affiliate-image.html': none,
  'shopbase.json': runs('shopbase'),
  'thirtybees-1.json': runs('thirty-bees'),
  'virtuemart-1.json': runs('virtuemart'),
  'webasyst-shop-script.json': runs('webasyst-shop-script'),
  'webflow-ecommerce-1.json': runs('webflow'),
  'xtcmodified-generator.json': runs('modified'),
  'xtcommerce-6.json': runs('xt-commerce'),
};

function read(file: string): PageInput {
  const text = readFileSync(join(folder, file), 'utf8');
  if (file.endsWith('.html')) return { url: '', status: 200, headers: {}, html: text };
  const { body, ...answer } = JSON.parse(text);
  return { ...answer, html: body };
}

const seen = (input: PageInput) => lookAtPage(input).seen;
const platformOf = (input: PageInput) => seen(input)?.platform.slug;
const technologies = (input: PageInput) => seen(input)?.technologies.map(({ slug }) => slug) ?? [];

describe('platforms of the bug reports', () => {
  it('the platforms of the bug reports are all here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(right));
  });

  it.each(Object.entries(right))('the page of the bug report %s has the right platform and status', (file, result) => {
    expect(seen(read(file))).toMatchObject(result);
  });
});

describe('paths of a platform', () => {
  const magento = 'static/version1700000000/frontend/Magento/luma/en_US/requirejs/require.js';
  const plugin = 'wp-content/plugins/contact-form-7/includes/js/index.js';

  it.each([
    ['a path', `/${magento}`],
    ['the host of the page', `https://shop.example/${magento}`],
    ['a host of its domain', `https://static.shop.example/${magento}`],
    ['a host of its name', `https://shop-cdn.com/${magento}`],
    ['a network that delivers files of any site', `https://d1a2b3.cloudfront.net/${magento}`],
  ])('a path of a platform counts on %s', (_, url) => {
    expect(platformOf(page({ head: loaded(url) }))).toBe('magento');
  });

  it.each([
    ['a script', loaded(`https://partner.example/${magento}`)],
    ['a style sheet', sheet('https://partner.example/themes/Frontend/Responsive/all.css')],
    [
      'a picture',
      '<img src="https://partner.example/media/catalog/product/cache/0123456789abcdef0123456789abcdef/a.jpg">',
    ],
    ['an address in code', script('var picture = "https://partner.example/on/demandware.static/a.jpg";')],
    [
      'a script that code loads',
      script('s.src = "https://partner.example/wp-content/plugins/woocommerce/assets/js/frontend/add-to-cart.js";'),
    ],
    [
      'a picture of a style element',
      '<style>p{background:url(https://partner.example/wp-content/plugins/woocommerce/assets/images/a.svg)}</style>',
    ],
  ])('a path of a platform does not count on another site: %s', (_, head) => {
    expect(seen(page({ head, body: '<h1>A clinic for cats</h1>' }))).toMatchObject(none);
  });

  it('a plugin of another site is none of the page, which may have the same system', () => {
    const generator = '<meta name="generator" content="WordPress 6.8">';
    expect(technologies(page({ head: generator + loaded(`/${plugin}`) }))).toContain('contact-form-7');
    expect(technologies(page({ head: generator + loaded(`https://partner.example/${plugin}`) }))).not.toContain(
      'contact-form-7',
    );
    const named = (url: string) => technologies(page({ head: generator + script(`var file = "${url}";`) }));
    expect(named(`https://shop.example/${plugin}`)).toContain('contact-form-7');
    expect(named(`https:\\/\\/partner.example\\/${plugin.replaceAll('/', '\\/')}`)).not.toContain('contact-form-7');
  });

  it('two traces in one address count once', () => {
    const image = (path: string) => `<img src="${path}">`;
    const both = image('/dw/image/v2/ABCD_PRD/on/demandware.static/-/Sites-a/a.jpg');
    expect(platformOf(page({ body: both }))).toBe('custom');
    const apart = image('/dw/image/v2/ABCD_PRD/a.jpg') + image('/on/demandware.static/-/Sites-a/b.jpg');
    expect(platformOf(page({ body: apart }))).toBe('salesforce-commerce-cloud');
  });
});

describe('statements of a page', () => {
  const prestashop =
    script('var static_token = "a"; var priceDisplayPrecision = 2;') + loaded('/modules/blockcart/ajax-cart.js');
  const magento = loaded('/js/varien/js.js') + sheet('/skin/frontend/base/default/css/styles.css');
  const generator = (content: string) => `<meta name="generator" content="${content}">`;

  it.each([
    ['thirty-bees', prestashop, generator('thirty bees'), {}],
    ['thirty-bees', prestashop, '', { 'powered-by': 'thirty bees' }],
    ['thirty-bees', prestashop, '', { 'x-powered-by': 'thirty bees' }],
    ['openmage', magento, generator('OpenMage LTS'), {}],
    ['mage-os', magento, generator('Mage-OS'), {}],
    ['maho', magento, generator('Maho'), {}],
    ['maho', magento, loaded('/js/maho-load-on-intent.js'), {}],
    ['prestashop', prestashop, '', {}],
    ['magento', magento, '', {}],
  ])(
    'a page that states its platform is of that platform, over traces of the predecessor: %s',
    (slug, traces, statement, headers) => {
      expect(platformOf(page({ head: traces + statement }, { headers }))).toBe(slug);
    },
  );
});

describe('shops within another site', () => {
  const text = `<h1>Notes on clay</h1><p>${'We dig the clay ourselves and fire it twice a year. '.repeat(12)}</p>`;

  it.each([
    ['Ecwid', `${loaded('https://app.ecwid.com/script.js?1')}<div id="my-store-1"></div>`],
    [
      'Snipcart',
      `${loaded('https://cdn.snipcart.com/themes/v3.0/default/snipcart.js')}<button class="snipcart-add-item">Mug</button>`,
    ],
    [
      'the Buy Button of Shopify',
      loaded('https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js') +
        script('ShopifyBuy.UI.onReady(client).then(function (ui) { ui.createComponent("product", {id: 1}); });'),
    ],
  ])('a site with a shop by %s is an active storefront', (_, embed) => {
    expect(seen(page({ body: text + embed }))?.status.state).toBe('active_storefront');
  });

  it.each([
    ['the script of Ecwid', loaded('https://app.ecwid.com/script.js?1')],
    [
      'the library of the Buy Button',
      loaded('https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js'),
    ],
    [
      'an element with the name of an embed',
      '<button class="snipcart-add-item">Mug</button>'.replace('snipcart', 'snip'),
    ],
  ])('a site with %s alone is not a storefront', (_, embed) => {
    expect(seen(page({ body: text + embed }))?.status.state).toBe('not_a_storefront');
  });

  it('a page with text and without any sign of a shop is not a storefront because of one kind of trace of a platform', () => {
    const trace = '<script src="/wa-apps/shop/js/a.js"></script>';
    expect(seen(page({ body: text + trace }))).toMatchObject(runs('webasyst-shop-script', 'not_a_storefront'));
    expect(seen(page({ body: `${text + trace}<a href="/cart/">Cart</a>` }))?.status.state).toBe('active_storefront');
  });
});
