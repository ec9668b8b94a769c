import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';

const found = (markup: Parameters<typeof page>[0], slug: string) =>
  observeStore(page(markup)).technologies.find((one) => one.slug === slug);

const wordpress = loaded('/wp-includes/js/wp-embed.min.js');
/** Extensions that exist only on Magento. */
const magento: ReadonlySet<string> = new Set([
  'amasty',
  'belvg-product-view-gallery',
  'creativestyle-amazon-payments',
  'easytabs',
]);
const shopify = script('Shopify.shop = "a.myshopify.com";');
const opencart = loaded('catalog/view/javascript/common.js');
const shopware = loaded('/bundles/storefront/a.js') + script("window.router = { 'frontend.cart.offcanvas': '/a' };");
const woocommerce = wordpress + sheet('/wp-content/plugins/woocommerce/assets/css/woocommerce.css');

describe('a library in a joined file', () => {
  it.each([
    ['caroufredsel', "jQuery('#list').carouFredSel({auto: false});"],
    ['counter-up', "$('.counter').counterUp({delay: 10});"],
    ['enquire-js', "enquire\n  .register('screen and (max-width: 770px)', {});"],
    ['flickity', "var a = new Flickity('.main', {});"],
    ['glide-js', "new Glide('.slides').mount();"],
    ['ion-rangeslider', "$('#range').ionRangeSlider({type: 'double'});"],
    ['isotope', "$('.grid').isotope({itemSelector: '.item'});"],
    ['lightslider', "$('#slides').lightSlider({item: 4});"],
    ['masonry-js', "$('.grid').masonry({});"],
    ['mcustomscrollbar', "$('.menu').mCustomScrollbar();"],
    ['nouislider', 'noUiSlider.create(range, {start: [0, 10]});'],
    ['jquery', "require(['jquery', 'domReady!'], function ($) {});"],
    ['jquery', 'require([ "jquery" ], function ($) {});'],
    ['requirejs', "require.config({'baseUrl': '/static'});"],
    ['requirejs', "var require = {'baseUrl': '/static'};"],
    ['select2', "$('select').select2();"],
    ['selectize', "$('select').selectize({});"],
    ['slicknav', "$('#menu').slicknav();"],
    ['splide', "new Splide('.splide').mount();"],
    ['superfish', "$('ul.menu').superfish();"],
    ['amasty', "var cart = new AmAjax({'send_url': '/amcart/ajax/'});"],
    ['belvg-product-view-gallery', "new prodViewGalleryForm(prods, 'prod_1');"],
    ['creativestyle-amazon-payments', "APA.setup('A1', {urls: {checkout: '/amazonpayments/advanced_checkout/'}});"],
    ['easytabs', "new EasyTabs('.tabs a');"],
    ['dhtml-calendar', 'Calendar._DN = ["Sunday"];'],
    ['jquery-cookie', "var seen = $.cookie('seen');"],
    ['prototype-window', "new Window({id: 'popup', className: 'magento', url: url});"],
    ['spectrum', "$('#color').spectrum({color: '#f00'});"],
    ['toastr', "toastr.success('Added');"],
    ['webpack', '(self["webpackChunkshop"] = self["webpackChunkshop"] || []).push([[1], {}]);'],
    ['webpack', 'window.__webpack_public_path__ = "https://shop.example/dist/";'],
    ['waypoints', "$('.block').waypoint(function () {});"],
    ['waitforimages', '$(this).waitForImages({finished: load});'],
    ['jquery-lazy-load', "$('img.lazy').lazyload({placeholder: '/a.gif', data_attribute: 'src'});"],
    ['jquery-ui', "require(['jquery', 'jquery/ui', 'mage/translate'], function ($) {});"],
  ])('%s is found by the call that starts it', (slug, code) => {
    const head = magento.has(slug) ? loaded('/js/varien/js.js') : '';
    const technology = found({ head, body: script(code) }, slug);
    expect(technology).toMatchObject({ confidence: 'medium', installState: 'active' });
    expect(found({ head, body: `<pre>${code}</pre>${script(`/* ${code} */`)}` }, slug)).toBeUndefined();
  });

  it.each([
    ['animsition', '<a class="animsition-link" href="/">Home</a>'],
    ['aos', '<div data-aos="fade-up"></div>'],
    ['bootstrap', '<button class="navbar-toggler" data-bs-toggle="collapse"></button>'],
    ['bootstrap', '<div class="row no-gutters"><div class="col-md-6"></div></div>'],
    ['cloud-zoom', '<a class="cloud-zoom" href="/big.jpg"><img src="/small.jpg"></a>'],
    ['easyzoom', '<div class="easyzoom easyzoom--adjacent"></div>'],
    ['flexslider', '<div class="flexslider"><ul class="slides"><li></li></ul></div>'],
    ['lightbox', '<a href="/big.jpg" data-lightbox="gallery"></a>'],
    ['owl-carousel', '<div class="items owl-carousel"></div>'],
    ['slick', '<div data-slick=\'{"slidesToShow": 4}\'></div>'],
    ['bootstrap', '<ul class="nav navbar-nav"><li></li></ul>'],
    ['tailwind-css', '<div class="grid md:grid-cols-2"></div>'],
    ['uikit', '<div uk-grid></div>'],
    ['zurb-foundation', '<meta class="foundation-data-attribute-namespace">'],
  ])('%s is found by the elements that it reads', (slug, body) => {
    expect(found({ body }, slug)).toMatchObject({ confidence: 'medium' });
  });

  it.each([
    ['disqus', '<div id="disqus_thread"></div>'],
    ['klaviyo', script('if (window.klaviyo) { window.klaviyo.push(["consent", state]); }')],
    ['klaviyo', script('var settings = {blockedScripts: ["https://static.klaviyo.com/onsite/js/a.js"]};')],
    ['microsoft-advertising', script('var scriptBlockList = ["https://bat.bing.com/bat.js"];')],
    [
      'klaviyo',
      script(
        'var a = {blockedScripts: [{"src": "a.js", "categories": ["ads"]}, {"src": "https://static.klaviyo.com/a.js"}]};',
      ),
    ],
    ['facebook-pixel', script('var a = {"blackList": {"1": ["https://connect.facebook.net/en_US/fbevents.js"]}};')],
    [
      'klaviyo',
      script('var a = {services: {klaviyo: {label: "K", urls: ["https://static.klaviyo.com/onsite/js/a.js"]}}};'),
    ],
    ['microsoft-advertising', script('const blockedUrls = new Set(["https://bat.bing.com/bat.js"]);')],
    ['centra', '<img src="https://brand.centracdn.net/client/dynamic/images/1_a.jpg">'],
    ['klaviyo', script('var doc = "see klaviyo.identify(a) and klaviyo.init(b)";')],
    ['klaviyo', script('if (window._klOnsite === undefined) { later(); }')],
    ['vwo', script('var doc = "_vwo_code=1";')],
    ['vwo', script('if (window._vwo_code === undefined) { later(); }')],
    ['google-tag-manager', script(`var a = "w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});";`)],
    ['google-tag-manager', script("var a = `w[l].push({'gtm.start': new Date().getTime(), event: 'gtm.js'});`;")],
    ['cloud-zoom', '<a class="cloud-zoom" role="button"><img src="/small.jpg"></a>'],
    ['youtube', script('t.src = "https://www.youtube-nocookie.com/embed/".concat(id, "?").concat(query);')],
    ['readmore-js', loaded('/assets/ReadMore.8ddfd159.js')],
  ])('%s is not named by an element or a file that the site has without it', (slug, body) => {
    expect(found({ body }, slug)).toBeUndefined();
  });

  it.each([
    ['disqus', script('var disqus_shortname = "demo";')],
    ['disqus', `<div id="disqus_thread"></div>${script('var disqus_config = function () { this.page.url = "/a"; };')}`],
    [
      'klaviyo',
      script(
        'var nonBlockingScripts = ["https://static.klaviyo.com/onsite/js/a.js"]; nonBlockingScripts.forEach(load);',
      ),
    ],
    ['microsoft-advertising', script('var blocks = ["https://bat.bing.com/bat.js"]; blocks.forEach(load);')],
    ['microsoft-advertising', script('var urls_block = ["https://bat.bing.com/bat.js"]; urls_block.forEach(load);')],
    [
      'microsoft-advertising',
      script('var blockedScripts = ["https://a.example/a.js"]; load(["https://bat.bing.com/bat.js"]);'),
    ],
    ['vwo', script('var doc = "_vwo_code=1"; window._vwo_code = (function () { return {}; })();')],
    ['vwo', script('if (window._vwo_code === undefined) { window._vwo_code = (function () { return {}; })(); }')],
    ['youtube', '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk"></iframe>'],
    ['readmore-js', loaded('/assets/readmore.min.js')],
  ])('%s is named when the page starts or loads it', (slug, body) => {
    expect(found({ body }, slug)).toBeDefined();
  });

  it.each([
    ['google-tag-manager', loaded('https://metrics.shop.example/gtm.js?id=GTM-ABC1234&l=dataLayer')],
    ['google-tag-manager', '<iframe src="https://metrics.shop.example/ns.html?id=GTM-ABC1234"></iframe>'],
    [
      'google-tag-manager',
      script(
        "(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});})(window,document,'script','dataLayer','GTM-ABC1234');",
      ),
    ],
    ['google-analytics', loaded('https://metrics.shop.example/gtag/js?cx=c&id=G-ABC12345')],
    [
      'google-ads-conversion-tracking',
      loaded('https://googleads.g.doubleclick.net/pagead/viewthroughconversion/714356504/?random=1'),
    ],
    ['getbutton', script('s.onload = function () { WhWidgetSendButton.init(host, proto, options); };')],
    ['storehippo', loaded('/ms/store/demo/EN/translations-auto.js?version=1')],
    [
      'facebook-pixel',
      loaded('https://images.tcdn.com.br/commerce/assets/store/js/dist/facebook-conversion.js?pixel=637268566925442'),
    ],
    ['tiktok-pixel', loaded('https://images.tcdn.com.br/tiktok/production/js/5934_tiktokpixel.js')],
    ['klaviyo', script("klaviyo.init({account: 'AbC123'});")],
    ['publii', '<meta name="generator" content="Publii Open-Source CMS for Static Site">'],
    ['centra', '<img src="https://shop.centracdn.net/client/dynamic/images/1_a.jpg">'],
    ['vwo', script('window._vwo_code = window._vwo_code || (function () { return {}; })();')],
  ])('%s is found by a file or a call that a shop serves from its own host', (slug, body) => {
    expect(found({ body }, slug)).toMatchObject({ confidence: 'medium', installState: 'active' });
    expect(found({ body: `<pre>${body.replaceAll('<', '&lt;')}</pre>` }, slug)).toBeUndefined();
  });

  it.each([
    ['extole', script('extole.createZone({"name": "global_header"});')],
    [
      'riskified',
      script(
        'var url = ("https:" == p ? "https://" : "http://") + "beacon.riskified.com?shop=" + domain + "&sid=" + id;',
      ),
    ],
    [
      'liveperson',
      script("window.lpTag = window.lpTag || {}; if (typeof lpTag._tagCount === 'undefined') lpTag = {};"),
    ],
    ['authorize-net', '<a href="https://verify.authorize.net/anetseal/?pid=7034b95e-e313-4c65-9b67-27ebccf999ca"></a>'],
    ['godaddy-site-seal', '<a href="https://seal.godaddy.com/verifySeal?sealID=a1"></a>'],
    [
      'cloudflare-rocket-loader',
      loaded('https://ajax.cloudflare.com/cdn-cgi/scripts/7089c43e/cloudflare-static/rocket-loader.min.js'),
    ],
    ['google-analytics', script("subscribeOnBodlEvents('G-V0JGHNFKGB', 'dMjk3Nj', false);")],
    [
      'fotorama',
      '<script type="text/x-magento-init">{"[data-gallery-role]": {"mage/gallery/gallery": {"data": []}}}</script>',
    ],
    ['konduto', script('var __kdt = __kdt || []; __kdt.push({"public_key": "P1"});')],
    ['justuno', script('window.ju_num = "04D63708-8DAE-4237-AFD9-7647371E20B6"; window.asset_host = "//cdn.jst.ai/";')],
    ['yall-js', script('/* yall.js v2.2.2 */ var yall = function () { return {}; };')],
    ['listrak', loaded('/on/demandware.static/Sites-Demo-Site/-/en_US/v1/js/ltkClickTracking.js')],
    ['liveperson', loaded('https://files.shop.example/js/mtagconfig.js')],
    ['powerreviews', loaded('/on/demandware.static/Sites-Demo-Site/-/default/v1/js/powerreviews.js')],
    ['digioh', loaded('https://forms.shop.example/w1/vendor/f0ff0959-79f9-4c1e-a197-0361a8f1cbb2/lightbox_speed.js')],
    ['paypal', loaded('https://js.braintreegateway.com/web/3.104.0/js/paypal-checkout.min.js')],
    ['gsap', loaded('/js/MotionPathPlugin.min.js')],
    ['vue-js', loaded('/js/vue.runtime.esm-browser.prod.js')],
    ['hydrogen', sheet('https://cdn.shopify.com/oxygen-v2/1/2/3/4/build/_assets/Footer-A1.css')],
    ['movable-ink', loaded('https://eze0w1ea.micpn.com/p/js/1.js')],
    ['cloudinary', loaded('https://product-gallery.cloudinary.com/1.2.10/all.js')],
    ['myregistry', loaded('https://www.myregistry.com/ExternalApps/Demo/ScriptWriter.ashx')],
    ['loqate', '<input type="hidden" id="loqateAccountCode" value="SHOP11124">'],
    ['facebook-social-plugins', '<iframe src="https://www.facebook.com/v2.10/plugins/like_box.php?href=a"></iframe>'],
    ['font-awesome', '<svg class="svg-inline--fa fa-truck" data-prefix="fal" data-icon="truck"></svg>'],
    ['font-awesome', sheet('https://kit-free.fontawesome.com/releases/latest/css/free.min.css')],
    ['swiper', '<div class="swiper-container__products"><div class="swiper-wrapper"></div></div>'],
    ['linx-impulse', '<div chaordic="top"></div>'],
    ['amazon-cloudfront', sheet('https://d3o372dlsg9lxo.cloudfront.net/assets/application-1.css')],
  ])('%s is found by its own call, file or element: %s', (slug, markup) => {
    const technology = found({ body: markup }, slug);
    expect(technology).toMatchObject({ installState: 'active' });
    expect(found({ body: `<pre>${markup.replaceAll('<', '&lt;')}</pre>` }, slug)).toBeUndefined();
  });

  it.each([
    ['stripe', script('window.ENV = {"STRIPE_US_API_KEY": "pk_live_3eGt7h5iRYtudFyknyvKI6ZP"};')],
    ['recaptcha', script('window.ENV = {"RECAPTCHA_SITE_KEY": "6Lf_s8cpAAAAAJc7yy33g7L1t4LxNSHVfkfdSquq"};')],
    ['recaptcha', script('var c = {"recaptchaEnterpriseSiteKey":"6LdDFQwjAAAAAPigEvvPgEVbb7QBm-TkVJdDTlAv"};')],
    ['vue-js', '<link rel="modulepreload" href="/assets/vue.esm-bundler.js">'],
    ['gsap', '<link rel="modulepreload" href="/assets/ScrollTrigger.js">'],
    ['hydrogen', '<link rel="modulepreload" href="https://cdn.shopify.com/oxygen-v2/1/2/3/4/build/root-A1.js">'],
    ['google-sign-in', '<meta name="google-signin-client_id" content="1-a.apps.googleusercontent.com">'],
    ['paybright', script('window.ENV = {"PAYBRIGHT_URL": "https://app.paybright.com/api/api_IframeBased.aspx"};')],
  ])('%s is configured by a setting with its key or address, or by a file that only may load: %s', (slug, body) => {
    expect(found({ body }, slug)).toMatchObject({ installState: 'configured' });
  });

  it.each([
    ['stripe', script('window.ENV = {"PAYSTACK_KEY": "pk_live_3eGt7h5iRYtudFyknyvKI6ZP"};')],
    ['gsap', loaded('/js/UserScrollTrigger.js')],
    ['rawgit', loaded('https://rawcdn.githack.com/someone/repository/0a1b2c3d/a.js')],
    ['amazon-cloudfront', loaded('https://d21gpk1vhmjuf5.cloudfront.net/widget.js')],
  ])('%s is not named by what another product has as well: %s', (slug, body) => {
    expect(found({ body }, slug)).toBeUndefined();
  });

  it.each([
    "if (typeof klaviyo !== 'undefined') klaviyo.identify({email: email});",
    "klaviyo.openForm('AbC123');",
    'klaviyo.isIdentified().then(show);',
    "klaviyo.track('Viewed Product', item);",
    'var _klOnsite = window._klOnsite || [];',
  ])('Klaviyo is configured by a call that a theme may make for any account: %s', (code) => {
    expect(found({ body: script(code) }, 'klaviyo')).toMatchObject({ installState: 'configured' });
  });

  it.each([
    ['klaviyo', "klaviyo.init({account: 'AbC123'});"],
    ['google-tag-manager', "w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});"],
  ])('%s is configured by a script of a template, which does not run', (slug, code) => {
    const template = (open: string) => found({ body: `${open}${script(code)}</template>` }, slug)?.installState;
    expect(template('<template>')).toBe('configured');
    expect(template('<template shadowrootmode="open">')).toBe('active');
    expect(found({ body: `<template>${script(code)}</template>${script(code)}` }, slug)?.installState).toBe('active');
  });

  it('a script that a template loads waits for a copy of the template', () => {
    const body = `<template>${loaded('https://static.klaviyo.com/onsite/js/a.js')}</template>`;
    expect(found({ body }, 'klaviyo')).toMatchObject({ installState: 'configured' });
    const loader = script('load("https://static.klaviyo.com/onsite/js/a.js");');
    expect(found({ body: `<template>${loader}</template>` }, 'klaviyo')).toMatchObject({ installState: 'configured' });
  });

  it('the folder of the front end of StoreHippo alone makes no platform', () => {
    const head = loaded('/global/assets/mystore/js/a.js');
    expect(observeStore(page({ head })).platform.slug).not.toBe('storehippo');
    const both = head + loaded('/ms/store/demo/EN/translations-auto.js');
    expect(observeStore(page({ head: both })).platform.slug).toBe('storehippo');
  });

  it('an object with the name of RequireJS alone is no settings of RequireJS', () => {
    expect(found({ body: script('var require = {vs: {a: 1}};') }, 'requirejs')).toBeUndefined();
  });

  it('Knockout is found by the comments that it reads', () => {
    const body = (comment: string) => ({ body: `<div><!-- ${comment} --><span></span><!-- /ko --></div>` });
    for (const comment of ['ko if: customer().fullname', 'ko template: getTemplate()', "ko i18n: 'Hi'"])
      expect(found(body(comment), 'knockout-js')).toMatchObject({ confidence: 'medium' });
    expect(found(body('ko, if: at all'), 'knockout-js')).toBeUndefined();
  });

  it('is not found by attributes and classes of the same words with another meaning', () => {
    const body =
      '<div data-aos></div><div class="slides"></div><div class="flexslider-wrapper"></div><a class="zoom" href="/a">b</a><button class="dropdown-toggle" data-toggle="dropdown"></button>';
    for (const slug of ['aos', 'flexslider', 'cloud-zoom', 'bootstrap']) expect(found({ body }, slug)).toBeUndefined();
  });
});

describe('reCAPTCHA in a module of Magento', () => {
  const component = (name: string) =>
    found(
      {
        head: loaded('/static/version1/frontend/Magento/luma/en_US/requirejs/require.js'),
        body: `<script type="text/x-magento-init">{"*":{"Magento_Ui/js/core/app":{"components":{"recaptcha":{"component":"${name}"}}}}}</script>`,
      },
      'recaptcha',
    );

  it('is found where a form has it', () => {
    expect(component('Magento_ReCaptchaFrontendUi\\/js\\/reCaptcha')).toMatchObject({ installState: 'active' });
    expect(component('MSP_ReCaptcha\\/js\\/reCaptcha')).toBeDefined();
    expect(component('Magento_Captcha\\/js\\/view')).toBeUndefined();
  });
});

describe('a service in copied code', () => {
  it.each([
    ['admiral', script('(function(o,n){})(window,String.fromCharCode(97,100,109,105,114,97,108));')],
    ['adobe-dynamic-media-classic', '<img src="https://s7d9.scene7.com/is/image/shop/1">'],
    [
      'flodesk',
      script(
        "(function(w,d,t,h,s,n){w.FlodeskObject=n;})(window,document,'script','https://assets.flodesk.com','/universal','fd');",
      ),
    ],
    ['freshdesk', script('FreshWidget.init("", {});')],
    ['lit-html', script('(g.litHtmlVersions??(g.litHtmlVersions=[])).push("3.0.0");')],
    ['lit-element', script('(globalThis.litElementVersions??=[]).push("4.0.0");')],
    ['pinterest', '<script src="/cache/min/1/js/pinit.js" data-pin-hover="true"></script>'],
    ['reqwest', script('!function(){var require=void 0,reqwest=function(){return 1}}();')],
    ['webpack', script('window.__webpack_public_path__ = "https://cdn.example/dist/";')],
    ['mautic', '<div class="mauticform_wrapper"></div>'],
    ['google-publisher-tag', script('googletag.pubads().enableSingleRequest();')],
    ['next-js', '<script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>'],
    ['next-js', loaded('/_next/static/chunks/main-0a1b2c.js')],
  ])('%s is found', (slug, body) => {
    expect(found({ body }, slug)).toMatchObject({ confidence: 'medium' });
  });

  it.each([
    ['all-in-one-seo-pack', '<!-- All in One SEO 4.4.7.1 - aioseo.com -->'],
    ['all-in-one-seo-pack', '<!-- All in One SEO Pro 4.5.0 - aioseo.com -->'],
    ['all-in-one-seo-pack', '<!-- All in One SEO 4.1.6.2 -->'],
    ['all-in-one-seo-pack', '<script type="application/ld+json" class="aioseo-schema">{}</script>'],
    ['jetengine', script('var JetEngineSettings = {"ajaxurl":""};')],
    ['moove-gdpr-consent', script('var moove_frontend_gdpr_scripts = {"ajaxurl":""};')],
    ['massive-addons', script('var _mpc_ajax = "/wp-admin/admin-ajax.php";')],
    ['astra-pro', script('var astraAddon = {"sticky_active":""};')],
    ['drip', script('var wcdrip = {"account_id":"1234567"};')],
    ['drip-for-woocommerce', script('var wcdrip = {"account_id":"1234567"};')],
    ['woocommerce-product-reviews-pro', script('var wc_product_reviews_pro = {"is_user_logged_in":""};')],
    ['woocommerce-google-analytics-pro', script('window.wc_ga_pro = {};')],
    ['woocommerce-social-login', '<a class="button-social-login button-social-login-google" href="/">Log in</a>'],
    ['responsive-menu', '<button class="responsive-menu-button"><span class="responsive-menu-inner"></span></button>'],
    ['searchiq', script('(function () { window.siqConfig = {engineKey: "0a"}; })();')],
    ['all-in-one-seo-pack', '<meta name="generator" content="All in One SEO (AIOSEO) 4.4.7.1">'],
    ['pixelyoursite', '<!-- Google Tag Manager by PYS -->'],
    ['pixelyoursite', script('var pys_datalayer_name = "dataLayer";')],
    ['pixel-manager-for-woocommerce', '<!-- START Pixel Manager for WooCommerce -->'],
    ['pixel-manager-for-woocommerce', script('window.wpmDataLayer = window.wpmDataLayer || {};')],
    [
      'product-feed-pro-for-woocommerce',
      '<!-- This website runs the Product Feed PRO for WooCommerce by AdTribes.io plugin - version 13.3 -->',
    ],
  ])('%s is found by what the plugin prints: %s', (slug, head) => {
    const shop = loaded('/wp-content/plugins/woocommerce/assets/js/frontend/woocommerce.min.js');
    expect(found({ head: `${wordpress}${shop}${head}` }, slug)).toMatchObject({ confidence: 'medium' });
  });

  it.each([
    ['ga-google-analytics', '<!-- GA Google Analytics @ https://m0n.co/ga -->'],
    ['related-posts-for-wordpress', '<div class="rp4wp-related-posts"><ul><li></li></ul></div>'],
    ['tasty-links', '<a class="tasty-link" href="/a" data-tasty-links-append-disclosure>a</a>'],
    ['tasty-pins', '<div class="tasty-pins-hidden-image-container"><img class="tasty-pins-hidden-image"></div>'],
    ['wp-affiliate-disclosure', '<div id="wpadc-wrapper" class="wpadc-wrapper-class">a</div>'],
  ])('%s is found by what the plugin prints where its files are joined with others', (slug, body) => {
    expect(found({ head: wordpress, body }, slug)).toMatchObject({ confidence: 'medium' });
    expect(found({ body }, slug)).toBeUndefined();
  });

  it.each([
    ['lion-bundles', shopify, script('window.lion = {}; window.lion.discount_method = "code";')],
    ['shop-pop', shopify, `<!-- BeginShopPopAddon -->${script('Shopify.shopPopSettings = {"proof_enabled":true};')}`],
    ['wholesale-pricing-discount', shopify, '<!-- WPD Start --><!-- WPD End -->'],
    [
      'bigcommerce-consent-manager',
      loaded('https://cdn11.bigcommerce.com/s-31zptpmygo/stencil/a/e/b/dist/theme-bundle.main.js'),
      script('window.consentManagerStoreConfig = function () { return {"storeName":"a"}; };'),
    ],
    ['live-options', opencart, loaded('index.php?route=product/live_options/js&product_id=98')],
    ['live-search-for-opencart', opencart, script("var live_search = {\n  selector: '#search input'\n};")],
  ])('%s is found by what the app prints on its platform, and on no other page', (slug, head, body) => {
    expect(found({ head, body }, slug)).toMatchObject({ confidence: 'medium' });
    expect(found({ body }, slug)).toBeUndefined();
  });

  it('Section Store is found by the names of its sections', () => {
    const section = (name: string) => ({
      body: `<div id="shopify-section-template--1__${name}_fVLUjn" class="shopify-section"></div>`,
    });
    expect(found(section('ss_testimonials_2'), 'section-store')).toMatchObject({ confidence: 'medium' });
    expect(found(section('testimonials'), 'section-store')).toBeUndefined();
  });

  it('Google Analytics is found by the comment that Magento prints around the settings of its module', () => {
    const settings =
      '<script type="text/x-magento-init">{"*":{"Magento_GoogleAnalytics/js/google-analytics":{}}}</script>';
    const body = `<!-- BEGIN GOOGLE ANALYTICS CODE -->${settings}<!-- END GOOGLE ANALYTICS CODE -->`;
    expect(found({ body }, 'google-analytics')).toMatchObject({ confidence: 'medium' });
  });

  it('Elementor is found in the folders of Bedrock', () => {
    const head = loaded('/app/plugins/elementor/assets/js/frontend.min.js?ver=3.23.4');
    const body = '<div data-elementor-type="wp-page" class="elementor elementor-kit-5"></div>';
    const observed = observeStore(page({ head, body })).technologies.map(({ slug }) => slug);
    expect(observed).toEqual(expect.arrayContaining(['elementor', 'wordpress']));
  });

  it('the queue of a tag alone is no tag of Google', () => {
    expect(
      found({ body: script('window.googletag = window.googletag || {cmd: []};') }, 'google-publisher-tag'),
    ).toBeUndefined();
  });

  it('hCaptcha is found by the file that Shopify gives to forms', () => {
    const head =
      shopify +
      script(
        "var a='https://cdn.shopify.com/shopifycloud/storefront-forms-hcaptcha/ce_storefront_forms_captcha_hcaptcha.v1.5.2.iife.js';",
      );
    expect(found({ head }, 'hcaptcha')).toMatchObject({ installState: 'active' });
    expect(found({ head }, 'recaptcha')).toBeUndefined();
    const other = head.replace('captcha_hcaptcha', 'captcha_recaptcha');
    expect(found({ head: other }, 'hcaptcha')).toBeUndefined();
    expect(found({ head: other }, 'recaptcha')).toMatchObject({ installState: 'active' });
  });
});

describe('settings that a plugin of WordPress prints for a joined script', () => {
  it.each([
    ['curcy-multi-currency-for-woocommerce', 'var wooMultiCurrencyParams = {"switchByJS":"1"};'],
    ['wpc-product-bundles', 'var woosb_vars={"wc_price_decimals":"2"};'],
    ['wpc-smart-wishlist', 'var woosw_vars = {"ajax_url":"/a"};'],
    ['yotpo-for-woocommerce', 'var yotpo_settings = {"app_key":"a"};'],
    ['activecampaign-for-wordpress', 'var php_data = {"ac_settings":{"tracking_actid":612,"site_tracking":1}};'],
    ['fibosearch', 'var dgwt_wcas = {"labels":{}};'],
    ['side-cart-woocommerce', 'var xoo_wsc_params = {"adminurl":"/a"};'],
    ['yith-woocommerce-quick-view', 'var yith_qv = {"ajaxurl":"/a"};'],
  ])('name %s', (slug, code) => {
    expect(found({ head: wordpress + script(code) }, slug)).toMatchObject({ installState: 'configured' });
    expect(found({ head: wordpress, body: `<pre>${code}</pre>` }, slug)).toBeUndefined();
  });

  it('name the tags of Google whose identifiers they have', () => {
    const head = script(
      'var a = {"ads":{"conversion_ids":{"AW-11044677495":""}},"ga4":{"measurement_id":"G-98PVNVT4H8"}};',
    );
    for (const slug of ['google-ads-conversion-tracking', 'google-analytics'])
      expect(found({ head }, slug)).toBeDefined();
    const empty = script('var a = {"ads":{"conversion_ids":{}},"ga4":{"measurement_id":""}};');
    for (const slug of ['google-ads-conversion-tracking', 'google-analytics'])
      expect(found({ head: empty }, slug)).toBeUndefined();
  });
});

describe('files of an optimizer', () => {
  it.each([
    ['click-to-chat-for-whatsapp', '/wp-content/uploads/siteground-optimizer-assets/ht_ctc_app_js.min.js'],
    ['fancybox', '/wp-content/uploads/siteground-optimizer-assets/jquery-fancybox.min.js'],
    ['caroufredsel', '/wp-content/uploads/siteground-optimizer-assets/jquery-caroufredsel.min.js'],
    ['animate-css', '/web/css/animate.optimized.css'],
  ])('%s is found by the handle in the name of %s', (slug, url) => {
    const tag = url.endsWith('.css') ? `<link rel="stylesheet" href="${url}">` : loaded(url);
    expect(found({ head: wordpress + tag }, slug)).toBeDefined();
  });
});

describe('a loader or an element of a product', () => {
  it.each([
    ['acris', shopware + script("window.acrisCookiePrivacy = {a: '_||_'};")],
    ['akamai-bot-manager', loaded('/akam/13/6e290ff2')],
    ['algolia', script('window.shop = {"algolia":{"appId":"AB1CD2EF3G","apiKey":"0"}};')],
    ['amplience', '<img src="//demo.a.bigcontent.io/v1/static/lookbook">'],
    ['amplience', '<div style="background-image:url(//demo.a.bigcontent.io/v1/static/loader)"></div>'],
    ['botdetect-captcha', loaded('/BotDetectCaptcha.ashx?get=clientScriptInclude')],
    ['coolbax', `${shopware}<div data-cbax-cross-selling-action="/cbax/addtocartmodal/1"></div>`],
    ['doofinder', "<template data-intedia-doofinder-options='{}'></template>"],
    ['dtgs-google-tag-manager', shopware + script("const isOn = document.cookie.includes('dtgsAllowGtmTracking=1');")],
    ['emarsys', '<form action="https://suite6.emarsys.net/u/register.php"></form>'],
    ['episerver-peerius', script('var peeriusCMPTemplateId = "a";')],
    ['findologic', `${shopware}<form action="/SwpFindologic/search"></form>`],
    ['headjs', script('var head_conf = { head: "load" };')],
    ['intedia-doofinder', `${shopware}<template data-intedia-doofinder></template>`],
    ['klaro', script('link({ href: config.poweredBy || "https://klaro.kiprotect.com" });')],
    ['microsoft-asp-net', loaded('/bundles/js?v=inCVuEFe6J4Q07A0AcRsbJic_UE5MwpRMNGcOtk94TE1')],
    ['sentry', script('var a = {"dsn":"https://0123456789abcdef0123456789abcdef@o123.ingest.sentry.io/1"};')],
    ['skyverge', woocommerce + script('var sv_wc_payment_gateway_payment_form_params = {"a":"1"};')],
    ['vite', '<script type="module" src="/build/assets/index-4ed993c7.js"></script>'],
    ['zendesk', script('window.zESettings = { webWidget: { offset: {} } };')],
    ['alia', shopify + script('window.ALIA_SHOPIFY_EXTENSION_INFO = {"shop": "a"};')],
    ['bundler', shopify + loaded('https://cdn-bundler.nice-team.net/app/js/bundler.js')],
    ['camera-slideshow', '<div class="camera_wrap" id="camera_wrap_0"></div>'],
    ['cj-affiliate', script('var a = [{"type":"CUSTOM","name":"CJ-Network-Integration-Pixel"}];')],
    ['es-module-shims', loaded('/cdn/shopifycloud/importmap-polyfill/es-modules-shim.2.4.0.js')],
    ['facebook-pixel', shopify + script('trekkie.load({"Facebook Pixel": {\n "pixelIds": [\n "123456"]}});')],
    ['flickity', '<div class="flickity-viewport"><div class="flickity-slider"></div></div>'],
    ['google-analytics', script('analytics.cookieAnalytics("UA-79684551-1");')],
    ['heatmap', shopify + script("(function (h) { (h._heatmap_paq = []).push(['setTrackerUrl', 'a']); })(window);")],
    [
      'handlebars',
      '<script id="CartTemplate" type="text/template"><ul>{{#items}}<li>{{name}}</li>{{/items}}</ul></script>',
    ],
    ['imagekit', '<img src="https://ik.imagekit.io/demo/a.jpg">'],
    ['jquery-knob', '<input class="knob days" data-fgColor="#ff8a2b">'],
    ['mageplaza', loaded('/js/varien/js.js') + loaded('media/mageplaza/search/default_0.js')],
    ['paypal', '<meta id="in-context-paypal-metadata" data-merchant-id="A1">'],
    ['twitter-typeahead-js', loaded('/assets/js/typeahead.bundle.minde39.js')],
    ['wordfence', wordpress + script("load('//shop.example/?wordfence_lh=1&hid=A1');")],
    ['zendesk-chat', script("$zopim.livechat.set({language: 'en'});")],
  ])('%s is found', (slug, body) => {
    expect(found({ body }, slug)).toBeDefined();
  });

  it.each([
    ['akamai-bot-manager', loaded('/akam/styles/6e290ff2')],
    ['jquery-cookie', script('var help = "call $.cookie(\'name\') to read it";')],
    ['jquery-blockui', script('var help = "call $.blockUI() to wait";')],
    ['microsoft-asp-net', loaded('/bundles/js?v=12')],
    ['microsoft-asp-net', loaded('/bundles/app/js/main.js?v=da39a3ee5e6b4b0d3255bfef95601890afd80709')],
    ['microsoft-asp-net', loaded('https://lists.example/visitors/list.ashx?id=1')],
    ['vite', loaded('/assets/index-4ed993c7.js')],
    ['paypal', '<meta id="in-context-paypal-metadata" data-merchant-id="">'],
    ['jquery-knob', '<div class="knob"></div>'],
    ['flickity', '<div class="flickity-slider"></div>'],
    ['flexslider', '<div class="flexslider"><ul class="slides"></ul></div>'],
  ])('%s is not found by %s', (slug, body) => {
    expect(found({ body }, slug)).toBeUndefined();
  });
});

describe('the state of a technology', () => {
  it.each([
    [
      'recaptcha',
      shopify +
        script(
          '(t=e.createElement("script")).setAttribute("src","https://cdn.shopify.com/shopifycloud/storefront-recaptcha-v3/v0.5/index.js");',
        ),
    ],
    ['zurb-foundation', '<meta class="foundation-data-attribute-namespace">'],
    ['locksmith', shopify + script('var e=window.Locksmith={},t=1;')],
  ])('is active where its own code runs: %s', (slug, head) => {
    expect(found({ head }, slug)).toMatchObject({ installState: 'active' });
  });

  it.each([
    [
      'focus-within-polyfill',
      '<script nomodule="" src="https://unpkg.com/focus-within-polyfill@5.0.9/dist/a.js"></script>',
    ],
    ['recaptcha', shopify + script('Shopify.recaptchaV3 = {siteKey: "a"};')],
    ['locksmith', shopify + script('if (window.Locksmith) window.Locksmith.ready();')],
  ])('is not active where nothing of it runs: %s', (slug, head) => {
    expect(found({ head }, slug)?.installState).not.toBe('active');
  });
});

describe('traces that several products share', () => {
  it.each([
    ['https://cdn-loyalty.yotpo.com/loader/a.js', 'yotpo-loyalty-and-referrals', 'yotpo-reviews'],
    ['https://currency.conversionbear.com/script?app=currency', 'bucks-currency-converter', 'honeycomb-upsell'],
    ['https://pagead2.googlesyndication.com/tag/js/gpt.js', 'google-publisher-tag', 'google-adsense'],
    ['https://staticw2.yotpo.com/a/widget.js', 'yotpo-reviews', 'yotpo-loyalty-and-referrals'],
    ['https://cdn.conversionbear.com/a.js?app=honeycomb', 'honeycomb-upsell', 'bucks-currency-converter'],
    ['https://pagead2.googlesyndication.com/pagead/show_ads.js', 'google-adsense', 'google-publisher-tag'],
  ])('the path or host of %s names %s and not %s', (url, slug, other) => {
    const head = shopify + loaded(url);
    expect(found({ head }, slug)).toMatchObject({ installState: 'active' });
    expect(found({ head }, other)).toBeUndefined();
  });

  it.each([
    ['web-font-loader', '/lib/webfont.js', '<link rel="stylesheet" href="/plugins/a/assets/css/webfont.min.css">'],
    ['instantsearch-js', '/lib/instantsearch.production.min.js', loaded('/js/magestore/instantsearch.js')],
  ])('%s is found by its own file and not by that of an extension', (slug, url, other) => {
    expect(found({ head: loaded(url) }, slug)).toBeDefined();
    expect(found({ head: other }, slug)).toBeUndefined();
  });

  it('the classes of Slick imply no jQuery, because a port to React has them', () => {
    const body = '<div class="slick-slider"><div class="slick-list"><div class="slick-track"></div></div></div>';
    const technologies = observeStore(page({ body: body + script('$(".a").slick({});') })).technologies;
    expect(technologies.map(({ slug }) => slug)).toContain('slick');
    expect(technologies.map(({ slug }) => slug)).not.toContain('jquery');
  });

  it('the host of several apps names the app of the path and not their vendor', () => {
    const head = shopify + loaded('https://secure.apps.shappify.com/apps/upsell/upselljsscript.php');
    expect(found({ head }, 'bold-upsell')).toBeDefined();
    expect(found({ head }, 'bold-commerce')).toBeUndefined();
    expect(found({ head: shopify + loaded('https://cdn.hextom.com/js/freeshippingbar.js') }, 'hextom')).toBeUndefined();
  });

  it('links and widgets of Amazon Associates are no advertisements of Amazon', () => {
    const head = loaded('https://z-na.amazon-adsystem.com/widgets/onejs?MarketPlace=US');
    expect(found({ head }, 'amazon-associates')).toBeDefined();
    expect(found({ head }, 'amazon-advertising')).toBeUndefined();
    expect(found({ head: loaded('https://c.amazon-adsystem.com/aax2/apstag.js') }, 'amazon-advertising')).toBeDefined();
  });

  it('the express buttons of Shopify are no Shop Pay', () => {
    const body = '<shopify-accelerated-checkout></shopify-accelerated-checkout>';
    expect(found({ head: shopify, body }, 'shop-pay')).toBeUndefined();
    expect(found({ head: shopify, body: '<shop-pay-button></shop-pay-button>' }, 'shop-pay')).toBeDefined();
  });

  it('the framework of a theme is not the plugin of the same maker', () => {
    const head = `${wordpress}<meta name="framework" content="Redux 4.1.29">`;
    expect(found({ head }, 'extendify')).toBeUndefined();
  });

  it.each([
    // The grid of Vuetify 2 has the classes of Bootstrap's.
    [
      'bootstrap',
      '<div class="v-application"><div class="row no-gutters"><div class="col-md-6 col-12"></div></div></div>',
    ],
    // Google Publisher Tag loads these frames, checks and files.
    ['google-adsense', loaded('https://tpc.googlesyndication.com/safeframe/1-0-40/js/ext.js')],
    ['google-adsense', loaded('https://tpc.googlesyndication.com/sodar/sodar2.js')],
    ['google-adsense', loaded('https://pagead2.googlesyndication.com/pagead/managed/js/gpt/m1/pubads_impl.js')],
    [
      'handlebars',
      '<script id="cartTemplate" type="text/template"><% _.each(items, function () { %><li></li><% }) %></script>',
    ],
    // The network serves the scripts of Application Insights to every site that runs it.
    ['azure-cdn', loaded('https://az416426.vo.msecnd.net/scripts/a/ai.0.js')],
    // The default of WPForms, also where no CAPTCHA is set up.
    ['recaptcha', wordpress + script('var wpformsElementorVars = {"captcha_provider":"recaptcha"};')],
    [
      'bigcommerce-consent-manager',
      loaded('https://cdn11.bigcommerce.com/s-31zptpmygo/stencil/a/e/b/dist/theme-bundle.main.js') +
        script('window.consentManagerTranslations = `{"locale":"en"}`;'),
    ],
    ['google-optimize', script('var variants = [{"sku":"OPT-AB12345"}];')],
    // Other blogs copied the code of the extension, with the address of its feed.
    [
      'aheadworks-blog',
      `${loaded('/js/varien/js.js')}<link href="/blog/rss/index/store_id/1/" title="Blog" rel="alternate">`,
    ],
    // These names of files are those of jQuery.countdown, ptTimeSelect, the element of Chrome Labs and others.
    ['countdown-js', loaded('/assets/vendors/countdown/countdown.min.js')],
    ['timepicker', loaded('/assets/vendors/timepicker/timePicker.js')],
    ['pinchzoom-js', loaded('https://unpkg.com/pinch-zoom-element/dist/pinch-zoom.js')],
    ['dhtml-calendar', loaded('/js/jscalendar/source/jsCalendar.js')],
    ['spectrum', loaded('/js/spectrum.js')],
    ['consentmo', loaded('/modules/gdpr/gdpr_cookie_consent.js')],
    ['easytabs', loaded('/js/varien/js.js') + sheet('/skin/frontend/a/b/css/easytabs.css')],
    ['norton-secured-seal', loaded('../seal.godaddy.com/getSeal.js')],
    ['creativestyle-amazon-payments', loaded('/js/varien/js.js') + loaded('/js/creativestyle/a.js')],
  ])('%s is not found by what other products have as well', (slug, body) => {
    expect(found({ body }, slug)).toBeUndefined();
  });

  it('settings that the plugin Divi Builder prints too are no trace of the theme', () => {
    expect(found({ head: wordpress + script('var et_pb_custom = {"ajaxurl":"/a"};') }, 'divi')).toBeUndefined();
  });
});

describe('a part of a product', () => {
  it('is no other product of the vendor', () => {
    const plusOne = { head: loaded('https://apis.google.com/js/plusone.js') };
    expect(found(plusOne, 'google-plus')).toBeDefined();
    expect(found(plusOne, 'google-api-client')).toBeUndefined();
    expect(found({ head: loaded('https://apis.google.com/js/api:client.js') }, 'google-api-client')).toBeDefined();
  });

  it('is not found by the class that a theme keeps for another app', () => {
    const badge = (classes: string) => ({ head: shopify, body: `<div class="${classes}" data-id="1"></div>` });
    expect(found(badge('shopify-product-reviews-badge'), 'shopify-product-reviews')).toBeDefined();
    expect(found(badge('yotpo bottomLine shopify-product-reviews-badge'), 'shopify-product-reviews')).toBeUndefined();
    const other = {
      ...badge('shopify-product-reviews-badge'),
      head: shopify + script('window.jdgmSettings = {"a":1};'),
    };
    expect(found(other, 'shopify-product-reviews')).toBeUndefined();
    const loadedApp = {
      ...badge('shopify-product-reviews-badge'),
      head: shopify + loaded('https://loox.io/widget/a/loox.js'),
    };
    expect(found(loadedApp, 'shopify-product-reviews')).toBeUndefined();
  });

  it.each([
    [
      'also-bought-by-code-black-belt',
      shopify + loaded('https://cdn.codeblackbelt.com/js/modules/also-bought/main.min.js'),
    ],
    ['bold-bundles', shopify + loaded('https://secure.apps.shappify.com/apps/bundle/product_bundle.php?shop=a')],
    ['globo-product-options', shopify + script('var GPOCollectionParams = GPOCollectionParams || {};')],
    ['happy-returns', shopify + loaded('https://unpkg.com/@happyreturns/happyreturns-script-tag?shop=a')],
    ['json-ld-for-seo', `${shopify}<!-- This line added automatically by JSON-LD for SEO. -->`],
    ['layouthub', `${shopify}<!--LayoutHub-Workspace-Start-->`],
    ['lion-bundles', shopify + script('window.lion = {}; window.lion.cart = {"note":null};')],
    ['orderlogic-app', `${shopify}<!-- OrderLogic checkout restrictions ==== -->`],
    ['paywhirl', shopify + script('window.paywhirlForShopify = window.paywhirlForShopify || {};')],
    ['seo-manager-venntov', `${shopify}<!-- SEO Manager 6.2.0 -->`],
    [
      'shipping-rates-calculator-plus',
      shopify + loaded('https://cdn.codeblackbelt.com/js/modules/shipping-rates-calculator-plus/main.min.js'),
    ],
    [
      'simprosys-google-shopping-feed',
      `${shopify}<!-- BEGIN: Google Customer Review by Simprosys InfoMedia For Help -->`,
    ],
    ['sirv', script("var SirvSpinsPath = 'products/{product-id}/{product-id}.spin';")],
    ['smart-seo', `${shopify}<!--JSON-LD data generated by Smart SEO-->`],
    ['tabarnapp', shopify + script('(function (global) { global.tabarnapp_cm = {}; })(window);')],
    ['xo-insert-code', `${shopify}<!-- XO-InsertCode Body -->`],
    ['adobe-dynamic-media-classic', '<img src="https://cdni.shop.example/is/image/wim/224626_0_44">'],
    ['adobe-experience-platform-web-sdk', loaded('https://cdn1.adoberesources.net/alloy/2.32.1/alloy.min.js')],
    ['curalate', '<div data-crl8-container-id="product"></div>'],
    [
      'demandware-analytics',
      `${sheet('/on/demandware.static/Sites-Demo-Site/a.css')}<!-- Demandware Active Data (body_end-active_data.js) -->`,
    ],
    ['salesforce-einstein', '<!-- CQuotient Activity Tracking (body_end-cquotient.js) -->'],
    ['salesforce-einstein', script("var CQuotient = window.CQuotient = {}; CQuotient.clientId = 'abcd-demo';")],
    ['sanity', script('var data = {"image":"https://cdn.sanity.io/images/7wyqe9kz/production/a-800x1200.png"};')],
    ['minicolors', script('$("#color").minicolors({ theme: "bootstrap" });')],
    ['emotion', '<style data-emotion="css-global l37fmn"></style>'],
    ['geo-targetly', script("y.src='https://g792337340.co/gr?id=-MO2LA-qDjBeKRUjLZFM&refurl='+g.referrer;")],
    ['google-customer-reviews', script('gapi.load("ratingbadge", function () { gapi.ratingbadge.render(box, {}); });')],
    [
      'google-maps',
      '<iframe data-src="https://static.parastorage.com/wix-santa/static/external/googleMap.html?a=b"></iframe>',
    ],
    [
      'justuno',
      script(
        "window.ju_num=(typeof window.ju_num === 'undefined') ? '6C86E640-F993-4AE5-AB17-741C7C1727C3' : window.ju_num;",
      ),
    ],
    ['kasada', script("KPSDK.configure([{ method: 'POST', domain: 'api.shop.example', path: '/a/*' }]);")],
    ['redux', script('window.__INITIAL_STATE__ = {"appReducer":{"isOpen":false}};')],
    ['sweetalert2', '<div class="swal2-icon swal2-error swal2-icon-show"></div>'],
    ['zurb-foundation', '<div id="modal-review-form" class="modal" data-reveal></div>'],
  ])('%s is found by its own script, signature, settings or element', (slug, head) => {
    expect(found({ head }, slug)).toMatchObject({ confidence: 'medium' });
  });

  it.each([
    ['geo-targetly', script("y.src='https://g792337340.co/other';")],
    ['google-analytics', shopify + script('trekkie.load({"Google Gtag Pixel":{"conversionId":"GT-NBP3H7ZQ"}});')],
    ['redux', script('window.__INITIAL_STATE__ = {"app":{}};')],
    ['zurb-foundation', '<div class="hero" data-reveal></div>'],
    ['zurb-foundation', '<div id="offer" class="modal" data-reveal="fade-up"></div>'],
    ['google-font-api', '<pre>src: url(https://fonts.gstatic.com/s/lato/v1/a.woff2)</pre>'],
    ['adobe-dynamic-media-classic', '<img src="https://media.merchant.example/is/image/acme/1_Black">'],
    ['responsive-menu', `${wordpress}<button class="responsive-menu-button">Menu</button>`],
    ['woocommerce-social-login', `${woocommerce}<a class="button-social-login" href="/login">Log in</a>`],
    ['advanced-woo-search', woocommerce + script('var aws_vars = {"accessKeyId":"a"};')],
    ['st-woo-swatches', woocommerce + script('var sten_wc_params = {"ajax_url":""};')],
    ['seo-manager-venntov', `${shopify}<!-- SEO Manager 3 steps -->`],
    ['salesforce-einstein', '<!-- CQuotient Activity Tracking was here -->'],
    ['hint-css', sheet('/assets/components/hint/hint.css')],
    ['ismobile-js', loaded('/assets/js/utils/isMobile.js')],
    ['coderplace', script('var prestashop = {"cart":{}};') + sheet('/themes/PRS050107/css/global.css')],
    ['jquery-printarea', loaded('/libs/print/jQuery.print.js')],
  ])('%s is not found by what others have as well', (slug, head) => {
    expect(found({ head }, slug)).toBeUndefined();
  });
});

describe('a service', () => {
  it.each([
    ['adswizz', '<img src="https://us-1-adswizz.attribution.adswizz.com/fire?pixelId=a">'],
    ['azure-cdn', sheet('https://az12345.vo.msecnd.net/css/a.css')],
    ['google-ads-conversion-tracking', script("addModule('/a.js', {ID:'AW-790793421'});")],
    ['google-font-api', '<link rel="preload" as="font" href="https://fonts.gstatic.com/s/lato/v1/a.woff2">'],
    ['google-optimize', script("addModule('/a.js', {ID: 'OPT-TFQ4PRM'});")],
    ['google-optimize', script("ga('require', 'OPT-TFQ4PRM');")],
    [
      'heureka',
      script("ho.src = ('https:' == p ? 'https://ssl' : 'http://www') + '.heureka.sk/direct/i/gjs.php?n=wdgt';"),
    ],
    ['herolens', '<img src="https://api.herolens.com/t/1/trck?a=b">'],
    ['qualtrics', script("new g(100,'r','QSI','https://zn1-a.siteintercept.qualtrics.com/SIE/?Q_ZID=ZN_1').start()")],
    ['talisma', '<img src="https://cim.shop-chat.example/netagent/client/invites/chatimage.aspx?style=0">'],
  ])('%s is found by its pixel, file or settings', (slug, body) => {
    expect(found({ body }, slug)).toMatchObject({ confidence: 'medium' });
  });

  it.each([
    ['anaraky-gdrt', '<!-- Anaraky GDRT v.1.0.9 script begin -->', 'magento'],
    ['abpilot', script('window.abpilotConfig = {"experiments": []};'), 'shopify'],
    ['ajaxify-cart', '<div id="ajaxifyDrawer"></div>', 'shopify'],
    ['claue-magento', '<!-- Static block: claue_footer3_custom_menu -->', 'magento'],
    ['edgetag', script("edgetag('init', {edgeURL: 'https://a.shop.example'});"), 'shopify'],
    ['in-stock-reminder', script('var ISRParams = {"a":1};'), 'shopify'],
    ['ps-ajax-quick-cart', script("PS.AjaxQuickCart.initView('.top-link-cart');"), 'magento'],
    ['slidecart', script('window.SLIDECART = !0;'), 'shopify'],
  ])('%s is found on its platform only', (slug, body, platform) => {
    const head = platform === 'shopify' ? shopify : loaded('/js/varien/js.js');
    expect(found({ head, body }, slug)).toMatchObject({ confidence: 'medium' });
    expect(found({ body }, slug)).toBeUndefined();
  });
});
