import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';

const wordpress = loaded('/wp-includes/js/wp-embed.min.js');
const shopify = script('Shopify.shop = "a.myshopify.com";');

/** Markup that names technologies which the page does not use, and the slugs of those that it uses. Written for this test. */
const cases: readonly (readonly [what: string, markup: string, used: readonly string[]])[] = [
  [
    'a function of minified code with the name of a map',
    script('var L=[1];L=L.map(w=>w+1);L=L.map(function(a){return a});'),
    [],
  ],
  [
    'files that RequireJS or a theme may ask for later',
    script(
      'require.config({paths: {googleMaps: \'https://maps.googleapis.com/maps/api/js?v=3.53\'}}); var theme = {"markerClustererScript":"https://cdn.example/libs/markerclusterer.min.js"};',
    ),
    ['requirejs'],
  ],
  [
    'a file far behind in the list of paths for RequireJS',
    script(
      `require.config({paths: {${Array.from({ length: 60 }, (_, id) => `"module${id}": "js/module${id}"`).join(',')}, "maps": "https://maps.googleapis.com/maps/api/js?v=3.53"}});`,
    ),
    ['requirejs'],
  ],
  [
    'addresses of pictures, frames and links in code',
    script(
      'var img = new Image(); img.src = "https://bat.bing.com/action/0?ti=1"; var f = document.createElement("iframe"); f.src = "https://player.vimeo.com/video/1"; var s = document.createElement("script"); var a = {}; a.s = document.createElement("iframe"); a.s.src = "https://maps.google.com/maps?q=2"; s = document.createElement("iframe"); s.src = "https://maps.google.com/maps?q=1"; btn.onclick = function () { f3.src = "https://calendly.com/x"; };',
    ),
    [],
  ],
  [
    'classes that page builders of PrestaShop took over from Elementor',
    `${script('var prestashop = {"cart":{}};')}<div class="elementor-widget-container">a</div>`,
    ['prestashop', 'php'],
  ],
  [
    'links that share a page',
    '<a href="https://www.facebook.com/sharer/sharer.php?u=x">f</a><a href="https://twitter.com/intent/tweet?url=x">t</a><a href="https://pinterest.com/pin/create/button/?url=x">p</a><a href="https://api.whatsapp.com/send?text=x">w</a><a href="https://www.linkedin.com/shareArticle?url=x">l</a><a href="https://t.me/share/url?url=x">g</a><a href="mailto:?x">',
    [],
  ],
  [
    'links to profiles',
    '<a class="fa-brand" href="https://www.instagram.com/shop"><img src="/img/instagram.svg" alt="Instagram"></a><a href="https://www.tiktok.com/@shop"><img src="/img/tiktok.png"></a><a href="https://www.youtube.com/c/shop">YouTube</a><a href="https://vimeo.com/123">Vimeo</a>',
    [],
  ],
  [
    'pictures and list entries of payment methods',
    '<img src="/img/paypal.png" alt="PayPal"><img src="/img/klarna.svg" alt="Klarna"><img src="/img/visa-mastercard.png" alt="Visa"><img src="/img/amazonpay.png" alt="Amazon Pay"><img src="/img/afterpay-logo.png" alt="Afterpay"><img src="/img/apple-pay.svg"><img src="/img/sezzle.png"><img src="/img/stripe.png"><img src="/img/splittypay.png"><img src="/img/zoodpay.png"><li class="afterpay">Afterpay</li><li class="klarna"></li><li class="payment-icon payment-icon--apple_pay"></li><img src="https://www.paypalobjects.com/webstatic/mktg/logo/pp_cc_mark_37x23.jpg" alt="PayPal Logo">',
    [],
  ],
  [
    'links to vendors in prose',
    '<p>We sync with <a href="https://www.klaviyo.com/">Klaviyo</a>, <a href="https://www.hotjar.com">Hotjar</a>, <a href="https://www.trustpilot.com/review/shop.example">Trustpilot</a>, <a href="https://woocommerce.com">WooCommerce</a>, <a href="https://www.cloudflare.com">Cloudflare</a>. <a href="https://www.trustedshops.de/shop/">Trusted Shops</a></p>',
    [],
  ],
  [
    'a library that asks whether Modernizr is there',
    script('l=function(b){return a.Modernizr&&Modernizr.mq?!b||Modernizr.mq(b):!b};'),
    [],
  ],
  ['columns of another grid', '<div class="six columns medium-down--one-whole"></div>', []],
  [
    'a picture that was copied from a page of Svelte',
    '<svg class="svelte-1dofwfm right" viewBox="0 0 16 9"></svg>',
    [],
  ],
  ['elements of Svelte', '<div class="list svelte-1dofwfm"></div>', ['svelte']],
  ['columns of Foundation', '<div class="large-6 columns"></div>', ['zurb-foundation']],
  ['a question to Modernizr itself', script('if (Modernizr.mq("only all")) { a(); }'), ['modernizr']],
  [
    'connections that are only opened in advance',
    '<link rel="preconnect" href="https://www.googletagmanager.com"><link rel="preconnect" href="https://connect.facebook.net"><link rel="dns-prefetch" href="//static.klaviyo.com"><link rel="preconnect" href="https://fonts.gstatic.com" crossorigin><link rel="dns-prefetch" href="//js.stripe.com"><link rel="preconnect" href="https://cdn.shopify.com"><link rel="dns-prefetch" href="//use.fontawesome.com"><link rel="dns-prefetch" href="//www.google-analytics.com">',
    [],
  ],
  [
    'a file of another library in a numbered folder',
    loaded('/jquery/4.2.1/owl.carousel.min.js'),
    ['owl-carousel', 'jquery'],
  ],
  [
    'plugins with the prefix of a library',
    loaded('/js/jquery.mycart.js') + loaded('/js/jquery.shopmenu.min.js'),
    ['jquery'],
  ],
  [
    'bundles and common file names',
    loaded('/dist/bundle.js') +
      loaded('/static/js/main.3f2a1b.chunk.js') +
      loaded('/js/app.js?v=3.2.1') +
      loaded('/js/vendor.bundle.js') +
      loaded('/assets/all.min.js') +
      loaded('/js/common.js') +
      sheet('/css/all.css') +
      sheet('/css/styles.css'),
    [],
  ],
  [
    'classes and ids that are common words',
    '<body class="home page theme-dark"><div class="container row col-md-6 card btn btn-primary modal fade slider slick-item carousel owl nav menu grid parallax lightbox sticky lazy reveal drift mint flow chat cart wish tooltip popup svelte-dress nacelle t-layout el-row el-menu fr-box mermaid studio"><div id="app"></div><div id="root"></div><div id="main"></div><div id="pb-root"></div>',
    [],
  ],
  [
    'theme folders named like a product',
    wordpress +
      sheet('/wp-content/themes/mint/style.css') +
      sheet('/wp-content/themes/react-shop/style.css') +
      sheet('/wp-content/themes/klarna-child/style.css') +
      loaded('/wp-content/themes/underscores/js/navigation.js') +
      loaded('/wp-content/themes/shine/js/sunshine.js'),
    ['wordpress', 'php', 'mysql'],
  ],
  [
    'attributes with common names',
    '<div data-controller="cart" data-action="open" data-id="1" data-track="x" data-component="menu" data-reaction="like" data-reflex="1" data-target="#a" data-toggle="modal" data-src="a.jpg" data-v="1" data-slick="1" data-widget="x" data-app="y" data-product-id="3" data-vue="1" data-fancy="1">',
    [],
  ],
  [
    'lists of vendors for consent',
    '<script type="application/json" id="cookies">{"vendors":[{"name":"Google Analytics","host":"www.google-analytics.com"},{"name":"Hotjar","url":"https://www.hotjar.com/privacy"},{"name":"Criteo"},{"name":"Facebook Pixel","cookies":["_fbp","fr"]},{"name":"Matomo"},{"name":"Intercom"}]}</script><table><tr><td>_ga</td><td>Google Analytics</td></tr><tr><td>_hjid</td><td>Hotjar</td></tr><tr><td>__cfduid</td><td>Cloudflare</td></tr></table>',
    [],
  ],
  [
    'a list of permitted hosts',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'; script-src https://www.googletagmanager.com https://js.stripe.com https://static.hotjar.com https://connect.facebook.net https://cdn.shopify.com https://widget.trustpilot.com https://www.paypal.com; img-src https://*.klaviyo.com">',
    [],
  ],
  [
    'comments with names of vendors',
    '<!-- Google Tag Manager --><!-- End Google Tag Manager --><!-- Hotjar Tracking Code removed --><!-- <script src="https://static.hotjar.com/c/hotjar-1.js"></script> --><!-- Facebook Pixel Code --><!-- Klaviyo --><!-- Magento --><!-- Trustpilot widget -->',
    [],
  ],
  [
    'settings that are off',
    '<script>var features = {"hotjar":{"enabled":false,"id":"1"},"klarna":false,"enablePaypal":false,"zendesk":{"enabled":false},"trustpilot":null}; var paypal = false; var clarity = "VS1"; var titan = {}; window.recaptcha = false; var afterpay = "";</script>',
    [],
  ],
  [
    'a style sheet that a plugin left',
    wordpress + sheet('/wp-content/plugins/woo-shop-thing/style.css'),
    ['wordpress', 'php', 'mysql'],
  ],
  [
    'variables that are common words',
    '<script>var kadence = 1; var sumo = {}; var riot = []; var admiral = "x"; var mint = {a:1}; var flow = {}; var django = "film"; var mermaid = {}; var basket = {}; var ahoy = 3; var booksy=1; var twttr = window.twttr || {};</script>',
    [],
  ],
  [
    'files whose names end like a library',
    loaded('/js/copyright.js') +
      loaded('/js/bright.js') +
      loaded('/js/patriot.js') +
      loaded('/js/sunshine.js') +
      loaded('/js/aftermath.js') +
      loaded('/js/warhammer.js') +
      loaded('/js/exhibition.js') +
      loaded('/js/required.js') +
      loaded('/js/cheap-2.js') +
      loaded('/js/wasp.js') +
      loaded('/js/playlist.js/a') +
      loaded('/js/cargo.js') +
      loaded('/js/tiki.js') +
      loaded('/js/moon.js') +
      loaded('/js/paths.js') +
      loaded('/js/ef.js') +
      loaded('/js/quadrum.js') +
      loaded('/js/revue-2.js') +
      loaded('/js/moments.js') +
      loaded('/js/paper-leaflet-page.js') +
      loaded('/js/carro.min.js') +
      loaded('/js/graffiti.js'),
    [],
  ],
  [
    'a host that contains the name of another product',
    loaded('https://dashboard.webwinkelkeur.nl/webshops/sidebar.js?id=1'),
    ['webwinkelkeur'],
  ],
  ['the host of another vendor', loaded('https://r.wdfl.co/rw.js'), ['rewardful']],
  [
    'a list of hosts in a script',
    '<script>var csp = ["https://www.googletagmanager.com","https://js.stripe.com","https://static.hotjar.com"];</script>',
    [],
  ],
  [
    'names of products in texts of a script',
    '<script>var t = {"label":"Pay with PayPal","provider":"klarna","gateway":"stripe","chat":"Intercom","title":"jQuery UI Dialog"};</script>',
    [],
  ],
  [
    'icons of payment methods',
    shopify +
      '<ul><li><svg aria-labelledby="pi-paypal"><title id="pi-paypal">PayPal</title></svg></li><li><svg aria-labelledby="pi-klarna"></svg></li><li><svg aria-labelledby="pi-apple_pay"></svg></li></ul>',
    ['shopify'],
  ],
  [
    'links to services of maps and calendars',
    '<a href="https://www.google.com/maps?q=x">Map</a><a href="https://calendly.com/shop">Book</a><a href="https://shop.us1.list-manage.com/unsubscribe">x</a>',
    [],
  ],
  [
    'a font of the site itself',
    '<link rel="preload" as="font" href="/fonts/roboto.woff2"><style>@font-face{font-family:FontAwesome;src:url(/a.woff)}</style><i class="icon-star"></i>',
    [],
  ],
  [
    'a note for browsers without scripts',
    '<noscript><p>Please enable JavaScript. Google Analytics is used.</p></noscript>',
    [],
  ],
  [
    'links to reviews with a picture',
    '<a href="https://www.trustpilot.com/review/x"><img src="/img/trustpilot-stars.svg"></a><a href="https://www.ekomi.de/"><img src="/img/ekomi.png"></a>',
    [],
  ],
  [
    'goods named like a technology',
    '<h1>Adobe Photoshop, WordPress for dummies, Shopify guide, Magento book, Stripe shirt</h1><title>React T-Shirt</title><img src="/p/react-shirt.jpg" alt="React shirt"><img src="/p/vue-du-ciel.jpg"><img src="/p/drupal.jpg">',
    [],
  ],
  [
    'own hosts with names of vendors',
    loaded('https://cdn.shop.example/intercom/x.js') + loaded('https://static.shop.example/segment.js'),
    [],
  ],
  [
    'scripts for old browsers in a comment',
    '<!--[if lt IE 9]><script src="/js/html5shiv.js"></script><script src="/js/respond.min.js"></script><![endif]-->',
    [],
  ],
  [
    'one number on the files of all plugins',
    wordpress +
      sheet('/wp-content/plugins/contact-form-7/includes/css/styles.css?ver=6.4.2') +
      sheet('/wp-content/plugins/elementor/assets/css/frontend.min.css?ver=6.4.2') +
      loaded('/wp-content/plugins/contact-form-7/includes/js/index.js?ver=6.4.2'),
    ['wordpress', 'php', 'mysql', 'contact-form-7', 'elementor'],
  ],
  [
    'the version of WordPress on files of a plugin',
    wordpress +
      sheet('/wp-content/plugins/ninja-tables/a.css?ver=6.4.2') +
      loaded('/wp-content/plugins/ninja-tables/b.js?ver=6.4.2') +
      sheet('/wp-content/themes/shop/style.css?ver=6.4.2') +
      loaded('/wp-includes/js/comment-reply.min.js?ver=6.4.2'),
    ['wordpress', 'php', 'mysql', 'ninja-tables', 'jquery'],
  ],
  [
    'plugins in a numbered folder of a library',
    loaded('/js/bootstrap-hover-menu.js') +
      sheet('/css/bootstrap-theme-custom.css') +
      loaded('/bootstrap/3.3.7/js/shop.js'),
    ['bootstrap'],
  ],
  [
    'scripts in the storage of a cloud',
    loaded('https://s3.amazonaws.com/vendor/x.js') + loaded('https://d111111abcdef8.cloudfront.net/a.js'),
    ['amazon-s3', 'amazon-cloudfront'],
  ],
  ['a script of a vendor on a CDN', loaded('https://vendor.b-cdn.net/widget.js'), []],
  ['forms that search', '<form action="https://www.google.com/search"></form><form action="/search"></form>', []],
  [
    'numbered folders of plugins',
    loaded('/jquery/plugins/slider-1.4.js') + loaded('/js/jquery/plugins/cookie/2.0.1/foo.js'),
    ['jquery'],
  ],
  [
    'classes without a slider',
    '<div class="swiper-container-x slider swiper"></div><div class="owl-wrapper"></div><div class="slick"></div>',
    [],
  ],
  ['the name of a platform in prose', '<p>magento</p><img src="/media/catalog/product/a.jpg">', []],
  [
    'ids that themes of many platforms have',
    '<div id="categories_block_left"></div><a class="ajax_add_to_cart_button">x</a>',
    [],
  ],
  ['a picture of another store', '<img src="https://cdn.shopify.com/s/files/1/1/a.jpg">', ['shopify-cdn']],
  [
    'a frame for browsers without scripts',
    '<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-AAAA"></iframe></noscript>',
    ['google-tag-manager'],
  ],
  [
    'the tag of another product of the vendor',
    `${loaded('https://www.googletagmanager.com/gtag/js?id=AW-1')}<script>gtag('config','AW-1');</script>`,
    ['google-ads-conversion-tracking'],
  ],
  [
    'mirrors of library hosts',
    loaded('https://cdn.bootcdn.net/ajax/libs/jquery/1.12.4/jquery.min.js') +
      loaded('https://lib.baomitu.com/vue/2.6.14/vue.min.js'),
    ['jquery', 'vue-js'],
  ],
  ['an id of the software below', `<body id="dmRoot"></body>`, ['duda']],
  [
    'a plugin with a similar name',
    wordpress +
      loaded('/wp-content/plugins/mailchimp-for-woocommerce/public/js/mailchimp-woocommerce-public.min.js?ver=4.4'),
    ['wordpress', 'php', 'mysql', 'mailchimp-for-woocommerce', 'woocommerce', 'mailchimp'],
  ],
  [
    'a plugin that once had another name',
    wordpress + sheet('/wp-content/plugins/ultimate-addons-for-gutenberg/a.css'),
    ['wordpress', 'php', 'mysql', 'spectra'],
  ],
  [
    'a plugin for reviews of another vendor',
    wordpress + sheet('/wp-content/plugins/widget-google-reviews/a.css'),
    ['wordpress', 'php', 'mysql', 'rich-showcase-for-google-reviews'],
  ],
  ['a credit line in prose', '<p>Powered by Shopify</p><p>Proudly powered by WordPress</p>', []],
  [
    'flags in JSON that are off',
    '<script>window.__CONFIG__={"bugsnag":false,"sentryDsn":"","newRelic":{"enabled":false},"algolia":{"isEnabled":false,"appId":"X"},"klaviyo":{"active":0}}</script>',
    [],
  ],
  [
    'short classes',
    '<div class="rc-price"></div><div class="yotpo"></div><div class="gform"></div><div class="pure"></div>',
    [],
  ],
  [
    'own pages about payment',
    '<a href="/pages/klarna">Klarna</a><a href="/pages/afterpay-faq">Afterpay</a><a href="/collections/paypal">PayPal</a>',
    [],
  ],
  [
    'a note about spam protection',
    '<p>This site is protected by reCAPTCHA and the Google <a href="https://policies.google.com/privacy">Privacy Policy</a> apply.</p>',
    [],
  ],
  [
    'brands in structured data',
    '<script type="application/ld+json">{"@type":"Product","brand":"Fresco","sameAs":["https://www.facebook.com/x","https://www.instagram.com/x"]}</script>',
    [],
  ],
  [
    'verification and preview tags',
    '<meta property="og:image" content="https://cdn.shopify.com/s/a.jpg"><meta name="generator" content="Custom"><meta name="facebook-domain-verification" content="a"><meta name="google-site-verification" content="b"><meta name="p:domain_verify" content="c">',
    [],
  ],
  [
    'tests whether a tool exists',
    '<script>if (typeof fbq !== "undefined") { fbq("track","Lead"); } if (window.ga) {} if (window.Intercom) {} window.dataLayer = window.dataLayer || [];</script>',
    [],
  ],
  ['variables that are set to nothing', '<script>var Vue = null; var moment = "x"; var Swiper = null;</script>', []],
  [
    'calls of own functions with common names',
    script(
      "$('#f').validate(); $('#t').tabs(); $('.x').slider(); $('.y').countdown('2020'); $('.z').zoom(); $('.s').sticky(); $('.l').lazyload(); $('.c').cycle(); new LazyLoad('.img'); new Slider('.x'); tns(1); moment(); s.t(1);",
    ),
    ['jquery'],
  ],
  [
    'calls in a text of a script',
    script(
      `var help = "Use $('.x').slick({dots:true}), $('#x').select2({}), new Swiper('.a') and Swal.fire('x')"; var doc = 'new Vue({el: 1})';`,
    ),
    [],
  ],
  ['calls in shown code', "<pre><code>$('.owl').owlCarousel({items: 3}); new Swiper('.x');</code></pre>", []],
  ['variables named like a theme', script("var astra = 'x'; var mfn = 1; var flatsome = 'x'; var woodmart = {};"), []],
  ['tests before a call', script("if (jQuery().slick) {} if (typeof Swiper !== 'undefined') {}"), ['jquery']],
];

const libraryHosts: Readonly<Record<string, string>> = { jquery: '1.12.4', 'vue-js': '2.6.14' };

describe('pages that name a technology without using it', () => {
  it.each(cases)('a page that names a technology without using it shows no trace of it: %s', (_, markup, used) => {
    const isBody = markup.startsWith('<body');
    const input = page(isBody ? { head: `</head>${markup}` } : { body: markup });
    expect(
      observeStore(input)
        .technologies.map(({ slug }) => slug)
        .filter((slug) => !used.includes(slug)),
    ).toEqual([]);
  });

  it.each(cases)(
    'a page that names a technology without using it states no version of another product: %s',
    (_, markup) => {
      const versions = observeStore(page({ body: markup })).technologies.filter(({ version }) => version !== undefined);
      for (const { slug, version } of versions) expect([slug, version]).toEqual([slug, libraryHosts[slug]]);
    },
  );
});
