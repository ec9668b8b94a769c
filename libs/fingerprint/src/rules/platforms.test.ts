import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';
import type { PageInput } from '../types.ts';

const image = (url: string): string => `<img src="${url}" alt="">`;
const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;

/** Pages with the traces of one kind each. Every trace must be enough, because a page may lack the others. */
const pages: readonly (readonly [platform: string, trace: string, input: PageInput])[] = [
  ['shoper', 'theme', page({ head: sheet('/skins/user/rwd_shoper_1/cache/main.css') })],
  ['shoper', 'old theme', page({ head: sheet('/skins/default/shoper_blue/styles/main.css') })],
  [
    'shoper',
    'front API',
    page({ body: script('Shop.values.OptionsConfiguration = 1; frontAPI.getProduct({id: 1});') }),
  ],
  ['idosell-shop', 'pictures', page({ body: image('/hpeciai/0123456789abcdef0123456789abcdef/pol_il_Lampa-1.jpg') })],
  ['idosell-shop', 'scripts', page({ head: loaded('/gfx/pol/shop.js.gzip?r=1') })],
  ['cafe24', 'scripts', page({ head: loaded('//img.echosting.cafe24.com/js/a.js') })],
  ['cafe24', 'variables', page({ head: script('var EC_FRONT_EXTERNAL_SCRIPT_VARIABLE_DATA = {"a":1};') })],
  ['shopline', 'scripts', page({ head: loaded('https://cdn.shoplineapp.com/web/assets/a.js') })],
  ['shopline', 'runtime', page({ head: script('window.Shopline = {}; Shopline.theme = {"id":1};') })],
  ['shoplazza', 'scripts', page({ head: loaded('https://static.shoplazza.com/oss/theme/a.js') })],
  ['shoplazza', 'runtime', page({ head: script('window.SHOPLAZZA = {"shop":{}};') })],
  ['nuvemshop', 'scripts', page({ head: loaded('//dcdn.mitiendanube.com/stores/001/themes/a/dart.js') })],
  ['nuvemshop', 'runtime', page({ head: script('LS.store = {"id":1};') })],
  ['vtex', 'runtime', page({ head: script('__RUNTIME__ = {"amp":false,"account":"demo"}') })],
  ['vtex', 'styles', page({ head: sheet('https://demo.vtexassets.com/_v/public/assets/a.css') })],
  ['salla', 'start', page({ head: script("salla.init({'store':{}});") })],
  ['salla', 'components', page({ body: '<salla-cart-summary></salla-cart-summary>' })],
  ['zid', 'scripts', page({ head: loaded('https://assets.zid.store/themes/a/js/main.js') })],
  ['ecwid', 'widget', page({ body: loaded('https://app.ecwid.com/script.js?1003') })],
  ['ecwid', 'start', page({ body: script('xProductBrowser("id=my-store-1003");') })],
  ['lightspeed-ecom', 'scripts', page({ head: loaded('https://cdn.webshopapp.com/assets/gui.js') })],
  ['jtl-shop', 'token', page({ body: '<input type="hidden" class="jtl_token" name="jtl_token" value="1">' })],
  ['jtl-shop', 'bundle', page({ head: loaded('/asset/jtl3.js?v=5') })],
  ['gambio', 'modules', page({ head: loaded('/GXModules/Gambio/Hub/Shop/a.js') })],
  ['gambio', 'widgets', page({ body: '<div data-gambio-namespace="themes"></div>' })],
  ['oxid-eshop', 'theme', page({ head: sheet('/out/wave/src/css/styles.min.css') })],
  ['oxid-eshop', 'basket', page({ body: '<form><input name="stoken"><input name="cl" value="start"></form>' })],
  ['shopware', 'router', page({ body: script("window.router['frontend.cart.offcanvas'] = '/checkout/offcanvas';") })],
  ['shopware', 'public path', page({ body: script("window.themeJsPublicPath = '/theme/a/js/';") })],
  ['sylius', 'bundle', page({ head: sheet('/bundles/syliusshop/css/style.css') })],
  ['sylius', 'basket', page({ body: '<form name="sylius_add_to_cart"></form>' })],
  [
    'commercetools',
    'API',
    page({ body: script('window.config = {"apiUrl":"https://api.europe-west1.gcp.commercetools.com"};') }),
  ],
  ['medusa', 'key', page({ body: script('fetch(u, {headers: {"x-publishable-api-key": "pk_0123456789abcdef01"}});') })],
  ['shopify', 'Oxygen', page({ head: loaded('https://cdn.shopify.com/oxygen-v2/1/2/3/4/entry.client.js') })],
  ['tiktok-shop', 'address', page({ body: '<h1>Lamp</h1>' }, { url: 'https://shop.tiktok.com/view/product/1' })],
  ['square-online', 'scripts', page({ head: loaded('https://cdn3.editmysite.com/app/website/js/runtime.js') })],
  ['big-cartel', 'runtime', page({ head: script('window.bigcartel = window.bigcartel || {};') })],
  ['sellfy', 'styles', page({ head: sheet('https://static.sellfy.com/store/a.css') })],
  ['gumroad-storefront', 'scripts', page({ head: loaded('https://assets.gumroad.com/packs/js/product.js') })],
  [
    'pattern-by-etsy',
    'scripts',
    page({ head: loaded('https://www.etsy.com/ac/evergreenVendor/js/en-US/pattern/base.js') }),
  ],
  ['odoo', 'generator', page({ head: meta('generator', 'Odoo') })],
  ['idosell-shop', 'start', page({ body: script('app_shop.run(function () {}, 1);') })],
  ['nuvemshop', 'pictures host', page({ head: loaded('https://d26lpennugtm8s.cloudfront.net/stores/001/a.js') })],
  ['vtex', 'library', page({ head: loaded('//io.vtex.com.br/vtex.js/2.0.0/vtex.min.js') })],
  ['vtex', 'template', page({ body: '<div class="vtex-store__template bg-base"></div>' })],
  ['lightspeed-ecom', 'styles', page({ head: sheet('https://cdn.webshopapp.com/shops/1/themes/a.css') })],
  ['jtl-shop', 'template', page({ head: sheet('/templates/NOVA/themes/clear/clear.css') })],
  [
    'shopware',
    'controller',
    page({ body: script("var controller = controller || {'vat_check_enabled': '', 'ajax_cart': '/a'};") }),
  ],
  [
    'shopware',
    'routes',
    page({ body: script("window.router = {\n 'frontend.cart.offcanvas': '/checkout/offcanvas' };") }),
  ],
  ['shopware', 'folder', page({ head: sheet('/themes/Frontend/Responsive/frontend/_public/a.css') })],
  ['big-cartel', 'generator', page({ head: meta('generator', 'Big Cartel') })],
  ['medusa', 'setting', page({ body: script('env.NEXT_PUBLIC_MEDUSA_BACKEND_URL = "https://a.example";') })],
  ['squarespace', 'settings', page({ head: script('Static.SQUARESPACE_CONTEXT = {"websiteId":"1"};') })],
  ['cafe24', 'SDK', page({ head: script('var api = CAFE24API.init("a");') })],
  ['shopline', 'library', page({ head: script('window.__SL_$__ = window.jQuery;') })],
  ['shoplazza', 'files of themes', page({ head: sheet('https://static.staticdj.com/themes/a.css') })],
  ['zid', 'basket', page({ head: script('zid.cart.addProduct({product_id: 1});') })],
  ['gambio', 'theme', page({ head: sheet('/themes/Honeygrid/css/a.css') })],
  ['oxid-eshop', 'control', page({ body: '<form><input type="hidden" name="actcontrol" value="start"></form>' })],
  ['odoo', 'session', page({ head: script('odoo.__session_info__ = {"is_admin":false};') })],
  ['odoo', 'shop', page({ body: '<div id="wrap" class="o_wsale_products_page"></div>' })],
  ['odoo', 'bundle', page({ head: loaded('/web/assets/1-0a1b/1/web.assets_frontend.min.js') })],
];

describe('platforms that few sites use', () => {
  it.each(pages)('%s is detected by its %s alone', (platform, _, input) => {
    expect(observeStore(input).platform.slug).toBe(platform);
  });

  it.each([
    ['shoper', sheet('/skins/user/rwd_shoper_1/a.css') + loaded('https://shop.dcsaascdn.net/a.js')],
    [
      'square-online',
      loaded('https://cdn3.editmysite.com/app/website/a.js') + sheet('https://cdn3.editmysite.com/app/website/a.css'),
    ],
    ['shoplazza', loaded('https://static.shoplazza.com/a.js') + script('window.SHOPLAZZA = {"shop":{}};')],
    ['nuvemshop', loaded('//dcdn.mitiendanube.com/a.js') + sheet('//dcdn.mitiendanube.com/a.css')],
  ])('%s is not certain by two traces that no public document states', (slug, head) => {
    expect(observeStore(page({ head })).platform).toMatchObject({ slug, confidence: 'medium' });
  });

  it.each([
    ['odoo', meta('generator', 'Odoo') + script('odoo.__session_info__ = {"is_admin":false};')],
    ['big-cartel', meta('generator', 'Big Cartel') + script('window.bigcartel = window.bigcartel || {};')],
    ['oxid-eshop', sheet('/out/flow/src/css/styles.min.css') + script("$('#checkAll').oxBasketChecks();")],
    ['vtex', loaded('//io.vtex.com.br/vtex.js/2.0.0/vtex.min.js') + sheet('https://demo.vtexassets.com/_v/a.css')],
  ])('%s is certain by two traces that public documents state', (slug, head) => {
    expect(observeStore(page({ head })).platform).toMatchObject({ slug, confidence: 'high' });
  });

  it('traces without a public source never make a platform certain', () => {
    const head = loaded('https://assets.zid.store/themes/a/js/main.js') + script('zid.cart.addProduct({});');
    expect(observeStore(page({ head })).platform).toMatchObject({ slug: 'zid', confidence: 'medium' });
  });

  it.each(['Shopify, Hydrogen', 'Shopify, Oxygen, Hydrogen', 'Shopify, Oxygen'])(
    'Hydrogen is named by a header: %s',
    (value) => {
      const { platform, technologies } = observeStore(
        page({ body: '<a href="/cart">Cart</a>' }, { headers: { 'powered-by': value } }),
      );
      expect(platform.slug).toBe('shopify');
      expect(technologies.map(({ slug }) => slug)).toContain('hydrogen');
    },
  );

  it('Shopify alone is no Hydrogen', () => {
    const { technologies } = observeStore(page({}, { headers: { 'powered-by': 'Shopify' } }));
    expect(technologies.map(({ slug }) => slug)).not.toContain('hydrogen');
  });

  it('an embedded button of Gumroad is no storefront of Gumroad', () => {
    const { platform, technologies } = observeStore(page({ body: loaded('https://gumroad.com/js/gumroad.js') }));
    expect(platform.slug).toBe('custom');
    expect(technologies.map(({ slug }) => slug)).toContain('gumroad');
  });

  it('Squarespace sells only where it shows products, although each page loads the scripts of its shop', () => {
    const shared = script("(function(rollups, name) {})(SQUARESPACE_ROLLUPS, 'squarespace-commerce');");
    const scripts = loaded('https://assets.squarespace.com/universal/scripts-compressed/commerce-0a1b-min.en-US.js');
    const slugs = (body: string) =>
      observeStore(page({ head: shared + scripts, body })).technologies.map(({ slug }) => slug);
    expect(slugs('<article>A post</article>')).not.toContain('squarespace-commerce');
    expect(slugs('<div class="sqs-add-to-cart-button">Add</div>')).toContain('squarespace-commerce');
  });
});

describe('names that any site may give', () => {
  it.each([
    ['a function', '<button onclick="addToCart(1)">Buy</button>'],
    ['a class and an id', '<a class="ajax_add_to_cart_button">Buy</a><div id="header_user_info"></div>'],
    ['a folder of blocks', '<script src="/modules/blockquote/a.js"></script>'],
    ['a search form', '<form id="search_mini_form"></form>'],
    [
      'links to a basket and an account',
      '<a href="/checkout/cart">Cart</a><a href="/customer/account/login/">Login</a>',
    ],
    ['a shared folder', '<script src="/_ui/shared/a.js"></script>'],
    ['a template', '<link rel="stylesheet" href="/templates/Evolve/a.css">'],
  ])('show no platform: %s', (_, body) => {
    expect(observeStore(page({ body })).platform.slug).toBe('custom');
  });
});

describe('a platform whose globals the code of the page only reads', () => {
  it.each([
    ['BigCommerce', 'if (window.BCData) {}'],
    ['BigCommerce', "if (typeof window.BCData !== 'undefined') {}"],
    ['BigCommerce', 'var data = window.BCData || {};'],
    ['Nuvemshop', 'if (window.LS && LS.store) {}'],
    ['Nuvemshop', 'var id = LS.store.id;'],
    ['an alias of the local storage', 'var LS = window.localStorage; LS.cart = JSON.stringify(cart);'],
    ['a shop with the calculator of another', 'var baseUri = "/"; var roundMode = 2;'],
    ['Ecwid', 'if (typeof Ecwid !== "undefined") { Ecwid.OnAPILoaded.add(f); }'],
    ['VTEX', 'if (window.vtex) { vtex.events.subscribe(f) }'],
    ['VTEX', 'if (window.vtexjs) { vtexjs.checkout.getOrderForm() }'],
    ['Shoplazza', 'if (window.SHOPLAZZA) {}'],
    ['PrestaShop', 'if (window.prestashop) { prestashop.on("updateCart", f) }'],
    ['Magento', 'if (window.Mage) { Mage.Cookies }'],
    ['Cafe24', 'if (typeof EC_FRONT_EXTERNAL_SCRIPT_VARIABLE_DATA !== "undefined") {}'],
    ['Cafe24', 'if (window.EC_ROOT_DOMAIN) { a(EC_GLOBAL_INFO.getLanguageCode()); }'],
    ['Shopware', "if (window.router && window.router['frontend.cart.offcanvas']) {}"],
    ['Shoper', 'frontAPI && frontAPI.getProduct'],
    ['Shoper', 'if (window.shoper) { a(shoper.id); }'],
    ['WooCommerce', 'if (typeof wc_add_to_cart_params !== "undefined") {}'],
    ['Wix', 'if (window.wixBiSession) {}'],
    ['Odoo', 'if (window.odoo) { odoo.csrf_token }'],
    ['Shopify', 'var page = window.ShopifyAnalytics && ShopifyAnalytics.meta.page;'],
    ['Salesforce Commerce Cloud', 'if (window.dw && dw.ac && window.dwAnalytics) { dw.ac.x }'],
    ['SAP Commerce Cloud', 'if (window.ACC && ACC.config) { a(ACC.config.contextPath === "") }'],
    ['Miva', 'if (window.mivaJS) { a(mivaJS.Screen) }'],
    ['X-Cart', 'if (window.xliteConfig) {}'],
    ['CS-Cart', 'if (window.Tygh && Tygh.$) {}'],
    ['NetSuite', 'var id = SC && SC.ENVIRONMENT && SC.ENVIRONMENT.siteSettings;'],
    ['several', "var p = window.Shopify ? 'a' : window.BCData ? 'b' : window.LS ? 'c' : window.SHOPLAZZA ? 'd' : 'e';"],
  ])('is not detected: %s: %s', (_, code) => {
    expect(observeStore(page({ head: script(code) })).platform.slug).toBe('custom');
  });

  it.each([
    ['bigcommerce', 'var BCData = {"csrf_token":"a"};'],
    ['bigcommerce', 'window.BCData = {};'],
    ['nuvemshop', 'window.LS = { store: { id: 1 } };'],
    ['prestashop', 'let prestashop = {"cart":{}};'],
    ['magento', "Mage.Cookies.path = '/';"],
    ['cafe24', 'var EC_ROOT_DOMAIN = "cafe24.com";'],
    ['woocommerce', 'var wc_add_to_cart_params = {"ajax_url":"/"};'],
    ['wix', 'wixBiSession.isServerSide = 1;'],
    ['odoo', 'odoo.__session_info__ = {"is_admin":false};'],
    ['salesforce-commerce-cloud', 'dw.ac._capture({id: "1", type: "recommendation"});'],
    ['sap-commerce-cloud', 'ACC.config.rootPath = "/_ui";'],
    ['cs-cart', '(function(_, $) { _.tr({}); }(Tygh, Tygh.$));'],
    ['netsuite', 'SC.ENVIRONMENT.jsEnvironment = "browser";'],
    [
      'netsuite',
      "var SC = window.SC = { ENVIRONMENT: { jsEnvironment: (typeof nsglobal === 'undefined') ? 'browser' : 'server' } };",
    ],
    ['oxid-eshop', "$('#miniBasket').oxMiniBasket();"],
    [
      'idosell-shop',
      `var app_shop={urls:{prefix:'data="/gfx/'.replace('data="', '')+'pol/',graphql:'/graphql/v1/'},vars:{priceType:'gross'}};`,
    ],
  ])('is detected where the page sets or starts it: %s: %s', (slug, code) => {
    expect(observeStore(page({ head: script(code) })).platform.slug).toBe(slug);
  });
});

describe('a platform that a text names', () => {
  it.each([
    ['a call in a string', 'var help = "call salla.init( to start";'],
    ['a call with arguments in a string', "var help = 'call salla.init({a:1}) to start';"],
    ['an assignment in a regular expression', 'var form = /BCData =|LS\\.store =|BCData = {/;'],
    [
      'the address of an API in a sentence',
      'var article = "Call https://api.europe-west1.gcp.commercetools.com/my-project with a token";',
    ],
  ])('is not detected by %s', (_, code) => {
    expect(observeStore(page({ head: script(code) })).platform.slug).toBe('custom');
  });
});

describe('a file of a platform that other sites load', () => {
  it.each([
    ['a library', 'https://cdn.shopify.com/s/javascripts/currencies.js'],
    ['a payment button', 'https://cdn.shopify.com/shopifycloud/shopify_payment_button/x.js'],
    ['a library of a builder', 'https://static.parastorage.com/services/third-party/jquery/2.0.3/jquery.min.js'],
    ['a copy of a public library', 'https://static.parastorage.com/unpkg/react@16.13.1/umd/react.production.min.js'],
    ['an embedded product', 'https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js'],
  ])('shows no platform: %s', (_, url) => {
    expect(observeStore(page({ head: loaded(url) })).platform.slug).toBe('custom');
  });

  it('shows no platform: a font', () => {
    const font = 'https://static.parastorage.com/services/third-party/fonts/Helvetica/fontFace.css';
    expect(observeStore(page({ head: sheet(font) })).platform.slug).toBe('custom');
  });
});
