import type { PageInput } from '../../src/index.ts';

/** A page of an invented shop; a test sets what matters to it by `head`, `body` and `over`. */
export function page(
  markup: { head?: string; body?: string; lang?: string },
  over: Partial<PageInput> = {},
): PageInput {
  const { head = '', body = '', lang = 'en' } = markup;
  return {
    url: 'https://shop.example/',
    status: 200,
    headers: {},
    html: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`,
    ...over,
  };
}

export const script = (text: string): string => `<script>${text}</script>`;
export const loaded = (url: string): string => `<script src="${url}" async></script>`;
export const sheet = (url: string): string => `<link rel="stylesheet" href="${url}">`;
export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** What each platform's storefront leaves in a page, written from its public documentation and themes. */
export const storefronts: Readonly<Record<string, PageInput>> = {
  shopify: page({
    head: `${script('var Shopify = Shopify || {};\nShopify.shop = "demo.myshopify.com";\nShopify.theme = {"name":"Main","id":1,"schema_name":"Dawn","schema_version":"11.0.0","theme_store_id":887,"role":"main"};')}${sheet('//shop.example/cdn/shop/t/3/assets/base.css?v=1')}`,
    body: '<div id="shopify-section-header" class="shopify-section"></div>',
  }),
  woocommerce: page({
    head: `${sheet('/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver=9.1.2')}${script('var wc_add_to_cart_params = {"ajax_url":"\\/wp-admin\\/admin-ajax.php"};')}`,
    body: '<ul class="products"><li class="product type-product"><a href="?add-to-cart=12" class="add_to_cart_button">Add to cart</a></li></ul>',
  }),
  'magento 2': page({
    head: loaded('https://shop.example/static/version1700000000/frontend/Demo/luma/en_US/requirejs/require.js'),
    body: '<script type="text/x-magento-init">{"*":{"Magento_Customer/js/section-config":{}}}</script>',
  }),
  'magento 1': page({
    head: `${loaded('https://shop.example/js/varien/js.js')}${sheet('https://shop.example/skin/frontend/base/default/css/styles.css')}${script("Mage.Cookies.path = '/';")}`,
  }),
  prestashop: page({
    head: `<meta name="generator" content="PrestaShop">${script('var prestashop = {"cart":{}};')}${loaded('/modules/ps_shoppingcart/ps_shoppingcart.js')}`,
  }),
  'prestashop 1.6': page({
    head: `${script("var static_token = 'a'; var priceDisplayPrecision = 2; var roundMode = 2;")}${sheet('/themes/default-bootstrap/cache/v_12_0a1b2c3d_all.css')}${loaded('/modules/blockcart/ajax-cart.js')}`,
  }),
  opencart: page({
    head: loaded('catalog/view/javascript/common.js'),
    body: '<a href="index.php?route=product/category&amp;path=20">Desktops</a>',
  }),
  bigcommerce: page({
    head: `${sheet('https://cdn11.bigcommerce.com/s-abc123/stencil/0a-1b/css/theme-1.css')}${script('window.stencilBootstrap("default", "{}").load();')}`,
  }),
  squarespace: page({
    head: `${script('Static.SQUARESPACE_CONTEXT = {"websiteId":"1"};')}${loaded('https://assets.squarespace.com/universal/scripts-compressed/common-1.js')}`,
  }),
  wix: page({
    head: `<meta name="generator" content="Wix.com Website Builder">${loaded('https://static.parastorage.com/services/wix-thunderbolt/dist/main.js')}`,
  }),
  'salesforce-commerce-cloud': page({
    head: `${sheet('/on/demandware.static/Sites-Demo-Site/-/en_US/v1/css/global.css')}${script('var dwAnalytics = {};')}`,
  }),
  'hcl-commerce': page({
    head: loaded('/wcsstore/DemoStore/javascript/Common.js'),
    body: '<a href="/webapp/wcs/stores/servlet/TopCategoriesDisplay?storeId=10151&amp;catalogId=10051">Home</a>',
  }),
  'sap-commerce-cloud': page({
    head: `${sheet('/_ui/responsive/common/css/style.css')}${script('ACC.config.contextPath = "";')}`,
    body: '<div class="yCmsContentSlot"></div>',
  }),
  'zen-cart': page({
    head: `<meta name="generator" content="shopping cart program by Zen Cart&reg;, http://www.zen-cart.com eCommerce">${sheet('includes/templates/demo/css/stylesheet.css')}`,
  }),
  miva: page({
    head: `${loaded('/mm5/clientside.mvc?T=1')}${script("var mivaJS = {}; MivaEvents.ThrowEvent('x');")}`,
    body: '<a href="/mm5/merchant.mvc?Screen=BASK">Basket</a>',
  }),
  'shopware 6': page({
    head: `${sheet('https://shop.example/theme/0123456789abcdef0123456789abcdef/css/all.css?1')}${loaded('/bundles/storefront/assets/js/a.js')}`,
    body: '<div class="is-ctl-navigation"></div>',
  }),
  'shopware 5': page({
    head: sheet('/web/cache/1600000000_0123456789abcdef0123456789abcdef.css'),
    body: '',
  }),
  oscommerce: page({
    body: '<table><tr><td class="infoBoxHeading">Cart</td></tr></table><a href="/shopping_cart.php?osCsid=0123456789abcdef">Cart</a>',
  }),
  volusion: page({ head: `${loaded('/a/j/volusion.js')}${sheet('/v/vspfiles/templates/demo/css/Template.css')}` }),
  'cs-cart': page({ head: loaded('/js/tygh/core.js'), body: '<div id="tygh_container"></div>' }),
  vtex: page({ head: loaded('https://demo.vtexassets.com/_v/public/assets/a.js'), body: script('var vtxctx = {};') }),
  nopcommerce: page({
    head: '<meta name="generator" content="nopCommerce">',
    body: script("AjaxCart.init(false, '.cart-qty');"),
  }),
  'jtl-shop': page({
    body: '<form><input type="hidden" name="jtl_token" value="a"></form>',
    head: sheet('/templates/NOVA/themes/nova.css'),
  }),
};
