import { describe, expect, it } from 'vitest';
import { jsonLd, loaded, page, script, sheet, storefronts } from '../test/support/pages.ts';
import { Engine } from './engine/detect.ts';
import { plainLiteral } from './engine/required-literals.ts';
import { observeStore, vocabulary } from './index.ts';
import { readEvidence } from './page/evidence.ts';
import { rules } from './rules/index.ts';

const platformOf = (input: Parameters<typeof observeStore>[0]) => observeStore(input).platform.slug;
const technology = (input: Parameters<typeof observeStore>[0], slug: string) =>
  observeStore(input).technologies.find((one) => one.slug === slug);

describe('platform', () => {
  it.each(Object.entries(storefronts))('the platform %s is detected by the traces of its storefront', (name, input) => {
    const { platform, technologies } = observeStore(input);
    expect(platform.slug).toBe(name.replace(/ [\d.]+$/, ''));
    expect(technologies.map(({ slug }) => slug)).toContain(platform.slug);
  });

  it('two independent families of evidence give high confidence, one gives medium', () => {
    expect(observeStore(page({ head: script('Shopify.shop = "a.myshopify.com";') })).platform.confidence).toBe(
      'medium',
    );
    expect(observeStore(storefronts.shopify ?? page({})).platform.confidence).toBe('high');
  });

  it('a page of no known platform has the platform custom with low confidence', () => {
    expect(observeStore(page({ body: 'hello' })).platform).toEqual({
      slug: 'custom',
      name: 'Custom',
      confidence: 'low',
    });
  });

  it.each([
    ['a link to a hosted shop', '<a href="https://example.myshopify.com/collections/all">our shop</a>'],
    [
      'an agency that writes about platforms',
      '<h1>Shopify agency</h1><p>We build Shopify, Magento, WooCommerce and PrestaShop stores. BigCommerce Partner.</p><img alt="Shopify Plus partner" src="/img/shopify-partner.png">',
    ],
    [
      'a code sample',
      '<pre><code>Shopify.theme = {"name":"Dawn"}; &lt;script src="https://cdn.shopify.com/shopifycloud/shopify/x.js"&gt;</code></pre>',
    ],
    [
      'a headless store with images of a platform',
      '<img src="https://cdn.shopify.com/s/files/1/0001/0002/products/a.jpg"><img src="https://other.example/cdn/shop/files/b.jpg">',
    ],
    [
      'an article about a platform that a framework carries as data',
      String.raw`<script>self.__next_f.push([1,"<code>Shopify.theme = {\"name\":\"Dawn\"};\nShopify.shop = \"a\""])</script>`,
    ],
    [
      'an embedded buy button',
      '<script src="https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js"></script>',
    ],
    [
      'images of another store',
      '<img src="https://brand.example/media/catalog/product/a/b/c.jpg"><img src="https://brand.example/dw/image/v2/ABCD_PRD/x.jpg"><img src="https://static.wixstatic.com/media/x.png">',
    ],
    [
      'links to another store',
      '<a href="https://brand.example/index.php?route=product/product&product_id=4">x</a><a href="https://brand.example/on/demandware.store/Sites-A-Site/en/Home-Show">y</a><a href="https://brand.example/mm5/merchant.mvc?Screen=PROD">z</a>',
    ],
    [
      'similar names',
      '<script>var bcData = {}; var shopify = "no"; var mage = 1; window.wixy = 2; var prestashopper = {};</script>',
    ],
    ['a comment in a template', '<!-- TODO migrate from Shopify to WooCommerce; catalog/view was OpenCart -->'],
    ['a theme for shops without a shop', '<link rel="stylesheet" href="/wp-content/themes/demo/woocommerce.css">'],
  ])('%s is not evidence of a platform', (_, body) => {
    expect(platformOf(page({ body }))).toBe('custom');
  });
});

/** Completes the part of an address that a rule states: from a slash, from the end of a host, from a host or from a path. */
function urlOf(part: string): string {
  if (part.startsWith('//')) return `https:${part}`;
  if (part.startsWith('.')) return `https://a${part}`;
  return /^[\w-]+(?:\.[\w-]+)+\//.test(part) ? `https://${part}` : `https://shop.example/${part.replace(/^\//, '')}`;
}

describe('technologies', () => {
  it('a loaded script gives active; an announced script or an inline key gives configured', () => {
    expect(
      technology(page({ head: loaded('https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=A') }), 'klaviyo'),
    ).toMatchObject({ installState: 'active', confidence: 'medium', kind: 'service' });
    expect(
      technology(page({ head: '<link rel="preload" as="script" href="https://cdn.judge.me/a.js">' }), 'judge-me'),
    ).toMatchObject({ installState: 'configured', confidence: 'low' });
    expect(technology(page({ head: script('window._learnq = window._learnq || [];') }), 'klaviyo')).toMatchObject({
      installState: 'configured',
    });
  });

  it("scripts of Shopify's app list are detected, with their escapes decoded", () => {
    const list = script(
      '(function(){ function asyncLoad() { var urls = ["https:\\/\\/loox.io\\/widget\\/abc\\/loox.1.js?shop=a.myshopify.com","https:\\/\\/cdn.judge.me\\/widget_preloader.js?shop=a"]; } })();',
    );
    const slugs = observeStore(page({ head: list })).technologies;
    expect(
      slugs.filter(({ slug }) => slug === 'loox' || slug === 'judge-me').map(({ installState }) => installState),
    ).toEqual(['active', 'active']);
  });

  it('a missing requirement removes a technology, and an implied technology has low confidence', () => {
    const woo = observeStore(storefronts.woocommerce ?? page({})).technologies;
    expect(woo.find(({ slug }) => slug === 'wordpress')).toBeDefined();
    expect(woo.find(({ slug }) => slug === 'php')?.confidence).toBe('low');
    expect(technology(page({ head: script('var wpmm_vars = {};') }), 'wp-maintenance-mode')).toBeUndefined();
  });

  it('a version comes from the URL of a script', () => {
    expect(technology(storefronts.woocommerce ?? page({}), 'woocommerce')?.version).toBe('9.1.2');
  });

  it('every detected technology is in the vocabulary, sorted and unique', () => {
    const known = new Set(vocabulary.map(({ slug }) => slug));
    for (const input of Object.values(storefronts)) {
      const slugs = observeStore(input).technologies.map(({ slug }) => slug);
      expect(slugs.filter((slug) => !known.has(slug))).toEqual([]);
      expect(slugs).toEqual([...new Set(slugs)].sort());
    }
  });

  it('every script address that a rule states in full is a trace of its technology', () => {
    const free = rules.map((rule) => ({ ...rule, requires: [], requiresCategory: [], excludes: [] }));
    const engine = new Engine(free);
    const stated = rules.flatMap(({ slug, patterns }) =>
      patterns.flatMap(({ channel, regex }) => {
        const address = channel === 'script' ? plainLiteral(regex) : undefined;
        return address === undefined ? [] : [{ slug, url: urlOf(address) }];
      }),
    );
    const missed = [...Map.groupBy(stated, (_, at) => Math.floor(at / 40)).values()].flatMap((batch) => {
      const head = batch.map(({ url }) => loaded(url)).join('');
      const detections = [...engine.detect(readEvidence(page({ head })), []).values()];
      const active = new Set(detections.filter((one) => one.active).map(({ rule }) => rule.slug));
      return batch.filter(({ slug }) => !active.has(slug)).map(({ slug, url }) => `${slug} ${url}`);
    });
    expect(stated.length).toBeGreaterThan(1000);
    expect(missed).toEqual([]);
  });

  it.each([
    ['https://www.googletagmanager.com/gtm.js?id=GTM-A', 'google-tag-manager'],
    ['https://www.googletagmanager.com/gtag/js?id=G-A', 'google-analytics'],
    ['https://connect.facebook.net/en_US/fbevents.js', 'facebook-pixel'],
    ['https://cdn1.affirm.com/js/v2/affirm.js', 'affirm'],
  ])('the address %s with a variable part or a shared host is a trace of %s', (url, slug) => {
    expect(technology(page({ head: loaded(url) }), slug)?.installState).toBe('active');
  });
});

describe('theme', () => {
  const theme = (value: string) =>
    observeStore(
      page({ head: script(`var Shopify = {}; Shopify.shop = "a";\nShopify.theme = ${value};`) }),
    ).technologies.find(({ kind }) => kind === 'theme');

  it.each([
    [
      'its schema name',
      '{"name":"Our theme","id":1,"schema_name":"Prestige","schema_version":"9.3.0","theme_store_id":null}',
      'prestige',
      'Prestige',
    ],
    [
      'its number in the theme store',
      '{"name":"Production Theme","id":1,"theme_store_id":735}',
      'district',
      'District',
    ],
    ['a copy that kept the name', '{"name":"Copy of Debut 2","id":1,"theme_store_id":null}', 'debut', 'Debut'],
    ["the merchant's own name", '{"name":"Summer 2024","id":1,"theme_store_id":null}', 'custom-theme', 'Summer 2024'],
    [
      'a schema name that nobody knows',
      '{"name":"x","schema_name":"Acme House Theme","theme_store_id":null}',
      'custom-theme',
      'Acme House Theme',
    ],
  ])('a theme is named by %s', (_, value, slug, name) => {
    expect(theme(value)).toMatchObject({ slug, name });
  });

  it('a theme is named by its schema name in the settings of the speed measurement', () => {
    const measured = script(
      'Shopify.theme = {"name":"Acme House","id":1,"theme_store_id":null}; window.BOOMR.themeName = "Prestige"; window.BOOMR.themeVersion = "4.9.1";',
    );
    const seen = observeStore(page({ head: script('Shopify.shop = "a.myshopify.com";') + measured })).technologies;
    expect(seen.find(({ kind }) => kind === 'theme')).toMatchObject({ slug: 'prestige', version: '4.9.1' });
  });

  it.each(['{', '{"name":', '{name: "x"}', `{"name":"${'x'.repeat(5000)}"}`, 'null'])(
    'an unreadable theme is left out: %.20s',
    (value) => {
      expect(theme(value)).toBeUndefined();
    },
  );
});

describe('status', () => {
  const state = (...args: Parameters<typeof page>) => observeStore(page(...args)).status.state;
  const shopHead = script('Shopify.shop = "a.myshopify.com";');

  it.each([
    ['unreachable', {}, { status: 503 }],
    ['unreachable', {}, { status: 403 }],
    ['unreachable', {}, { status: 404 }],
    ['unreachable', { head: shopHead }, { status: 410 }],
    ['closed', { head: shopHead, body: '<h1>Sorry, this shop is currently unavailable.</h1>' }, { status: 402 }],
    ['closed', { body: '<h1>This store is unavailable</h1>' }, {}],
    ['password_protected', {}, { status: 401 }],
    [
      'password_protected',
      {
        head: shopHead,
        body: '<form action="/password" method="post"><input name="form_type" value="storefront_password"><input type="password"></form>',
      },
      { url: 'https://shop.example/password' },
    ],
    ['parked', { head: '<title>shop.example</title>', body: 'This domain is for sale! Buy this domain.' }, {}],
    ['parked', { head: loaded('https://img.sedoparking.com/templates/x.js') }, {}],
    ['redirected', { head: shopHead }, { url: 'https://other.example/', requestedHost: 'shop.example' }],
    ['active_storefront', { head: shopHead }, { requestedHost: 'www.shop.example' }],
    ['not_a_storefront', { body: '<p>A library. <a href="https://brand.example/cart">a cart elsewhere</a></p>' }, {}],
  ] as const)('the status of a store is %s', (expected, markup, over) => {
    expect(state(markup, over)).toBe(expected);
  });

  it('a blog with the WooCommerce plugin is not a storefront until it shows products or its Store API responds', () => {
    const head = sheet('/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver=9');
    expect(observeStore(page({ head, body: '<article>A recipe</article>' }))).toMatchObject({
      platform: { slug: 'woocommerce' },
      status: { state: 'not_a_storefront' },
    });
    expect(state({ head, body: '<a class="button add_to_cart_button" href="?add-to-cart=1">Add to cart</a>' })).toBe(
      'active_storefront',
    );
    const resources = [
      {
        url: 'https://shop.example/wp-json/wc/store/v1/products?per_page=100',
        status: 200,
        headers: {},
        body: '[{"name":"Tea","prices":{"price":"900","currency_code":"EUR","currency_minor_unit":2}}]',
      },
    ];
    expect(state({ head }, { resources })).toBe('active_storefront');
  });

  it('a page without a known platform is a storefront when it offers products and has a basket', () => {
    const head = jsonLd({
      '@type': 'Product',
      name: 'Lamp',
      offers: { '@type': 'Offer', price: '19.90', priceCurrency: 'EUR' },
    });
    expect(state({ head, body: '<a href="/cart">Cart</a><button>Add to cart</button>' })).toBe('active_storefront');
    expect(
      state({
        head: jsonLd({ '@type': 'NewsArticle', isPartOf: { '@type': ['CreativeWork', 'Product'], name: 'The Paper' } }),
      }),
    ).toBe('not_a_storefront');
  });
});
