import { describe, expect, it } from 'vitest';
import { observeStore } from '../src/index.ts';
import { jsonLd, loaded, page, script } from './support/pages.ts';

/** Constructed pages of the classes of traces that newer shops have: what shows a product, and what seems to. */
type Markup = Parameters<typeof page>[0];
const shopify = script(
  'var Shopify = Shopify || {}; Shopify.shop = "demo.myshopify.com"; Shopify.theme = {"name":"Main","id":1,"schema_name":"Dawn","theme_store_id":887,"role":"main"};',
);
const seenOf = (markup: Markup, over = {}) => observeStore(page(markup, over));
const found = (markup: Markup) => seenOf(markup).technologies;
const slugs = (markup: Markup) => found(markup).map(({ slug }) => slug);
const onShopify = (body: string) => slugs({ head: shopify, body });
const uuid = '019a5bde-1111-2222-3333-444455556666';
const hotjar = 'https://static.hotjar.com/c/hotjar-1.js?sv=6';

describe('apps of a shop on Shopify', () => {
  it.each([
    [
      'the comment of a block',
      '<!-- BEGIN app block: shopify://apps/judge-me-reviews/blocks/a/0a1b --><!-- END app block -->',
      'judge-me',
    ],
    [
      'a block in the data of a section',
      '<script type="application/json">{"type":"shopify:\\/\\/apps\\/judge-me-reviews\\/blocks\\/a\\/0a1b"}</script>',
      'judge-me',
    ],
    [
      'a block in an attribute',
      `<div data-block='{"type":"shopify://apps/judge-me-reviews/blocks/a/0a1b"}'></div>`,
      'judge-me',
    ],
    [
      'a script of an extension',
      loaded(`https://cdn.shopify.com/extensions/${uuid}/loox-reviews-215/assets/a.js`),
      'loox',
    ],
    [
      'a picture of an extension',
      `<img src="https://cdn.shopify.com/extensions/${uuid}/loox-reviews-215/assets/star.svg">`,
      'loox',
    ],
    [
      'a host in the list of scripts',
      script(
        '(function(){function asyncLoad() {var urls = ["https:\\/\\/loox.io\\/widget\\/a\\/loox.1.js?shop=demo.myshopify.com"];}})();',
      ),
      'loox',
    ],
    [
      'a host behind the proxy of the CDN',
      script(
        `(function(){function asyncLoad() {var urls = ["https:\\/\\/cdn.shopify.com\\/proxy\\/${'0a1b2c3d'.repeat(8)}\\/cdn.loox.io\\/a.js?shop=demo.myshopify.com\\u0026sp-cache-control=a"];}})();`,
      ),
      'loox',
    ],
    [
      'a pixel of the list',
      script('wpmLoader({webPixelsConfigList: [{"id":"1","configuration":"{}","type":"APP","apiClientId":683015}]});'),
      'judge-me',
    ],
    [
      'a pixel with a type',
      script(
        'wpmLoader({webPixelsConfigList: [{"id":"1","configuration":"{\\"pixel_type\\":\\"facebook_pixel\\"}","type":"APP","apiClientId":1}]});',
      ),
      'facebook-pixel',
    ],
    [
      'a pixel that Shopify migrated',
      script(
        'wpmLoader({webPixelsConfigList: [{"id":"1","type":"CUSTOM","name":"Google Analytics tag (migrated)"}]});',
      ),
      'google-analytics',
    ],
    ['a pixel of the earlier list', script('trekkie.load({"TikTok Pixel":{"pixelId":"C12345678"}});'), 'tiktok-pixel'],
    [
      'a pixel with a number in its name',
      script('trekkie.load({"Google Analytics 4":{"trackingId":"G-ABC12345"}});'),
      'google-analytics',
    ],
  ])('apps of a shop on Shopify are found by %s', (_, body, slug) => {
    expect(onShopify(body)).toContain(slug);
  });

  it('apps of a shop on Shopify are found behind the proxy by the whole address of their scripts, too', () => {
    const proxied = (path: string) => loaded(`https://cdn.shopify.com/proxy/${'0a1b2c3d'.repeat(8)}/${path}`);
    expect(onShopify(proxied('js.hs-scripts.com/123456.js?shop=demo.myshopify.com'))).toContain('hubspot');
    expect(onShopify(proxied('apps.example/js.hs-scripts.com.html'))).not.toContain('hubspot');
  });

  it.each([
    ['prose about a block', '<p>Add shopify://apps/judge-me-reviews/blocks/a/0a1b to the theme.</p>', 'judge-me'],
    ['a block on a site without the platform', '', 'judge-me'],
    ['a picture of the CDN', `<img src="https://cdn.shopify.com/s/files/1/loox-reviews-215/assets/star.svg">`, 'loox'],
    ['a pixel without an identifier', script('trekkie.load({"TikTok Pixel":{"pixelId":""}});'), 'tiktok-pixel'],
    [
      'a custom pixel with another name',
      script('wpmLoader({webPixelsConfigList: [{"id":"1","type":"CUSTOM","name":"Google Analytics"}]});'),
      'google-analytics',
    ],
  ])('apps of a shop on Shopify are not found by %s', (_, body, slug) => {
    expect(onShopify(body)).not.toContain(slug);
  });

  it.each([
    ['<div class="jdgm-widget jdgm-preview-badge" data-id="1"></div>', 'judge-me'],
    ['<div id="looxReviews" data-product-id="1"></div>', 'loox'],
    ['<div class="okeReviews" data-oke-widget></div>', 'okendo'],
    ['<div class="klaviyo-form-AbC123"></div>', 'klaviyo'],
    ['<span class="stamped-product-reviews-badge stamped-main-badge" data-id="1"></span>', 'stamped'],
  ])(
    'apps of a shop on Shopify are not found by an empty element of the theme, only beside another trace: %s',
    (element, slug) => {
      expect(onShopify(element)).not.toContain(slug);
      const traces: Record<string, string> = {
        'judge-me': loaded('https://cdn.judge.me/widget_preloader.js'),
        loox: loaded('https://loox.io/widget/a/loox.1.js'),
        okendo: loaded('https://cdn-static.okendo.io/reviews-widget-plus/js/okendo-reviews.js'),
        klaviyo: loaded('https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=AbC123'),
        stamped: loaded('https://cdn1.stamped.io/files/widget.min.js'),
      };
      expect(onShopify(element + traces[slug])).toContain(slug);
    },
  );

  it('apps of a shop on Shopify are not found by the selectors of a style sheet of the theme', () => {
    const style =
      '<style>.jdgm-widget, .yotpo, .loox-rating, .okeReviews, .klaviyo-form, .stamped-badge, .gf_row { color: red }</style>';
    const other = ['shopify', 'dawn'];
    expect(onShopify(style).filter((slug) => !other.includes(slug))).toEqual([]);
  });
});

describe('Google tag', () => {
  const tag = (id: string) =>
    `${loaded(`https://www.googletagmanager.com/gtag/js?id=${id}`)}${script(`gtag("js", new Date()); gtag("config", "${id}");`)}`;

  it.each(['G-ABC12345', 'UA-1234567-1'])('the Google tag %s is a tag of Analytics', (id) => {
    expect(slugs({ head: tag(id) })).toContain('google-analytics');
  });

  it.each(['GT-ABC12345', 'AW-123456789', 'MC-ABC12345', 'DC-1234567'])(
    'the Google tag %s is not a tag of Analytics',
    (id) => {
      expect(slugs({ head: tag(id) })).not.toContain('google-analytics');
      const config = JSON.stringify({ config: JSON.stringify({ google_tag_ids: [id] }) });
      const pixel = JSON.stringify([{ id: '1', configuration: config, type: 'APP', apiClientId: 1780363 }]);
      expect(onShopify(script(`wpmLoader({webPixelsConfigList: ${pixel}});`))).not.toContain('google-analytics');
      expect(onShopify(script(`trekkie.load({"Google Gtag Pixel":{"conversionId":"${id}"}});`))).not.toContain(
        'google-analytics',
      );
    },
  );
});

describe('scripts that several products share', () => {
  it.each([
    ['https://platform.linkedin.com/in.js', 'linkedin-widgets', 'linkedin-sign-in'],
    ['https://connect.facebook.net/en_US/sdk.js', 'facebook-sdk', 'facebook-pixel'],
    ['https://assets.pinterest.com/js/pinit.js', 'pinterest', 'pinterest-conversion-tag'],
    ['https://apis.google.com/js/platform.js', 'google-api-client', 'google-sign-in'],
  ])('the script %s shows %s and not %s', (url, shown, other) => {
    expect(slugs({ head: loaded(url) })).toContain(shown);
    expect(slugs({ head: loaded(url) })).not.toContain(other);
  });
});

describe('objects of settings', () => {
  it.each([
    ['boostSDAppConfig', 'boost-commerce'],
    ['GloboMenuConfig', 'globo-mega-menu'],
    ['RebuyConfig', 'rebuy'],
    ['PandectesSettings', 'pandectes'],
    ['vtlsLiquidData', 'vitals'],
  ])('the object of settings %s shows %s, and its name in a text does not', (name, slug) => {
    expect(onShopify(script(`window.${name} = {"a": 1};`))).toContain(slug);
    expect(onShopify(script(`var help = "Set window.${name} = {} in the theme";`))).not.toContain(slug);
    expect(onShopify(`<p>window.${name} = {}</p>`)).not.toContain(slug);
  });
});

describe('script that a tool keeps from running', () => {
  it.each([
    `<script type="text/plain" data-src="${hotjar}"></script>`,
    `<script type="text/plain" data-borlabs-script-src="${hotjar}"></script>`,
    `<script type="text/plain" data-cmplz-src="${hotjar}"></script>`,
    `<script type="text/plain" data-category="analytics" src="${hotjar}"></script>`,
    `<script type="text/x-blocked" data-src="${hotjar}"></script>`,
    `<script type="javascript/blocked" src="${hotjar}"></script>`,
  ])('a script that a tool keeps from running is configured while it waits for consent: %s', (head) => {
    expect(found({ head })).toContainEqual(expect.objectContaining({ slug: 'hotjar', installState: 'configured' }));
  });

  it.each([
    `<script type="lazyloadscript" data-src="${hotjar}"></script>`,
    `<script type="text/lazyload" data-src="${hotjar}"></script>`,
    `<script type="rocketlazyloadscript" data-rocket-src="${hotjar}"></script>`,
    `<script type="text/delayscript" data-src="${hotjar}"></script>`,
    `<script type="litespeed/javascript" data-litespeed-src="${hotjar}"></script>`,
    `<script type="pmdelayedscript" src="${hotjar}"></script>`,
    `<script data-type="lazy" data-src="${hotjar}"></script>`,
  ])('a script that a tool keeps from running is active when it only runs later: %s', (head) => {
    expect(found({ head })).toContainEqual(expect.objectContaining({ slug: 'hotjar', installState: 'active' }));
  });

  it.each([
    `<script type="text/x-template"><script src="${hotjar}"></script>`,
    `<script type="text/plain" data-help-text="Install ${hotjar}"></script>`,
    `<script type="application/json" data-note-src="a b ${hotjar}"></script>`,
    `<p data-lazy-src="${hotjar}"></p>`,
  ])('an element that only has the address of a script is not a script that a tool keeps from running: %s', (head) => {
    expect(slugs({ head })).not.toContain('hotjar');
  });
});

describe('headless front end', () => {
  const next = (value: unknown) =>
    `<div id="__next"><h1>Teas</h1></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(value)}</script>`;
  const platformOf = (body: string) => seenOf({ body }).platform.slug;

  it.each([
    ['shopify', next({ runtimeConfig: { shopifyDomain: 'tea.myshopify.com' } })],
    ['shopify', next({ env: { endpoint: 'https://tea.myshopify.com/api/2024-07/graphql.json' } })],
    ['shopify', `<div id="__nuxt"></div>${script('window.__NUXT__={config:{shopify:{domain:"tea.myshopify.com"}}}')}`],
    [
      'shopify',
      script(
        'window.__CONFIG__ = {"storefrontApiUrl":"https:\\/\\/tea.myshopify.com\\/api\\/2024-07\\/graphql.json"};',
      ),
    ],
    [
      'shopify',
      `<div id="root"></div>${script('self.__next_f.push([1,"5:{\\"storeDomain\\":\\"tea.myshopify.com\\"}"])')}`,
    ],
    ['bigcommerce', next({ env: { api: 'https://store-abc123.mybigcommerce.com/graphql' } })],
    ['magento', next({ env: { magentoGraphqlUrl: 'https://backend.tea.example/graphql' } })],
    ['commercetools', next({ env: { apiUrl: 'https://api.europe-west1.gcp.commercetools.com' } })],
    ['salesforce-commerce-cloud', next({ env: { host: 'kv7kzm78.api.commercecloud.salesforce.com' } })],
    ['vtex', next({ env: { api: 'https://tea.vtexcommercestable.com.br/api/catalog' } })],
  ])('a headless front end runs on %s when its configuration names the host of the interface', (slug, body) => {
    expect(platformOf(body)).toBe(slug);
  });

  it.each([
    [
      'a link to a shop elsewhere',
      next({ links: [{ label: 'Merch', href: 'https://band.myshopify.com/collections/all' }] }),
    ],
    ['the shop of somebody else', next({ merch: { url: 'https://band.myshopify.com' } })],
    ['a snippet in a text', next({ text: 'Write <script>var a = {domain: "tea.myshopify.com"};</script>' })],
    [
      'a snippet in a string of code',
      `<div id="root"></div>${script(`var help = 'var a = {domain: "tea.myshopify.com"};';`)}`,
    ],
    ['prose', '<div id="__next"><p>Our endpoint: "https://tea.myshopify.com/api/2024-07/graphql.json"</p></div>'],
    ['the app of a platform', next({ env: { shopifyAppUrl: 'https://apps.shopify.com/tea' } })],
    [
      'a Buy Button',
      `<div id="root"></div>${script('ShopifyBuy.UI.onReady(ShopifyBuy.buildClient({domain:"tea.myshopify.com"}));')}`,
    ],
    ['a shop of before', `<div id="root"></div>${script('var a = {legacy: {shop: "tea.myshopify.com"}};')}`],
    ['a page that no application renders', script('var a = {domain: "tea.myshopify.com"};')],
  ])('a headless front end does not run on a platform by %s', (_, body) => {
    expect(platformOf(body)).toBe('custom');
  });

  it('a headless front end is built by webpack only when it shows so', () => {
    const chunk = (name: string) => loaded(`/_next/static/chunks/${name}.js`);
    expect(slugs({ head: chunk('turbopack-0a1b2c'), body: next({}) })).not.toContain('webpack');
    expect(
      slugs({
        head: chunk('main-0a1b2c') + script('(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[0],{}])'),
        body: next({}),
      }),
    ).toContain('webpack');
  });
});

describe('catalogue of a page', () => {
  const product = (over: object, price: unknown = '10.00') => ({
    '@type': 'Product',
    name: 'Shirt',
    offers: { '@type': 'Offer', price, priceCurrency: 'USD' },
    ...over,
  });
  const catalogOf = (markup: Markup, url = 'https://shop.example/') => seenOf(markup, { url }).catalog;
  const card = (n: number) =>
    `<li class="product type-product"><a href="/product/p${n}"><h2 class="woocommerce-loop-product__title">Tea ${n}</h2><span class="price">$${n}.00</span></a></li>`;
  const onProductPage = 'https://shop.example/products/shirt';
  const meta = script(
    'var meta = {"product":{"id":1,"variants":[{"id":11,"price":4500,"name":"Shirt"}]},"page":{"pageType":"product"}};',
  );

  it('a catalogue has one product where several blocks have one @id, and several where they have pages of their own', () => {
    const names = ['Shirt - Red', 'Shirt - Blue'];
    expect(catalogOf({ head: jsonLd(names.map((name) => product({ '@id': '#product', name }))) }).productCount).toBe(1);
    expect(
      catalogOf({ head: jsonLd(['#a', '#b'].map((id, at) => product({ '@id': id, name: names[at] }))) }).productCount,
    ).toBe(2);
    expect(
      catalogOf({ head: jsonLd(['/a', '/b'].map((url, at) => product({ '@id': '#product', url, name: names[at] }))) })
        .productCount,
    ).toBe(2);
  });

  it('the catalogue of a page has the product of a product page and no related ones', () => {
    const related = `<section class="related"><ul class="products">${card(12)}${card(22)}</ul></section>`;
    const shown = '<h1 class="product_title">Shirt</h1><p class="price">$45.00</p>';
    const html = (names: string) => page({}).html.replace('<body>', `<body class="${names}">${shown}${related}`);
    const catalog = (names: string) =>
      observeStore({ ...page({}), url: 'https://shop.example/product/shirt', html: html(names) }).catalog;
    expect(catalog('single-product')).toMatchObject({ productCount: 1, priceRange: { median: 45 } });
    expect(catalog('archive').productCount).toBe(2);
    const described = jsonLd(product({ url: 'https://shop.example/product/shirt' }));
    const other = jsonLd(product({ name: 'Hat', url: 'https://shop.example/product/hat' }));
    const withData = html('single-product').replace('</head>', `${described}${other}</head>`);
    const own = { ...page({}), url: 'https://shop.example/product/shirt', html: withData };
    expect(observeStore(own).catalog).toMatchObject({ productCount: 1, priceRange: { median: 10 } });
  });

  it.each(['isRelatedTo', 'isSimilarTo', 'isAccessoryOrSparePartFor', 'isConsumableFor'])(
    'the catalogue of a page has no product that another product only names as related: %s',
    (member) => {
      const others = [product({ name: 'Hat' }, '1.00'), product({ name: 'Scarf' }, '2.00')];
      expect(catalogOf({ head: jsonLd(product({ [member]: others })) })).toMatchObject({
        productCount: 1,
        priceRange: { median: 10 },
      });
      const listed = [product({ name: 'Hat', '@id': '#hat' }), product({ [member]: { '@id': '#hat' } })];
      expect(catalogOf({ head: jsonLd(listed) }).productCount).toBe(2);
    },
  );

  it.each([
    ['structured data', jsonLd(product({ url: '/products/shirt' }, 4500))],
    [
      'microdata',
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Shirt</b><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="4500"><meta itemprop="priceCurrency" content="USD"></div></div>',
    ],
  ])('the catalogue of a page has no hundredths of Shopify for units: %s', (_, body) => {
    const markup = { head: shopify + meta, body: `<h1>Shirt</h1>${body}` };
    expect(catalogOf(markup, onProductPage).priceRange.median).toBe(45);
  });

  const described = (price: number) => jsonLd(product({ url: '/products/shirt' }, price));
  const item = (price: number) =>
    `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Shirt</b><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="${price}"><meta itemprop="priceCurrency" content="USD"></div></div>`;
  const median = (data: string, text: string, head = shopify) =>
    catalogOf({ head, body: `<h1>Shirt</h1>${data}${text}` }, onProductPage).priceRange.median;

  it.each([
    ['$45.00', 4500, 45],
    ['45,00 €', 4500, 45],
    ['$45', 4500, 45],
    ['45 kr', 4500, 45],
    ['$45.99 USD', 4599, 45.99],
    ['$1,249.00', 124900, 1249],
    ['1.249,00&nbsp;€', 124900, 1249],
    ["CHF 1'249.00", 124900, 1249],
  ])(
    'the catalogue of a page reads a Shopify price as hundredths where only the divided price is in the text: %s',
    (shown, price, units) => {
      for (const data of [described(price), item(price)]) expect(median(data, `<p>${shown}</p>`)).toBe(units);
    },
  );

  it.each([
    ['the text has the number as units', '<p>$4,500.00</p><p>Save $45.00</p>'],
    ['the text has the number as units without decimals', '<p>$4500</p><p>45.00 in.</p>'],
    ['the text has another price', '<p>$45.50</p>'],
    ['the text has a part of a larger number', '<p>$145.00 and 45.001</p>'],
    ['the text has the number and no price', '<p>45 pieces</p>'],
    ['the text is the code of a script', '<script>var price = "$45.00";</script>'],
  ])('the catalogue of a page reads a Shopify price as whole units where %s', (_, text) => {
    for (const data of [described(4500), item(4500)]) expect(median(data, text)).toBe(4500);
  });

  it('the catalogue of a page reads a price as hundredths, too, where only the files of the theme show Shopify', () => {
    for (const url of ['https://cdn.shopify.com/s/files/1/0001/t/1/assets/theme.js', '/cdn/shop/t/1/assets/theme.js'])
      expect(median(item(4500), '<p>$45.00</p>', loaded(url))).toBe(45);
    expect(median(item(4500), '<p>$45.00</p>', loaded('https://cdn.shopify.com/shopifycloud/web-pixels.js'))).toBe(
      4500,
    );
  });

  it('the catalogue of a page reads prices as whole units on another platform, and where the text has one of them as units', () => {
    expect(median(described(4500), '<p>$45.00</p>', '')).toBe(4500);
    const both = [4500, 300].map((price) =>
      jsonLd(product({ name: `Hat ${price}`, url: `/products/h${price}` }, price)),
    );
    const catalog = catalogOf({ head: shopify, body: `${both.join('')}<p>$45.00</p><p>$300.00</p>` });
    expect(catalog.priceRange).toMatchObject({ p25: 1350 });
  });

  it('the catalogue of a page reads a price as whole units where the page lacks its hundredths, and on other platforms', () => {
    const body = `<h1>Shirt</h1>${jsonLd(product({ url: '/products/shirt' }, 45))}`;
    expect(catalogOf({ head: shopify + meta, body }, onProductPage).priceRange.median).toBe(45);
    const dear = `<h1>Shirt</h1>${jsonLd(product({ url: '/products/shirt' }, 4500))}`;
    expect(catalogOf({ head: shopify, body: dear }, onProductPage).priceRange.median).toBe(4500);
    expect(catalogOf({ head: meta, body: dear }, onProductPage).priceRange.median).toBe(4500);
  });
});

describe('address in structured data', () => {
  const name = '<meta property="og:site_name" content="Tea House">';
  const organization = (over: object) =>
    jsonLd({
      '@type': 'Organization',
      name: 'Tea House',
      address: { '@type': 'PostalAddress', addressCountry: 'DE' },
      ...over,
    });
  const countryOf = (head: string) => seenOf({ head: name + head }).geography.country;

  it.each([
    ['the store', { url: 'https://shop.example/' }],
    ['the store on another domain', { url: 'https://tea-house.example/', name: 'Tea House Ltd' }],
    ['the store without a site', {}],
  ])('the address in structured data declares the country of %s', (_, over) => {
    expect(countryOf(organization(over))).toBe('DE');
  });

  it.each([
    ['the agency that made the template', { name: 'Pixel Agency', url: 'https://pixel-agency.example/' }],
    ['the seller of the theme', { '@type': 'LocalBusiness', name: 'ThemeZaa', url: 'https://themezaa.example/' }],
    ['nobody', { address: { '@type': 'PostalAddress', streetAddress: '123 Main Street', addressCountry: 'DE' } }],
    [
      'nobody in German',
      {
        address: {
          '@type': 'PostalAddress',
          streetAddress: 'Musterstraße 1',
          addressLocality: 'Musterstadt',
          addressCountry: 'DE',
        },
      },
    ],
  ])('the address in structured data declares nothing of %s', (_, over) => {
    expect(countryOf(organization(over))).toBe('ZZ');
  });
});

describe('page that sells nothing', () => {
  const cards = Array.from(
    { length: 6 },
    (_, n) =>
      `<div class="product-card"><a href="/products/p${n}">Tea ${n}</a><span class="price">$${n + 10}.00</span></div>`,
  ).join('');
  const stateOf = (markup: Markup, url = 'https://shop.example/') => seenOf(markup, { url }).status.state;
  const shop = { head: `<title>Teas</title>${shopify}`, body: `<h1>Teas</h1><a href="/cart">Cart</a>${cards}` };

  it.each([
    [
      'has the notice of its platform',
      'This is a demo store. Any orders placed through this store will not be honored or fulfilled.',
    ],
    ['has the notice of another platform', 'This is a demo store for testing purposes — no orders shall be fulfilled.'],
    ['links to the sale of its theme', '<a href="https://themes.shopify.com/themes/impulse">Buy this theme</a>'],
  ])('a page that sells nothing is the demonstration of a theme that %s', (_, text) => {
    expect(stateOf({ ...shop, body: `${text}${shop.body}` })).toBe('not_a_storefront');
  });

  it('a page that sells nothing is the demonstration of a theme when its host and its title say so', () => {
    const demo = { ...shop, head: shop.head.replace('<title>Teas', '<title>Warehouse theme – Teas') };
    expect(stateOf(demo, 'https://demo.themes.example/warehouse/')).toBe('not_a_storefront');
    expect(stateOf(demo, 'https://shop.example/')).toBe('active_storefront');
    for (const host of ['demo.shop.example', 'demodern.example', 'tea-demo.myshopify.com', 'www.demo-tapes.example'])
      expect(stateOf(shop, `https://${host}/`)).toBe('active_storefront');
  });

  const schema = (name: string) => shopify.replace('"Dawn"', `"${name}"`);
  const onWordPress = (theme: string) =>
    `<link rel="stylesheet" href="/wp-content/themes/${theme}/style.css"><link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css">`;
  const titled = (title: string, head = shopify) => ({ ...shop, head: `<title>${title}</title>${head}` });

  it.each([
    [
      'a shop of the platform with the name of its theme',
      titled('Metal', schema('Warehouse')),
      'warehouse-theme-metal.myshopify.com',
    ],
    ['a shop of the platform that shows a preset', titled('Teas', schema('Impulse')), 'impulse-preset-2.myshopify.com'],
    ['a shop of the platform with a title', titled('Dawn – theme demo'), 'dawn-demo.myshopify.com'],
    ['a shop of the platform with two words', titled('Teas'), 'theme-fashion-demo.myshopify.com'],
    [
      'the demonstration of the platform',
      titled(
        'Your Store',
        '<script src="catalog/view/javascript/common.js"></script><link href="catalog/view/theme/default/stylesheet/stylesheet.css" rel="stylesheet"><a href="index.php?route=common/home">Your Store</a>',
      ),
      'demo.opencart.com',
    ],
    ['a host of the maker of its theme', titled('Furniture', onWordPress('woodmart')), 'woodmart.xtemos.com'],
    ['another host of the maker of its theme', titled('Furniture', onWordPress('flatsome')), 'flatsome3.uxthemes.com'],
    ['a host of a maker of themes', titled('Electronics'), 'prestashop17.theme-sky.com'],
    ['a folder of a maker of themes', titled('Electronics'), 'www.portotheme.com/wordpress/porto/shop1/'],
  ])('a page that sells nothing is the demonstration of a theme on %s', (_, markup, host) => {
    expect(stateOf(markup, `https://${host}`)).toBe('not_a_storefront');
    expect(stateOf(markup, 'https://shop.example/')).toBe('active_storefront');
  });

  it.each([
    ['a shop of the platform with a word of demonstrations', titled('Teas'), 'tea-demo.myshopify.com'],
    [
      'a shop of the platform with another theme',
      titled('Metal', schema('Impulse')),
      'warehouse-theme-metal.myshopify.com',
    ],
    ['a shop of the platform for parks', titled('Theme Park Merch'), 'theme-park-merch.myshopify.com'],
    [
      'a shop of the platform with the name of its theme',
      titled('Warehouse', schema('Warehouse')),
      'warehouse.myshopify.com',
    ],
    ['a shop about theme parks', titled('Theme park merch'), 'eu.themepark.example'],
    ['the shop of a maker of themes', titled('Themes for shops', onWordPress('flatsome')), 'shop.uxthemes.com'],
    ['the site of a maker of themes', titled('Themes for shops'), 'www.theme-sky.com/themes/'],
    ['a branch of a shop for parties', titled('Party'), 'de.partythemes.example'],
    ['a shop that uses a bought theme', titled('Furniture', onWordPress('woodmart')), 'woodmart.shop.example'],
  ])('a page with a word of demonstrations or themes is a shop: %s', (_, markup, host) => {
    expect(stateOf(markup, `https://${host}`)).toBe('active_storefront');
  });

  it('a page that sells nothing is the demonstration of a template on no platform, too', () => {
    const body = `<a href="/cart">Cart (2)</a><a href="/checkout">Checkout</a><button>Add to cart</button>${cards}`;
    const bare = { head: '<title>Teas</title>', body };
    expect(stateOf(bare, 'https://preview.uxtemplates.example/')).toBe('not_a_storefront');
    expect(stateOf(bare, 'https://shop.example/')).toBe('active_storefront');
  });

  it.each([
    ['credits its theme', '<a href="https://themes.shopify.com/themes/impulse">Impulse</a>'],
    ['sells on a marketplace', '<a href="https://themeforest.net/item/a/1">Our icons</a>'],
    ['speaks of a demonstration', '<p>Book a demo store visit with our team.</p>'],
  ])('a shop is not the demonstration of a theme because it %s', (_, text) => {
    expect(stateOf({ ...shop, body: `${text}${shop.body}` })).toBe('active_storefront');
  });

  it('a page that sells nothing is the site of an agency on a platform, and no shop for agencies', () => {
    const agency = {
      head: `<title>Northdesk – ecommerce agency</title>${shopify}`,
      body: '<h1>We build shops</h1><a href="/pages/work">Work</a>',
    };
    expect(stateOf(agency)).toBe('not_a_storefront');
    expect(stateOf({ ...agency, body: agency.body + cards })).toBe('active_storefront');
    expect(stateOf({ head: `<title>Northdesk teas</title>${shopify}`, body: agency.body })).toBe('active_storefront');
  });
});
