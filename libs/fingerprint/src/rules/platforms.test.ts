import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';

const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;

describe('platforms that few sites use', () => {
  it.each([
    ['shoper', sheet('/skins/user/rwd_shoper_1/a.css') + loaded('https://shop.dcsaascdn.net/a.js')],
    [
      'square-online',
      loaded('https://cdn3.editmysite.com/app/website/a.js') + sheet('https://cdn3.editmysite.com/app/website/a.css'),
    ],
    ['shoplazza', loaded('https://static.shoplazza.com/a.js') + script('window.SHOPLAZZA = {"shop":{}};')],
    ['nuvemshop', loaded('//dcdn.mitiendanube.com/a.js') + sheet('//dcdn.mitiendanube.com/a.css')],
  ])('the platform %s is not certain by two traces that no public document states', (slug, head) => {
    expect(observeStore(page({ head })).platform).toMatchObject({ slug, confidence: 'medium' });
  });

  it.each([
    ['odoo', meta('generator', 'Odoo') + script('odoo.__session_info__ = {"is_admin":false};')],
    ['big-cartel', meta('generator', 'Big Cartel') + script('window.bigcartel = window.bigcartel || {};')],
    ['oxid-eshop', sheet('/out/flow/src/css/styles.min.css') + script("$('#checkAll').oxBasketChecks();")],
    ['vtex', loaded('//io.vtex.com.br/vtex.js/2.0.0/vtex.min.js') + sheet('https://demo.vtexassets.com/_v/a.css')],
  ])('the platform %s is certain by two traces that public documents state', (slug, head) => {
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

  it('Hydrogen is not found by Shopify alone', () => {
    const { technologies } = observeStore(page({}, { headers: { 'powered-by': 'Shopify' } }));
    expect(technologies.map(({ slug }) => slug)).not.toContain('hydrogen');
  });

  it('an embedded button of Gumroad is not a storefront of Gumroad', () => {
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
  ])('names that any site may give show no platform: %s', (_, body) => {
    expect(observeStore(page({ body })).platform.slug).toBe('custom');
  });
});

describe('platform whose globals the code of the page only reads', () => {
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
  ])('a platform whose globals the code of the page only reads is not detected: %s: %s', (_, code) => {
    expect(observeStore(page({ head: script(code) })).platform.slug).toBe('custom');
  });
});

describe('platform that a text names', () => {
  it.each([
    ['a call in a string', 'var help = "call salla.init( to start";'],
    ['a call with arguments in a string', "var help = 'call salla.init({a:1}) to start';"],
    ['an assignment in a regular expression', 'var form = /BCData =|LS\\.store =|BCData = {/;'],
    [
      'the address of an API in a sentence',
      'var article = "Call https://api.europe-west1.gcp.commercetools.com/my-project with a token";',
    ],
  ])('a platform that a text names is not detected by %s', (_, code) => {
    expect(observeStore(page({ head: script(code) })).platform.slug).toBe('custom');
  });
});

describe('file of a platform that other sites load', () => {
  it.each([
    ['a library', 'https://cdn.shopify.com/s/javascripts/currencies.js'],
    ['a payment button', 'https://cdn.shopify.com/shopifycloud/shopify_payment_button/x.js'],
    ['a library of a builder', 'https://static.parastorage.com/services/third-party/jquery/2.0.3/jquery.min.js'],
    ['a copy of a public library', 'https://static.parastorage.com/unpkg/react@16.13.1/umd/react.production.min.js'],
    ['an embedded product', 'https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js'],
  ])('a file of a platform that other sites load shows no platform: %s', (_, url) => {
    expect(observeStore(page({ head: loaded(url) })).platform.slug).toBe('custom');
  });

  it('a file of a platform that other sites load shows no platform: a font', () => {
    const font = 'https://static.parastorage.com/services/third-party/fonts/Helvetica/fontFace.css';
    expect(observeStore(page({ head: sheet(font) })).platform.slug).toBe('custom');
  });
});
