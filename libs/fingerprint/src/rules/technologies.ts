import type { TechnologyKind } from '../types.ts';
import type { Traces } from './traces.ts';

/**
 * Apps and services that the imported data does not have, or detects only in a browser. An entry with a slug of the
 * imported data adds its traces to that entry. Script hosts belong to the vendors: a loaded URL on such a host means
 * that the app is installed.
 */
export interface TechnologyRule {
  slug: string;
  name: string;
  kind: TechnologyKind;
  category: string;
  website: string;
  vendor?: string;
  requires?: readonly string[];
  /** No public document states the traces. Alone they give medium confidence at most. */
  unsourced?: true;
  traces: Traces;
}

type Row = readonly [slug: string, name: string, website: string, traces: Traces, vendor?: string];

export const table = (kind: TechnologyKind, category: string, rows: readonly Row[]): TechnologyRule[] =>
  rows.map(([slug, name, website, traces, vendor]) => ({
    slug,
    name,
    kind,
    category,
    website,
    traces,
    ...(vendor && { vendor }),
  }));

const reviews = table('app', 'reviews', [
  [
    'rivyo',
    'Rivyo',
    'https://thimatic-apps.com/',
    { script: ['thimatic-apps\\.com/', 'productreview\\.thimatic'] },
    'Thimatic',
  ],
  [
    'bazaarvoice-reviews',
    'Bazaarvoice',
    'https://www.bazaarvoice.com/',
    { script: ['apps\\.bazaarvoice\\.com/', 'display\\.ugc\\.bazaarvoice\\.com/'], dom: ['[data-bv-show]'] },
  ],
  [
    'judge-me',
    'Judge.me',
    'https://judge.me/',
    {
      script: ['judge\\.me/'],
      dom: ['.jdgm-widget', '#judgeme_product_reviews'],
      inline: [['\\bjdgm(?:Settings)?\\s*=|jdgm\\.SHOP_DOMAIN', 80]],
    },
  ],
  ['loox', 'Loox', 'https://loox.io/', { script: ['loox\\.io/'], dom: ['.loox-rating', '#looxReviews'] }],
  [
    'yotpo-reviews',
    'Yotpo Reviews',
    'https://www.yotpo.com/',
    {
      script: ['staticw2\\.yotpo\\.com/', 'cdn-widgetsrepository\\.yotpo\\.com/'],
      dom: ['.yotpo-main-widget', '.yotpo.bottomLine'],
    },
    'Yotpo',
  ],
  [
    'stamped',
    'Stamped',
    'https://stamped.io/',
    {
      script: ['cdn1?\\.stamped\\.io/', 'cdn-stamped-io\\.azureedge\\.net'],
      dom: ['#stamped-main-widget', '.stamped-product-reviews-badge'],
    },
  ],
  [
    'okendo',
    'Okendo',
    'https://okendo.io/',
    {
      script: ['cdn-static\\.okendo\\.io/', 'd3hw6dc1ow8pp2\\.cloudfront\\.net/'],
      dom: ['[data-oke-widget]', '[data-oke-reviews-widget]'],
    },
  ],
  [
    'junip',
    'Junip',
    'https://junip.co/',
    { script: ['scripts\\.juniphq\\.com/', 'widgets\\.juniphq\\.com/'], dom: ['.junip-store-key'] },
  ],
  [
    'shopify-product-reviews',
    'Shopify Product Reviews',
    'https://apps.shopify.com/product-reviews',
    { script: ['productreviews\\.shopifycdn\\.com/'], dom: ['.spr-badge'] },
    'Shopify',
  ],
  ['ryviu', 'Ryviu', 'https://www.ryviu.com/', { script: ['cdn\\.ryviu\\.com/'] }],
  ['opinew', 'Opinew', 'https://www.opinew.com/', { script: ['cdn\\.opinew\\.com/'] }],
  [
    'lai-product-reviews',
    'LAI Product Reviews',
    'https://laireviews.com/',
    { script: ['(?:scripts|sp-auction)\\.(?:smartifyapps|laireviews)\\.(?:com|io)/'] },
  ],
  ['areviews', 'Areviews', 'https://areviewsapp.com/', { script: ['areviewsapp\\.com/'] }],
  [
    'verified-reviews',
    'Verified Reviews',
    'https://www.verified-reviews.com/',
    {
      script: ['\\.avis-verifies\\.com/', 'widgets\\.rr\\.skeepers\\.io/'],
      asset: ['\\.avis-verifies\\.com/'],
      js: ['avisVerifies'],
    },
    'Skeepers',
  ],
  [
    'trusted-shops',
    'Trusted Shops',
    'https://www.trustedshops.com/',
    { script: ['widgets\\.trustedshops\\.com/', 'integrations\\.etrusted\\.com/'] },
  ],
  ['provenexpert', 'ProvenExpert', 'https://www.provenexpert.com/', { script: ['provenexpert\\.com/'] }],
  ['sitejabber', 'Sitejabber', 'https://www.sitejabber.com/', { script: ['biz\\.sitejabber\\.com/'] }],
  ['shopper-approved', 'Shopper Approved', 'https://www.shopperapproved.com/', { script: ['shopperapproved\\.com/'] }],
  [
    'turnto',
    'Emplifi TurnTo',
    'https://emplifi.io/',
    { script: ['widgets\\.turnto\\.com/', 'static\\.www\\.turnto\\.com/'], js: ['turnToConfig'] },
    'Emplifi',
  ],
]);

const shopifyApps = table('app', 'shopify-apps', [
  [
    'appstle',
    'Appstle Subscriptions',
    'https://appstle.com/',
    {
      script: ['(?:cdn|static)\\.appstle\\.com/', 'subscription-admin\\.appstle\\.com/'],
      js: ['_RSConfig.appstle', 'AppstleIncluded'],
    },
    'Appstle',
  ],
  [
    'skio',
    'Skio',
    'https://skio.com/',
    { script: ['(?:cdn|plan-picker)\\.skio\\.com/', 'skio-plan-picker'], dom: ['skio-plan-picker'] },
  ],
  [
    'loop-subscriptions',
    'Loop Subscriptions',
    'https://www.loopwork.co/',
    { script: ['cdn\\.loopwork\\.co/'] },
    'Loop Work',
  ],
  ['stay-ai', 'Stay AI', 'https://stay.ai/', { script: ['retextion\\.com/', 'cdn\\.stay\\.ai/'] }],
  ['awtomic', 'Awtomic', 'https://awtomic.com/', { script: ['subs\\.awtomic\\.com/'] }],
  ['smartrr', 'Smartrr', 'https://smartrr.com/', { script: ['smartrr\\.com/', 'smartrr-purchase-state'] }],
  [
    'recharge',
    'Recharge',
    'https://getrecharge.com/',
    { script: ['static\\.rechargecdn\\.com/', 'rechargeassets-bootstrapheroes'], dom: ['.rc-widget, .rc_widget'] },
  ],
  [
    'ordergroove',
    'Ordergroove',
    'https://www.ordergroove.com/',
    { script: ['static\\.ordergroove\\.com/'], dom: ['og-offer'] },
  ],
  [
    'bold-commerce',
    'Bold Commerce',
    'https://boldcommerce.com/',
    { script: ['boldapps\\.net/', 'cdn\\.boldcommerce\\.com/'] },
  ],
  [
    'replo',
    'Replo',
    'https://www.replo.app/',
    {
      script: ['(?:assets|cdn)\\.replo(?:cdn)?\\.(?:app|com)/'],
      dom: ['[data-rid][data-replo-part], [id^="replo-element"]'],
    },
  ],
  [
    'ecomposer',
    'EComposer',
    'https://ecomposer.io/',
    { script: ['(?:cdn|assets)\\.ecomposer\\.(?:app|io)/'], dom: ['.ecom-sections'] },
  ],
  [
    'gempages',
    'GemPages',
    'https://gempages.net/',
    { script: ['gempages\\.net/', 'd1um8515vdn9kb\\.cloudfront\\.net/', 'gem-page-vendor'], dom: ['.gryffeditor'] },
  ],
  [
    'pagefly',
    'PageFly',
    'https://pagefly.io/',
    { script: ['cdn\\.pagefly\\.io/', 'pagefly[\\w.-]*\\.js'], dom: ['.__pf, [data-pf-type]'] },
  ],
  ['shogun', 'Shogun', 'https://getshogun.com/', { script: ['(?:cdn|lib)\\.getshogun\\.com/'], dom: ['.shogun-root'] }],
  [
    'layouthub',
    'LayoutHub',
    'https://layouthub.com/',
    { script: ['app\\.layouthub\\.com/', 'layouthub[\\w.-]*\\.js'] },
  ],
  [
    'zipify-pages',
    'Zipify Pages',
    'https://zipify.com/apps/pages/',
    { script: ['zipifypages|cdn\\d*\\.zipify\\.com/'] },
    'Zipify',
  ],
  [
    'zipify-ocu',
    'Zipify OneClickUpsell',
    'https://zipify.com/apps/ocu/',
    { script: ['ocu\\.zipify|zipify-oneclickupsell'] },
    'Zipify',
  ],
  [
    'candy-rack',
    'Candy Rack',
    'https://digismoothie.com/apps/candy-rack',
    {
      script: ['candyrack\\.ds-cdn\\.com/', 'static\\.digismoothie\\.com/'],
      js: ['CANDYRACK_DOCUMENT_LISTENER', 'candyrackEnableDebug'],
    },
    'Digismoothie',
  ],
  [
    'wiser',
    'Wiser',
    'https://wiser.expertvillagemedia.com/',
    { script: ['wiser\\.expertvillagemedia\\.com/'] },
    'Expert Village Media',
  ],
  [
    'reconvert',
    'ReConvert',
    'https://www.reconvert.io/',
    { script: ['reconvert(?:-cdn)?\\.(?:com|io)/', 'cdn\\.stilyoapps\\.com/reconvert'] },
    'StilyoApps',
  ],
  [
    'honeycomb-upsell',
    'Honeycomb Upsell',
    'https://conversionbear.com/',
    { script: ['conversionbear\\.com/\\S{0,80}honeycomb|honeycomb[\\w-]{0,20}\\.conversionbear\\.com/'] },
    'Conversion Bear',
  ],
  ['aftersell', 'AfterSell', 'https://aftersell.com/', { script: ['(?:cdn|start)\\.aftersell\\.(?:com|app)/'] }],
  ['in-cart-upsell', 'iCart', 'https://www.identixweb.com/', { script: ['identixweb\\.com/'] }, 'Identixweb'],
  [
    'monk-free-gift-upsell',
    'Monk Cart Upsell',
    'https://monkcommerce.com/',
    { script: ['monk(?:-cart)?[\\w.-]*\\.(?:monkcommerce|akohub)\\.com/'] },
  ],
  [
    'kaching-bundles',
    'Kaching Bundles',
    'https://kachingappz.com/',
    { script: ['kachingappz\\.(?:app|com)/'] },
    'Kaching Appz',
  ],
  ['fast-bundle', 'Fast Bundle', 'https://fastbundle.co/', { script: ['fastbundle\\.co/', 'cdn\\.fastbundle'] }],
  [
    'hulk-apps',
    'Hulk Apps',
    'https://www.hulkapps.com/',
    { script: ['//[a-eg-z][\\w-]*\\.hulkapps\\.com/', 'hulkcode\\.com/'] },
  ],
  ['hextom', 'Hextom', 'https://hextom.com/', { script: ['app\\.hextom\\.com/'] }],
  [
    'currency-converter-plus',
    'Currency Converter Plus',
    'https://www.codeblackbelt.com/',
    { script: ['codeblackbelt\\.com/[\\w/-]*currency-converter-plus'] },
    'Code Black Belt',
  ],
  ['bold-upsell', 'Bold Upsell', 'https://boldcommerce.com/', { script: ['shappify\\.com/apps/upsell'] }, 'Bold'],
  [
    'bold-custom-pricing',
    'Bold Custom Pricing',
    'https://boldcommerce.com/',
    { script: ['shappify\\.com/apps/csp', 'cp\\.boldapps\\.net/'] },
    'Bold',
  ],
  [
    'bold-quantity-breaks',
    'Bold Quantity Breaks',
    'https://boldcommerce.com/',
    { script: ['shappify\\.com/apps/quantity'] },
    'Bold',
  ],
  [
    'globo',
    'Globo Apps',
    'https://globo.io/',
    { script: ['globosoftware\\.net/', 'cdn\\.globo\\.io/', 'globo\\.(?:filter|menu|options|preorder)[\\w.]*\\.js'] },
  ],
  [
    'tabs-by-station',
    'Tabs by Station',
    'https://apps.shopify.com/station-product-tabs',
    { script: ['tabs\\.stationmade\\.com/', 'tabs\\.tkdigital'] },
    'Station',
  ],
  [
    'infinite-options',
    'Infinite Options',
    'https://www.shoppad.com/',
    { script: ['/infiniteoptions(?:\\.min)?\\.js'], js: ['Shoppad.apps.infiniteoptions'] },
    'ShopPad',
  ],
  [
    'essential-apps',
    'Essential Apps',
    'https://essential-apps.com/',
    { script: ['essential-apps\\.(?:com|xyz)|essential-(?:announcer|countdown)'] },
  ],
  ['vitals', 'Vitals', 'https://vitals.co/', { script: ['appsolve\\.io/', 'vitals\\.(?:app|co)/'] }],
  [
    'wishlist-plus',
    'Swym Wishlist Plus',
    'https://swym.it/',
    {
      script: [
        'swymv3\\w*(?:-\\w+)?\\.azureedge\\.net/',
        'swym(?:store|cdn|relay)[\\w.-]*\\.(?:com|swymrelay)',
        '\\.swymrelay\\.com/',
      ],
      js: ['SwymCallbacks', 'swappName', 'swymCart.attributes'],
    },
    'Swym',
  ],
  [
    'growave',
    'Growave',
    'https://growave.io/',
    { script: ['(?:cdn|static)\\.(?:growave\\.io|socialshopwave\\.com)/', 'socialshopwave'] },
  ],
  ['smile', 'Smile.io', 'https://smile.io/', { script: ['(?:js|cdn|sdk)\\.smile\\.io/', 'cdn\\.sweettooth\\.io/'] }],
  [
    'uppromote',
    'UpPromote',
    'https://uppromote.com/',
    { script: ['cdn\\.(?:secomapp|uppromote)\\.com/', 'track\\.uppromote\\.com/'] },
    'Secomapp',
  ],
  [
    'bss-commerce',
    'BSS Commerce',
    'https://bsscommerce.com/',
    { script: ['bsscommerce\\.com/', 'bss-(?:b2b|bta|lock)[\\w-]*\\.js'] },
  ],
  [
    'shopify-buy-button',
    'Shopify Buy Button',
    'https://www.shopify.com/buy-button',
    { script: ['sdks\\.shopifycdn\\.com/', '/buy-button-storefront'], js: ['ShopifyBuy'] },
    'Shopify',
  ],
  [
    'shopify-chat',
    'Shopify Inbox',
    'https://www.shopify.com/inbox',
    { script: ['shopify-?chat[\\w./-]*\\.js', 'shopify-apps-?chat'], dom: ['#ShopifyChat, #shopify-chat'] },
    'Shopify',
  ],
  [
    'shop-pay',
    'Shop Pay',
    'https://shop.app/',
    {
      dom: ['shop-pay-button'],
      script: [['cdn\\.shopify\\.com/shopifycloud/shop-js/', 60]],
    },
    'Shopify',
  ],
  ['matrixify', 'Matrixify', 'https://matrixify.app/', { script: ['matrixify\\.app/'] }],
  [
    'parcel-panel',
    'ParcelPanel',
    'https://www.parcelpanel.com/',
    { script: ['(?:cdn|api)\\.parcelpanel\\.com/', 'pp-proxy\\.parcelpanel'] },
    'Channelwill',
  ],
  [
    'langify',
    'langify',
    'https://langify-app.com/',
    { script: ['langify(?:-app)?\\.com/', 'ly\\d+-?langify|langify\\.js'] },
  ],
  ['searchanise', 'Searchanise', 'https://searchanise.io/', { script: ['searchserverapi\\d*\\.com/', 'searchanise'] }],
  ['nudgify', 'Nudgify', 'https://www.nudgify.com/', { script: ['pixel\\.nudgify\\.com/'] }],
  ['fera', 'Fera', 'https://fera.ai/', { script: ['cdn\\.fera\\.ai/'] }],
  ['klevu', 'Klevu', 'https://www.klevu.com/', { script: ['(?:js|cdn)\\.klevu\\.com/'] }],
]);

const wordpressPlugins = table('app', 'wordpress-plugins', [
  [
    'woocommerce-payments',
    'WooPayments',
    'https://woocommerce.com/payments/',
    { script: ['/plugins/woocommerce-payments/'], asset: ['/plugins/woocommerce-payments/'] },
    'Automattic',
  ],
  [
    'woocommerce-paypal-payments',
    'WooCommerce PayPal Payments',
    'https://woocommerce.com/products/woocommerce-paypal-payments/',
    { script: ['/plugins/woocommerce-paypal-payments/'], asset: ['/plugins/woocommerce-paypal-payments/'] },
  ],
  [
    'woocommerce-stripe-payment-gateway',
    'WooCommerce Stripe Gateway',
    'https://woocommerce.com/products/stripe/',
    { script: ['/plugins/woocommerce-gateway-stripe/'], asset: ['/plugins/woocommerce-gateway-stripe/'] },
  ],
  [
    'woocommerce-subscriptions',
    'WooCommerce Subscriptions',
    'https://woocommerce.com/products/woocommerce-subscriptions/',
    { script: ['/plugins/woocommerce-subscriptions/'], asset: ['/plugins/woocommerce-subscriptions/'] },
  ],
  [
    'wpml',
    'WPML',
    'https://wpml.org/',
    {
      script: ['/plugins/sitepress-multilingual-cms/'],
      asset: ['/plugins/sitepress-multilingual-cms/'],
      meta: { generator: 'WPML ver:([\\d.]+)\\;version:\\1' },
    },
    'OnTheGoSystems',
  ],
  [
    'polylang',
    'Polylang',
    'https://polylang.pro/',
    { asset: ['/plugins/polylang(?:-pro)?/'], script: ['/plugins/polylang(?:-pro)?/'], cookie: { pll_language: '' } },
  ],
  [
    'yith-woocommerce-wishlist',
    'YITH WooCommerce Wishlist',
    'https://yithemes.com/',
    { script: ['/plugins/yith-woocommerce-wishlist/'], asset: ['/plugins/yith-woocommerce-wishlist/'] },
    'YITH',
  ],
  [
    'ti-woocommerce-wishlist',
    'TI WooCommerce Wishlist',
    'https://templateinvaders.com/',
    { script: ['/plugins/ti-woocommerce-wishlist/'], asset: ['/plugins/ti-woocommerce-wishlist/'] },
  ],
  [
    'mailpoet',
    'MailPoet',
    'https://www.mailpoet.com/',
    { script: ['/plugins/mailpoet/'], asset: ['/plugins/mailpoet/'] },
    'Automattic',
  ],
  [
    'mailchimp-for-wordpress',
    'MC4WP',
    'https://www.mc4wp.com/',
    { script: ['/plugins/mailchimp-for-wp/'], asset: ['/plugins/mailchimp-for-wp/'] },
  ],
  [
    'slider-revolution',
    'Slider Revolution',
    'https://www.sliderrevolution.com/',
    {
      script: ['/plugins/revslider/'],
      asset: ['/plugins/revslider/'],
      meta: { generator: 'Slider Revolution ([\\d.]+)\\;version:\\1' },
    },
    'ThemePunch',
  ],
  [
    'wpbakery',
    'WPBakery',
    'https://wpbakery.com/',
    {
      script: ['/plugins/js_composer/'],
      asset: ['/plugins/js_composer/'],
      meta: { generator: 'WPBakery' },
    },
  ],
  [
    'rankmath-seo',
    'Rank Math SEO',
    'https://rankmath.com/',
    { comment: ['<!-- Search Engine Optimization by Rank Math'], dom: ['script.rank-math-schema'] },
  ],
  [
    'monsterinsights',
    'MonsterInsights',
    'https://www.monsterinsights.com/',
    { comment: ['<!-- This site uses the Google Analytics by MonsterInsights plugin v([\\d.]+)\\;version:\\1'] },
  ],
  [
    'exactmetrics',
    'ExactMetrics',
    'https://www.exactmetrics.com/',
    { comment: ['<!-- This site uses the Google Analytics by ExactMetrics plugin v([\\d.]+)\\;version:\\1'] },
  ],
  [
    'contact-form-7',
    'Contact Form 7',
    'https://contactform7.com/',
    { script: ['/plugins/contact-form-7/'], asset: ['/plugins/contact-form-7/'] },
  ],
  [
    'wp-rocket',
    'WP Rocket',
    'https://wp-rocket.me/',
    {
      script: ['/cache/min/\\d+/'],
      comment: ['This website is like a Rocket'],
      meta: { generator: '^WP Rocket ([\\d.]+)\\;version:\\1' },
    },
  ],
  [
    'elementor',
    'Elementor',
    'https://elementor.com/',
    {
      script: ['/plugins/elementor(?:-pro)?/'],
      asset: ['/plugins/elementor(?:-pro)?/'],
      dom: ['body.elementor-default, body.elementor-page'],
      meta: { generator: '^Elementor ([\\d.]+)\\;version:\\1' },
    },
  ],
  [
    'jetpack',
    'Jetpack',
    'https://jetpack.com/',
    {
      script: ['/plugins/jetpack/', 'c0\\.wp\\.com/p/jetpack/'],
      asset: ['/plugins/jetpack/', 'c0\\.wp\\.com/p/jetpack/'],
    },
    'Automattic',
  ],
  [
    'easydigitaldownloads',
    'Easy Digital Downloads',
    'https://easydigitaldownloads.com/',
    { script: ['/plugins/easy-digital-downloads(?:-pro)?/'], asset: ['/plugins/easy-digital-downloads(?:-pro)?/'] },
  ],
  [
    'wordpress-super-cache',
    'WP Super Cache',
    'https://wordpress.org/plugins/wp-super-cache/',
    { comment: ['Cached page generated by WP-Super-Cache'] },
  ],
  [
    'woo-product-variation-swatches',
    'Variation Swatches for WooCommerce',
    'https://getwooplugins.com/',
    {
      script: ['/plugins/woo-variation-swatches(?:-pro)?/'],
      asset: ['/plugins/woo-variation-swatches(?:-pro)?/'],
    },
  ],
]);

const payments = table('service', 'payment-processors', [
  ['sunbit', 'Sunbit', 'https://sunbit.com/', { script: ['(?:static|cdn|s3)[\\w.-]*sunbit\\.(?:com|in)/'] }],
  [
    'paypal',
    'PayPal',
    'https://www.paypal.com/',
    {
      script: [
        '\\.paypal\\.com/(?:sdk|webapps|tagmanager)',
        'paypalobjects\\.com/',
        // https://developer.paypal.com/braintree/docs/guides/paypal/client-side/javascript/v3/
        'js\\.braintreegateway\\.com/web/[\\d.]+/js/paypal(?:-checkout)?(?:\\.min)?\\.js',
      ],
    },
  ],
  ['stripe', 'Stripe', 'https://stripe.com/', { script: ['js\\.stripe\\.com/'] }],
  [
    'square',
    'Square',
    'https://squareup.com/',
    { script: ['(?:js|web)\\.squareup(?:sandbox)?\\.com/', 'web\\.squarecdn\\.com/'] },
    'Block',
  ],
  [
    'amazon-pay',
    'Amazon Pay',
    'https://pay.amazon.com/',
    { script: ['(?:static|payments)[\\w.-]*\\.payments-amazon\\.com/', 'static-(?:eu|na|fe)\\.payments-amazon'] },
    'Amazon',
  ],
  [
    'mercado-pago',
    'Mercado Pago',
    'https://www.mercadopago.com/',
    { script: ['sdk\\.mercadopago\\.com/', 'mlstatic\\.com/[\\w./-]*checkout'] },
    'Mercado Libre',
  ],
  ['paytrail', 'Paytrail', 'https://www.paytrail.com/', { script: ['services\\.paytrail\\.com/'] }],
  ['checkout-com', 'Checkout.com', 'https://www.checkout.com/', { script: ['(?:cdn|js)\\.checkout\\.com/'] }],
  ['worldpay', 'Worldpay', 'https://www.worldpay.com/', { script: ['(?:cdn|access|payments)\\.worldpay\\.com/'] }],
  ['payu', 'PayU', 'https://payu.com/', { script: ['(?:secure|static)\\.payu\\.com/'] }],
  ['iyzico', 'iyzico', 'https://www.iyzico.com/', { script: ['static\\.iyzipay\\.com/'] }],
  ['catch', 'Catch', 'https://www.getcatch.com/', { script: ['js-sdk\\.getcatch\\.com/'] }],
]);

const buyNowPayLater = table('service', 'buy-now-pay-later', [
  [
    'clearpay',
    'Clearpay',
    'https://www.clearpay.co.uk/',
    { script: ['static\\.clearpay\\.co\\.uk/', 'js\\.clearpay'] },
    'Block',
  ],
  [
    'klarna-checkout',
    'Klarna',
    'https://www.klarna.com/',
    {
      script: ['klarnaservices\\.com/', 'x\\.klarnacdn\\.net/', 'klarna\\.com/[\\w./-]*\\.js'],
      dom: ['klarna-placement'],
    },
    'Klarna',
  ],
  [
    'afterpay',
    'Afterpay',
    'https://www.afterpay.com/',
    {
      script: ['(?:static|portal|js)\\.afterpay\\.com/', 'js\\.squarecdn\\.com/square-marketplace'],
      dom: ['afterpay-placement, square-placement'],
    },
    'Block',
  ],
  [
    'scalapay',
    'Scalapay',
    'https://www.scalapay.com/',
    { script: ['cdn\\.scalapay\\.com/'], dom: ['scalapay-widget'] },
  ],
  ['oney', 'Oney', 'https://www.oney.com/', { script: ['(?:assets|widget)\\.oney\\.io/'] }],
  ['alma', 'Alma', 'https://almapay.com/', { script: ['@alma/widgets', 'cdn\\.almapay\\.com/'] }],
  [
    'zip',
    'Zip',
    'https://zip.co/',
    { script: ['static\\.zipmoney\\.com\\.au/', 'quadpay\\.com/', 'widgets\\.(?:us\\.)?zip\\.co/'] },
  ],
  ['humm', 'humm', 'https://www.shophumm.com/', { script: ['widgets\\.shophumm\\.com'] }],
  ['sezzle', 'Sezzle', 'https://sezzle.com/', { script: ['widget\\.sezzle\\.(?:com|in)/'] }],
  ['affirm', 'Affirm', 'https://www.affirm.com/', { script: ['cdn\\d?\\.affirm\\.com/'] }],
]);

const chat = table('service', 'live-chat', [
  [
    're-amaze',
    'Re:amaze',
    'https://www.reamaze.com/',
    { script: ['cdn\\.reamaze\\.com/'], inline: [['_support\\[[\'"]account[\'"]\\]', 70]] },
    'GoDaddy',
  ],
  [
    'zoho-salesiq',
    'Zoho SalesIQ',
    'https://www.zoho.com/salesiq/',
    { script: ['salesiq\\.zoho(?:public)?\\.\\w{2,3}'], inline: ['\\$zoho\\.salesiq'] },
    'Zoho',
  ],
  [
    'gorgias',
    'Gorgias',
    'https://www.gorgias.com/',
    { script: ['config\\.gorgias\\.(?:chat|help)/', 'gorgias-convert', 'assets\\.gorgias\\.chat/'] },
  ],
  [
    'intercom',
    'Intercom',
    'https://www.intercom.com/',
    { script: ['widget\\.intercom\\.io/', 'js\\.intercomcdn\\.com/'], inline: [['\\bintercomSettings\\s*=', 80]] },
  ],
  ['zendesk-chat', 'Zendesk Chat', 'https://www.zendesk.com/', { script: ['v2\\.zopim\\.com/'] }, 'Zendesk'],
  ['tidio', 'Tidio', 'https://www.tidio.com/', { script: ['code\\.tidio\\.co/'] }],
  [
    'tawk-to',
    'tawk.to',
    'https://www.tawk.to/',
    { script: ['embed\\.tawk\\.to/'], inline: [['\\bTawk_API\\s*=', 80]] },
  ],
  ['crisp-live-chat', 'Crisp Live Chat', 'https://crisp.chat/', { script: ['client\\.crisp\\.(?:chat|im)/'] }],
  [
    'livechat',
    'LiveChat',
    'https://www.livechat.com/',
    { script: ['cdn\\.livechatinc\\.com/'], init: [['\\b__lc\\.license\\s*=', 80]] },
  ],
  [
    'freshchat',
    'Freshchat',
    'https://www.freshworks.com/live-chat-software/',
    { script: ['wchat\\.(?:eu\\.|in\\.)?freshchat\\.com/', 'fw-cdn\\.com/'] },
    'Freshworks',
  ],
  ['trengo', 'Trengo', 'https://trengo.com/', { script: ['static\\.widget\\.trengo\\.eu/'] }],
  ['heyday', 'Heyday', 'https://www.heyday.ai/', { script: ['heyday\\.(?:ai|hootsuite)'] }, 'Hootsuite'],
]);

const analytics = table('service', 'analytics', [
  [
    'triple-whale',
    'Triple Whale',
    'https://www.triplewhale.com/',
    { script: ['(?:api|cdn)\\.config-security\\.com/', 'triplewhale'], js: ['TriplePixelData'] },
  ],
  ['northbeam', 'Northbeam', 'https://www.northbeam.io/', { script: ['(?:j|i)\\.northbeam\\.io/'] }],
  ['hyros', 'Hyros', 'https://hyros.com/', { script: ['\\.hyros\\.com/', 't\\.\\w+\\.com/v1/lst/universal-script'] }],
  ['elevar', 'Elevar', 'https://getelevar.com/', { script: ['getelevar\\.com/'], js: ['ElevarGtmSuite'] }],
  ['mouse-flow', 'Mouseflow', 'https://mouseflow.com/', { script: ['cdn\\.mouseflow\\.com/'] }],
  [
    'microsoft-clarity',
    'Microsoft Clarity',
    'https://clarity.microsoft.com/',
    { script: ['www\\.clarity\\.ms/'], init: [['clarity\\.ms/tag/', 90]] },
    'Microsoft',
  ],
  [
    'google-analytics',
    'Google Analytics',
    'https://marketingplatform.google.com/about/analytics/',
    {
      script: [
        'google-analytics\\.com/(?:ga|urchin|analytics|gtag/js|plugins)',
        'stats\\.g\\.doubleclick\\.net/dc\\.js',
        'googletagmanager\\.com/gtag/js\\?id=(?:G-|UA-)',
      ],
      init: [
        ['\\bga\\([\'"]create[\'"]', 90],
        ['gtag\\(\\s*[\'"]config[\'"]\\s*,\\s*[\'"](?:G-|UA-)', 90],
        ['_gaq\\.push\\(\\[\\s*[\'"]_setAccount[\'"]', 90],
      ],
    },
    'Google',
  ],
  [
    'hotjar',
    'Hotjar',
    'https://www.hotjar.com/',
    { script: ['static\\.hotjar\\.com/'], init: [['\\b_hjSettings\\s*=\\s*\\{\\s*hjid:\\s*\\d', 80]] },
    'Contentsquare',
  ],
  [
    'heap',
    'Heap',
    'https://www.heap.io/',
    { script: ['cdn\\.heapanalytics\\.com/'], init: ['heap\\.load\\([\'"]'] },
    'Contentsquare',
  ],
  [
    'shopify-analytics',
    'Shopify Analytics',
    'https://www.shopify.com/analytics',
    { inline: [['\\bShopifyAnalytics\\.meta\\b', 80]], script: [['/trekkie\\.storefront', 90]] },
    'Shopify',
  ],
  ['polar-analytics', 'Polar Analytics', 'https://www.polaranalytics.com/', { script: ['polaranalytics\\.com/'] }],
  ['peel-insights', 'Peel Insights', 'https://www.peelinsights.com/', { script: ['peelinsights\\.com/'] }],
  [
    'yandex-metrika',
    'Yandex.Metrica',
    'https://metrica.yandex.com/',
    { script: ['mc\\.yandex\\.(?:ru|com)/metrika/'], init: [['mc\\.yandex\\.ru/metrika/', 90]] },
    'Yandex',
  ],
]);

const advertising = table('service', 'advertising', [
  [
    'rtb-house',
    'RTB House',
    'https://www.rtbhouse.com/',
    { script: ['creativecdn\\.com/'], inline: [['creativecdn\\.com/tags', 80]] },
  ],
  [
    'facebook-pixel',
    'Facebook Pixel',
    'https://www.facebook.com/business/tools/meta-pixel',
    {
      script: ['connect\\.facebook\\.net/[\\w-]+/fbevents\\.js'],
      init: [['\\bfbq\\(\\s*[\'"]init[\'"]', 90]],
    },
    'Meta',
  ],
  [
    'tiktok-pixel',
    'TikTok Pixel',
    'https://ads.tiktok.com/',
    { script: ['analytics\\.tiktok\\.com/'], init: [['ttq\\.load\\([\'"]', 90]] },
    'TikTok',
  ],
  [
    'pinterest-conversion-tag',
    'Pinterest Conversion Tag',
    'https://business.pinterest.com/',
    { script: ['s\\.pinimg\\.com/ct/'], init: [['pintrk\\([\'"]load[\'"]', 90]] },
    'Pinterest',
  ],
  [
    'snap-pixel',
    'Snap Pixel',
    'https://businesshelp.snapchat.com/',
    { script: ['sc-static\\.net/scevent'], init: [['snaptr\\([\'"]init[\'"]', 90]] },
    'Snap',
  ],
  [
    'microsoft-advertising',
    'Microsoft Advertising',
    'https://ads.microsoft.com/',
    { script: ['bat\\.bing\\.com/bat\\.js'], init: [['\\bnew UET\\(', 90]] },
    'Microsoft',
  ],
  [
    'google-ads-conversion-tracking',
    'Google Ads Conversion Tracking',
    'https://ads.google.com/',
    {
      script: ['gtag/js\\?id=AW-'],
      init: [['gtag\\(\\s*[\'"]config[\'"]\\s*,\\s*[\'"]AW-', 90]],
    },
    'Google',
  ],
  [
    'adroll',
    'AdRoll',
    'https://www.adroll.com/',
    { init: [['\\badroll_adv_id\\s*=', 90]], script: ['s\\.adroll\\.com/'] },
    'NextRoll',
  ],
  ['criteo', 'Criteo', 'https://www.criteo.com/', { script: ['static\\.criteo\\.net/', '\\.criteo\\.com/'] }],
  [
    'reddit-ads',
    'Reddit Ads',
    'https://ads.reddit.com/',
    { script: ['redditstatic\\.com/ads/'], init: [['\\brdt\\([\'"]init[\'"]', 90]] },
    'Reddit',
  ],
]);

const email = table('service', 'marketing-automation', [
  [
    'brevo',
    'Brevo',
    'https://www.brevo.com/',
    {
      script: ['sibautomation\\.com/', 'sibforms\\.com/', 'cdn\\.brevo\\.com/', 'conversations-widget\\.brevo\\.com/'],
      asset: ['sib(?:forms|automation)\\.com/'],
      dom: ['#sib-form'],
      js: ['sendinblue'],
    },
  ],
  ['sendlane', 'Sendlane', 'https://www.sendlane.com/', { script: ['sendlane\\.com/'] }],
  [
    'klaviyo',
    'Klaviyo',
    'https://www.klaviyo.com/',
    {
      script: ['(?:static|a|static-tracking|fast\\.a)\\.klaviyo\\.com/', '/onsite/js/klaviyo\\.js'],
      // Themes make these calls for any account: https://developers.klaviyo.com/en/docs/javascript_api.
      inline: [
        ['\\bklaviyo\\.(?:identify|isIdentified|openForm|track|trackViewedItem)\\(', 80],
        ['\\b_klOnsite\\s{0,4}=', 80],
        ['\\b_learnq\\s*=', 80],
      ],
      dom: ['[class^="klaviyo-form-"]', 'form[action*="manage.kmail-lists.com"]'],
    },
  ],
  [
    'mailchimp',
    'Mailchimp',
    'https://mailchimp.com/',
    {
      script: ['chimpstatic\\.com/mcjs'],
      asset: ['list-manage\\d?\\.com/subscribe'],
      dom: ['#mc_embed_signup form[action*="list-manage.com"]'],
    },
    'Intuit',
  ],
  [
    'omnisend',
    'Omnisend',
    'https://www.omnisend.com/',
    { script: ['omnisrc\\.com/', 'omnisnippet1\\.com/', 'omnisendlink'] },
  ],
  [
    'attentive',
    'Attentive',
    'https://www.attentive.com/',
    { script: ['cdn\\.attn\\.tv/'], inline: [['attn\\.tv/', 60]] },
  ],
  [
    'smsbump',
    'Yotpo SMSBump',
    'https://www.yotpo.com/platform/smsbump/',
    { script: ['smsbump\\.com/', 'forms-akamai\\.smsbump'], js: ['SMSBumpForm'] },
    'Yotpo',
  ],
  ['postscript', 'Postscript', 'https://postscript.io/', { script: ['sdk\\.postscript\\.io/'] }],
  ['poptin', 'Poptin', 'https://www.poptin.com/', { script: ['cdn\\.popt\\.in/'] }],
  [
    'privy',
    'Privy',
    'https://www.privy.com/',
    { script: ['widget\\.privy\\.com/', 'promotions\\.privy\\.com/'] },
    'Attentive',
  ],
  ['justuno', 'Justuno', 'https://www.justuno.com/', { script: ['cdn\\.(?:jst\\.ai|justuno\\.com)/'] }],
  [
    'alia',
    'Alia',
    'https://www.alialearn.com/',
    { script: ['alia(?:-prod|learn)?[\\w.-]*\\.(?:com|net)/[\\w/.-]*alia'] },
  ],
  [
    'salesforce-marketing-cloud',
    'Salesforce Marketing Cloud',
    'https://www.salesforce.com/marketing/',
    { script: ['\\.collect\\.igodigital\\.com/', 'cdn\\.evgnet\\.com/beacon', 'cdn\\.evergage\\.com/beacon'] },
    'Salesforce',
  ],
  [
    'dotdigital',
    'Dotdigital',
    'https://dotdigital.com/',
    {
      script: [
        '(?:r1|r2|r3|t)[\\w-]*\\.(?:dotdigital|trackedlink|dmtrk)\\.(?:net|com)/',
        'webinsight\\.(?:s3\\.amazonaws|eu|co)',
      ],
    },
  ],
  ['pushowl', 'PushOwl', 'https://pushowl.com/', { script: ['cdn\\.pushowl\\.com/'] }, 'Brevo'],
  ['recart', 'Recart', 'https://recart.com/', { script: ['\\.(?:recart|ghostmonitor)\\.com/'] }],
]);

const searching = table('service', 'search-engines', [
  [
    'fast-simon',
    'Fast Simon',
    'https://www.fastsimon.com/',
    {
      script: [
        '(?:assets|static-autocomplete|fastsimon)[\\w.-]*\\.(?:instantsearchplus|fastsimon)\\.com/',
        'acp-magento\\.appspot\\.com',
        'instantsearchplus\\.com/',
      ],
    },
  ],
  ['constructor', 'Constructor', 'https://constructor.com/', { script: ['cnstrc\\.com/'] }],
  ['boost-commerce', 'Boost Commerce', 'https://boostcommerce.net/', { script: ['boost-pfs|boost-sd|bc-sf-filter'] }],
  ['hawksearch', 'Hawksearch', 'https://www.hawksearch.com/', { script: ['hawksearch\\.(?:net|com)/'] }],
  [
    'doofinder',
    'Doofinder',
    'https://www.doofinder.com/',
    { script: ['(?:cdn|eu1-config|us1-config)\\.doofinder\\.com/'] },
  ],
]);

const affiliates = table('service', 'affiliate-programs', [
  [
    'shareasale',
    'ShareASale',
    'https://www.shareasale.com/',
    { script: ['shareasale(?:-analytics)?\\.com/', 'dwin1\\.com/19038'] },
    'Awin',
  ],
  ['tapfiliate', 'Tapfiliate', 'https://tapfiliate.com/', { script: ['script\\.tapfiliate\\.com/'] }],
  ['leaddyno', 'LeadDyno', 'https://www.leaddyno.com/', { script: ['static\\.leaddyno\\.com/'] }],
  ['goaffpro', 'GoAffPro', 'https://goaffpro.com/', { script: ['(?:api|static)\\.goaffpro\\.com/'] }],
  ['social-snowball', 'Social Snowball', 'https://www.socialsnowball.io/', { script: ['socialsnowball\\.io/'] }],
  [
    'impact',
    'impact.com',
    'https://impact.com/',
    { script: ['utt\\.impactcdn\\.com/', 'd\\.impactradius-event\\.com/'] },
  ],
]);

const shipping = table('service', 'fulfilment', [
  ['shipstation', 'ShipStation', 'https://www.shipstation.com/', { script: ['\\.shipstation\\.com/'] }, 'Auctane'],
  ['easyship', 'Easyship', 'https://www.easyship.com/', { script: ['easyship\\.com/'] }],
  ['shippit', 'Shippit', 'https://www.shippit.com/', { script: ['app\\.shippit\\.com/'] }],
  [
    'sendcloud',
    'Sendcloud',
    'https://www.sendcloud.com/',
    { script: ['embed\\.sendcloud\\.sc/', 'panel\\.sendcloud\\.sc/'] },
  ],
  ['packeta', 'Packeta', 'https://www.packeta.com/', { script: ['widget\\.packeta\\.com/'] }],
  [
    'inpost',
    'InPost',
    'https://inpost.pl/',
    { script: ['geowidget\\.(?:easypack24\\.net|inpost\\.pl)', 'inpost\\.pl/'] },
  ],
  ['route', 'Route', 'https://route.com/', { script: ['(?:cdn|shopify)[\\w.-]*\\.(?:routeapp|route)\\.(?:io|com)/'] }],
  ['redo', 'Redo', 'https://www.getredo.com/', { script: ['shopify-extension\\.getredo\\.com/'] }],
]);

const socialAndVideo = table('service', 'content-curation', [
  ['foursixty', 'Foursixty', 'https://foursixty.com/', { script: ['foursixty\\.com/'] }],
  ['flowbox', 'Flowbox', 'https://getflowbox.com/', { script: ['connect\\.getflowbox\\.com/'] }],
  ['curator-io', 'Curator.io', 'https://curator.io/', { script: ['cdn\\.curator\\.io/'] }],
  [
    'pixlee-turnto',
    'Pixlee',
    'https://www.pixlee.com/',
    { script: ['assets\\.pixlee\\.com/', 'assets\\.pxlecdn\\.com/'] },
    'Emplifi',
  ],
  ['tolstoy', 'Tolstoy', 'https://www.gotolstoy.com/', { script: ['widget\\.gotolstoy\\.com/'] }],
  ['videowise', 'Videowise', 'https://videowise.com/', { script: ['assets\\.videowise\\.com/'] }],
  ['firework', 'Firework', 'https://firework.com/', { script: ['asset\\.(?:fwcdn\\d?|fwpub\\d?)\\.com/'] }],
  [
    'elfsight',
    'Elfsight',
    'https://elfsight.com/',
    { script: ['(?:apps|static)\\.elfsight\\.com/', 'elfsightcdn\\.com/'] },
  ],
]);

const consent = table('service', 'cookie-compliance', [
  ['pandectes', 'Pandectes', 'https://pandectes.io/', { script: ['pandectes[\\w.-]*\\.js', 'cdn\\.pandectes\\.io/'] }],
  ['consentmo', 'Consentmo', 'https://www.consentmo.com/', { script: ['gdprcdn\\.b-cdn\\.net/', 'consentmo'] }],
  [
    'cookieyes',
    'CookieYes',
    'https://www.cookieyes.com/',
    { script: ['cdn-cookieyes\\.com/', '/plugins/cookie-law-info/'] },
  ],
  ['onetrust', 'OneTrust', 'https://www.onetrust.com/', { script: ['cdn\\.cookielaw\\.org/', 'otSDKStub\\.js'] }],
  [
    'cookiebot',
    'Cookiebot',
    'https://www.cookiebot.com/',
    { script: ['consent\\.cookiebot\\.(?:com|eu)/'] },
    'Usercentrics',
  ],
  ['usercentrics', 'Usercentrics', 'https://usercentrics.com/', { script: ['(?:app|web\\.cmp)\\.usercentrics\\.eu/'] }],
  ['iubenda', 'iubenda', 'https://www.iubenda.com/', { script: ['(?:cdn|cs)\\.iubenda\\.com/'] }],
  [
    'trustarc',
    'TrustArc',
    'https://trustarc.com/',
    { script: ['consent\\.trustarc\\.com/', 'consent\\.truste\\.com/'] },
  ],
]);

const magentoParts = table('app', 'ecommerce', [
  [
    'hyva-themes',
    'Hyvä',
    'https://www.hyva.io/',
    {
      asset: ['/Hyva/[\\w.-]+/'],
      script: ['/Hyva_\\w+/'],
      inline: [['window\\.hyva\\s*=|hyva\\.(?:getCookie|postForm|getFormKey)', 90]],
    },
    'Hyvä Themes',
  ],
  [
    'amasty',
    'Amasty',
    'https://amasty.com/',
    { script: ['/Amasty_\\w+/'], asset: ['/Amasty_\\w+/'], inline: [['[\'"]Amasty_\\w+/', 80]] },
  ],
  [
    'mirasvit',
    'Mirasvit',
    'https://mirasvit.com/',
    { script: ['/Mirasvit_\\w+/'], asset: ['/Mirasvit_\\w+/'], inline: [['[\'"]Mirasvit_\\w+/', 80]] },
  ],
  [
    'mageplaza',
    'Mageplaza',
    'https://www.mageplaza.com/',
    {
      script: ['/Mageplaza_\\w+/'],
      asset: ['/Mageplaza_\\w+/', '/skin/frontend/[\\w./-]*mageplaza'],
      inline: [['[\'"]Mageplaza_\\w+/', 80]],
    },
  ],
  ['snipcart', 'Snipcart', 'https://snipcart.com/', { script: ['cdn\\.snipcart\\.com/'], dom: ['.snipcart-add-item'] }],
  [
    'wix-ecommerce',
    'Wix Stores',
    'https://www.wix.com/ecommerce/website',
    {
      script: ['wixstores-client|ecom-platform-cart-icon|wixstores-graphql'],
      dom: [
        [
          '[data-hook="product-item-add-to-cart-button"], [data-hook="product-list-wrapper"], [data-hook="cart-icon-button"]',
          80,
        ],
      ],
    },
    'Wix',
  ],
]);

const themes = table('theme', 'wordpress-themes', [
  [
    'storefront',
    'Storefront',
    'https://woocommerce.com/products/storefront/',
    { asset: ['/themes/storefront/'], script: ['/themes/storefront/'] },
    'Automattic',
  ],
  [
    'flatsome',
    'Flatsome',
    'https://flatsome3.uxthemes.com/',
    { asset: ['/themes/flatsome/'], script: ['/themes/flatsome/'] },
    'UX Themes',
  ],
  [
    'woodmart',
    'WoodMart',
    'https://woodmart.xtemos.com/',
    { asset: ['/themes/woodmart/'], script: ['/themes/woodmart/'] },
    'XTemos',
  ],
  [
    'porto',
    'Porto',
    'https://www.portotheme.com/',
    { asset: ['/themes/porto/'], script: ['/themes/porto/'] },
    'P-Themes',
  ],
  ['oceanwp', 'OceanWP', 'https://oceanwp.org/', { asset: ['/themes/oceanwp/'], script: ['/themes/oceanwp/'] }],
  ['avada', 'Avada', 'https://avada.com/', { asset: ['/themes/Avada/'], script: ['/themes/Avada/'] }, 'ThemeFusion'],
  [
    'kadence-wp-kadence',
    'Kadence',
    'https://www.kadencewp.com/',
    { asset: ['/themes/kadence/'], script: ['/themes/kadence/'] },
    'Kadence WP',
  ],
  ['the7', 'The7', 'https://the7.io/', { asset: ['/themes/dt-the7/'], script: ['/themes/dt-the7/'] }, 'Dream-Theme'],
  ['enfold', 'Enfold', 'https://kriesi.at/', { asset: ['/themes/enfold/'], script: ['/themes/enfold/'] }, 'Kriesi'],
  [
    'betheme',
    'Betheme',
    'https://muffingroup.com/betheme/',
    { asset: ['/themes/betheme/'], script: ['/themes/betheme/'] },
    'Muffin Group',
  ],
  [
    'shopkeeper',
    'Shopkeeper',
    'https://shopkeeper.wp-theme.design/',
    { asset: ['/themes/shopkeeper/'], script: ['/themes/shopkeeper/'] },
    'Get Bowtied',
  ],
  [
    'xstore',
    'XStore',
    'https://xstore.8theme.com/',
    { asset: ['/themes/xstore/'], script: ['/themes/xstore/'] },
    '8theme',
  ],
  [
    'divi',
    'Divi',
    'https://www.elegantthemes.com/',
    { asset: ['/themes/Divi/'], script: ['/themes/Divi/'] },
    'Elegant Themes',
  ],
  [
    'astra',
    'Astra',
    'https://wpastra.com/',
    { asset: ['/themes/astra/'], script: ['/themes/astra/'] },
    'Brainstorm Force',
  ],
  [
    'generatepress',
    'GeneratePress',
    'https://generatepress.com/',
    { asset: ['/themes/generatepress/'], script: ['/themes/generatepress/'] },
  ],
  [
    'blocksy',
    'Blocksy',
    'https://creativethemes.com/blocksy/',
    { asset: ['/themes/blocksy/'], script: ['/themes/blocksy/'] },
    'Creative Themes',
  ],
  [
    'neve',
    'Neve',
    'https://themeisle.com/themes/neve/',
    { asset: ['/themes/neve/'], script: ['/themes/neve/'] },
    'Themeisle',
  ],
  [
    'salient',
    'Salient',
    'https://themenectar.com/',
    { asset: ['/themes/salient/'], script: ['/themes/salient/'] },
    'ThemeNectar',
  ],
  [
    'bridge',
    'Bridge',
    'https://bridge.qodeinteractive.com/',
    { asset: ['/themes/bridge/'], script: ['/themes/bridge/'] },
    'Qode',
  ],
  [
    'electro',
    'Electro',
    'https://madrasthemes.com/',
    { asset: ['/themes/electro/'], script: ['/themes/electro/'] },
    'MadrasThemes',
  ],
  [
    'martfury',
    'Martfury',
    'https://drfuri.com/',
    { asset: ['/themes/martfury/'], script: ['/themes/martfury/'] },
    'DrFuri',
  ],
  [
    'hello-elementor',
    'Hello Elementor',
    'https://elementor.com/hello-theme/',
    { asset: ['/themes/hello-elementor/'], script: ['/themes/hello-elementor/'] },
    'Elementor',
  ],
  [
    'journal',
    'Journal',
    'https://www.journal-theme.com/',
    { asset: ['catalog/view/theme/journal\\d?/'], script: ['catalog/view/theme/journal\\d?/'] },
    'Digital Atelier',
  ],
  [
    'ultimo',
    'Ultimo',
    'https://infortis-themes.com/',
    { asset: ['/skin/frontend/ultimo/'], script: ['/skin/frontend/ultimo/'] },
    'Infortis',
  ],
]);

const libraries = table('service', 'ui-frameworks', [
  ['bootstrap', 'Bootstrap', 'https://getbootstrap.com/', { script: ['/bootstrap[@/](\\d[\\d.]*)/\\;version:\\1'] }],
]);

/** Calls and settings with an id that start a product whose imported entry has no such trace. */
const started = table('service', 'analytics', [
  [
    'new-relic',
    'New Relic',
    'https://newrelic.com/',
    { init: [['\\bNREUM\\.(?:loader_config|info)\\s*=\\s*\\{[^}]{0,200}licenseKey', 90]] },
  ],
  [
    'emarsys',
    'Emarsys',
    'https://www.emarsys.com/',
    { init: [['\\bScarabQueue\\.push\\(', 80]], script: ['(?:static|cdn|recommender)\\.scarabresearch\\.com/'] },
    'SAP',
  ],
  ['accessibe', 'AccessiBe', 'https://accessibe.com/', { init: [['\\bacsbJS\\.init\\(', 90]] }],
  [
    'quantcast-measure',
    'Quantcast Measure',
    'https://www.quantcast.com/',
    {
      init: [['\\b_qevents\\.push\\(\\s*\\{\\s*["\']?qacct', 90]],
      script: ['\\.quantserve\\.com/(?:aquant|quant)\\.js'],
    },
    'Quantcast',
  ],
  [
    'linkedin-insight-tag',
    'Linkedin Insight Tag',
    'https://business.linkedin.com/',
    { init: [['\\b_linkedin_partner_id\\s*=\\s*["\']?\\d', 90]] },
    'LinkedIn',
  ],
  [
    'boomerang',
    'Boomerang',
    'https://akamai.github.io/boomerang',
    { init: [['\\bBOOMR\\.(?:url|application)\\s*=', 80]] },
  ],
  ['shop-pay', 'Shop Pay', 'https://shop.app/', { init: [['\\bShopifyPay\\.apiHost\\s*=', 80]] }, 'Shopify'],
  [
    'google-ads-conversion-tracking',
    'Google Ads Conversion Tracking',
    'https://ads.google.com/',
    // The snippet of remarketing has the id and the script as well.
    {
      init: [
        ['\\bgoogle_conversion_format\\s*=\\s*[\'"\\d]', 90],
        ['\\bgoogle_remarketing_only\\s*=\\s*[\'"]?false', 90],
      ],
    },
    'Google',
  ],
  [
    'google-ads',
    'Google Ads',
    'https://ads.google.com/',
    { init: [['\\bgoogle_remarketing_only\\s*=\\s*[\'"]?true', 90]] },
    'Google',
  ],
]);

const infrastructure = table('service', 'issue-trackers', [
  [
    'sentry',
    'Sentry',
    'https://sentry.io/',
    { script: ['browser\\.sentry-cdn\\.com/', 'js\\.sentry-cdn\\.com/'], init: [['\\bSentry\\.init\\(', 90]] },
  ],
  [
    'rollbar',
    'Rollbar',
    'https://rollbar.com/',
    { inline: [['\\b_rollbarConfig\\s*=', 90]], script: ['rollbar\\.com/[\\w/.-]*rollbar'] },
  ],
]);

const delivery = table('service', 'cdn', [
  [
    'typekit',
    'Adobe Fonts',
    'https://fonts.adobe.com/',
    { script: ['use\\.typekit\\.(?:net|com)/'], asset: ['use\\.typekit\\.(?:net|com)/', 'p\\.typekit\\.net/'] },
    'Adobe',
  ],
  [
    'google-font-api',
    'Google Font API',
    'https://fonts.google.com/',
    { asset: ['fonts\\.googleapis\\.com/', 'fonts\\.gstatic\\.com/s/'] },
    'Google',
  ],
  ['bunny', 'Bunny', 'https://bunny.net/', { image: [['\\.b-cdn\\.net/', 60]] }],
  [
    'shopify-cdn',
    'Shopify CDN',
    'https://www.shopify.com/',
    {
      asset: [['cdn\\.shopify\\.com/', 60]],
      image: [['cdn\\.shopify\\.com/', 60]],
      script: [['cdn\\.shopify\\.com/', 60]],
    },
    'Shopify',
  ],
]);

/** What platforms and plugins print about their own parts, where no folder and no file name shows it. From memory. */
const printedParts: readonly TechnologyRule[] = [
  ...table('app', 'ecommerce', [
    [
      'squarespace-commerce',
      'Squarespace Commerce',
      'https://www.squarespace.com/ecommerce-website',
      {
        dom: [
          '.sqs-add-to-cart-button, .sqs-block-product, body.collection-type-products',
          ['.ProductList-grid, .products.collection-content-wrapper, .ProductItem-details', 90],
        ],
        inline: [['"typeName"\\s*:\\s*"products"', 90]],
      },
      'Squarespace',
    ],
  ]),
  ...table('service', 'cookie-compliance', [
    [
      'shopify-consent-management',
      'Shopify Consent Management',
      'https://help.shopify.com/manual/privacy-and-security/privacy',
      {
        script: [
          'shopifycloud/privacy-banner/storefront-banner\\.js',
          'shopify_privacy_banner|/privacy-banner/storefront-banner',
        ],
      },
      'Shopify',
    ],
  ]),
  ...table('service', 'widgets', [
    [
      'facebook-sdk',
      'Facebook SDK',
      'https://developers.facebook.com/docs/javascript/',
      {
        script: ['connect\\.facebook\\.net/[\\w-]{2,8}/(?:sdk|all)(?:\\.js|/)'],
        inline: [['\\bFB\\.init\\(\\s*\\{', 80]],
      },
      'Meta',
    ],
    [
      'facebook-social-plugins',
      'Facebook Social Plugins',
      'https://developers.facebook.com/docs/plugins/page-plugin/',
      {
        asset: ['facebook\\.com/(?:v[\\d.]+/)?plugins/(?:page|likebox|like_box|like)\\.php'],
      },
      'Meta',
    ],
    [
      'gravatar',
      'Gravatar',
      'https://docs.gravatar.com/',
      { image: ['(?:secure|\\d|www|en)\\.gravatar\\.com/avatar'] },
      'Automattic',
    ],
  ]),
  ...table('service', 'security', [
    ['trustedsite', 'TrustedSite', 'https://www.trustedsite.com/', { script: ['\\.ywxi\\.net/'] }, 'TrustedSite'],
    [
      'recaptcha',
      'reCAPTCHA',
      'https://www.google.com/recaptcha/',
      { inline: [['site_?key["\']?\\s{0,4}[:=]\\s{0,4}["\']6L[\\w-]{38}["\']', 60]] },
      'Google',
    ],
  ]),
  ...table('service', 'advertising', [
    ['intelliad', 'intelliAd', 'https://www.intelliad.de/', { script: ['\\.intelliad\\.de/'] }, 'intelliAd'],
  ]),
  ...table('service', 'affiliate-programs', [
    ['affilinet', 'affilinet', 'https://www.awin.com/', { script: ['partners\\.webmasterplan\\.com/'] }, 'Awin'],
  ]),
  ...table('service', 'reviews', [
    [
      'google-trusted-stores',
      'Google Trusted Stores',
      'https://support.google.com/merchants/',
      { script: ['googlecommerce\\.com/trustedstores/'] },
      'Google',
    ],
  ]),
  ...table('service', 'performance', [
    [
      'cloudflare-mirage',
      'Cloudflare Mirage',
      'https://www.cloudflare.com/',
      { init: [['\\b__mirage2\\s*=\\s*\\{', 90]] },
      'Cloudflare',
    ],
    [
      'jetpack-site-accelerator',
      'Jetpack Site Accelerator',
      'https://jetpack.com/support/site-accelerator/',
      {
        image: ['^(?:https?:)?//i[0-3]\\.wp\\.com/'],
        script: ['^(?:https?:)?//c0\\.wp\\.com/'],
        asset: ['^(?:https?:)?//c0\\.wp\\.com/'],
      },
      'Automattic',
    ],
  ]),
  ...table('service', 'javascript-libraries', [
    [
      'vanilla-lazyload',
      'vanilla-lazyload',
      'https://github.com/verlok/vanilla-lazyload',
      {
        script: ['/lazyload/\\d+\\.[\\d.]+/lazyload(?:\\.min)?\\.js'],
        init: [['\\blazyLoadOptions\\s*=\\s*[\\[{]', 80]],
      },
    ],
  ]),
  ...table('service', 'analytics', [
    [
      'econda',
      'econda',
      'https://www.econda.com/',
      { script: ['/emos\\d?(?:\\.min)?\\.js'], init: [['\\bemospro\\s*=', 90]] },
      'econda',
    ],
    [
      'jetpack-stats',
      'Jetpack Stats',
      'https://jetpack.com/stats/',
      { script: ['stats\\.wp\\.com/e-\\d+\\.js'] },
      'Automattic',
    ],
    [
      'woocommerce-tracks',
      'WooCommerce Tracks',
      'https://developer.woocommerce.com/docs/',
      { script: ['stats\\.wp\\.com/w\\.js'] },
      'Automattic',
    ],
    [
      'woocommerce-analytics',
      'WooCommerce Analytics',
      'https://woocommerce.com/document/woocommerce-analytics/',
      { script: ['stats\\.wp\\.com/s-\\d+\\.js'], inline: [['\\bwcAnalytics\\s*=|_wca\\.push\\(', 80]] },
      'Automattic',
    ],
  ]),
  ...table('app', 'wordpress-plugins', [
    [
      'facebook-for-woocommerce',
      'Facebook for WooCommerce',
      'https://wordpress.org/plugins/facebook-for-woocommerce/',
      {
        comment: ['<!-- WooCommerce Facebook Integration Begin -->'],
        inline: [["'agent'\\s*:\\s*'woocommerce-|[\"']woocommerce-[\\d.]+-[\\d.]+[\"']", 80]],
      },
      'Meta',
    ],
    [
      'woocommerce-google-analytics-integration',
      'WooCommerce Google Analytics Integration',
      'https://wordpress.org/plugins/woocommerce-google-analytics-integration/',
      { comment: ['<!-- WooCommerce Google Analytics Integration -->'] },
      'WooCommerce',
    ],
    [
      'exactmetrics',
      'ExactMetrics',
      'https://www.exactmetrics.com/',
      { comment: ['<!-- BEGIN (?:GADWP|ExactMetrics) v\\d'] },
    ],
    [
      'wp-statistics',
      'WP-Statistics',
      'https://wp-statistics.com/',
      { comment: ['<!-- Analytics by WP[ -]Statistics v\\d'] },
    ],
    [
      'hubspot-wordpress-plugin',
      'HubSpot WordPress plugin',
      'https://wordpress.org/plugins/leadin/',
      { inline: [['\\bleadin_wordpress\\s*=', 90]] },
      'HubSpot',
    ],
    [
      'really-simple-ssl',
      'Really Simple SSL',
      'https://wordpress.org/plugins/really-simple-ssl/',
      { dom: ['body[data-rsssl]'] },
      'Really Simple Plugins',
    ],
    [
      'tracking-code-manager',
      'Tracking Code Manager',
      'https://wordpress.org/plugins/tracking-code-manager/',
      { comment: ['<!--BEGIN: TRACKING CODE MANAGER', '<!--BEGIN: PRO-TRACKING CODE MANAGER'] },
      'Data443',
    ],
    [
      'kirki-customizer-framework',
      'Kirki Customizer Framework',
      'https://wordpress.org/plugins/kirki/',
      { dom: ['style#kirki-inline-styles'] },
    ],
    [
      'wpforms',
      'WPForms',
      'https://wordpress.org/plugins/wpforms-lite/',
      { inline: [['\\bwpforms(?:ElementorVars|_settings)\\s*=', 90]], dom: ['.wpforms-container'] },
    ],
    [
      'site-reviews',
      'Site Reviews',
      'https://wordpress.org/plugins/site-reviews/',
      { inline: [['\\bGLSR\\s*=', 90]] },
      'Gemini Labs',
    ],
    [
      'wc-fields-factory',
      'WC Fields Factory',
      'https://wordpress.org/plugins/wc-fields-factory/',
      { inline: [['\\bwcff_(?:date_picker_meta|color_picker_meta|fields_meta)\\s*=', 90]] },
    ],
    [
      'advanced-ads',
      'Advanced Ads',
      'https://wordpress.org/plugins/advanced-ads/',
      { inline: [['\\badvanced_ads_ready\\s*=|advads_(?:tracking|options)\\s*=', 90]] },
    ],
    [
      'woo-product-variation-swatches',
      'Variation Swatches for WooCommerce',
      'https://getwooplugins.com/',
      { inline: [['\\bwoo_variation_swatches_options\\s*=', 90]] },
    ],
  ]),
  ...table('service', 'javascript-libraries', [
    [
      'owl-carousel',
      'OWL Carousel',
      'https://owlcarousel2.github.io/OwlCarousel2/',
      { init: [['\\.owlCarousel\\(', 80]] },
    ],
    ['slick', 'Slick', 'https://kenwheeler.github.io/slick/', { init: [['\\)\\.slick\\(\\s*[{)]', 80]] }],
    ['swiper', 'Swiper', 'https://swiperjs.com/', { init: [['\\bnew Swiper\\(', 80]] }],
    [
      'magnific-popup',
      'Magnific Popup',
      'https://dimsemenov.com/plugins/magnific-popup/',
      { init: [['\\.magnificPopup\\(', 80]] },
    ],
    [
      'fancybox',
      'FancyBox',
      'https://fancyapps.com/',
      { init: [['\\)\\.fancybox\\(', 80]], dom: [['a[data-fancybox]', 80]] },
    ],
    ['bxslider', 'bxSlider', 'https://github.com/stevenwanderski/bxslider-4', { init: [['\\.bxSlider\\(', 80]] }],
    ['colorbox', 'Colorbox', 'https://github.com/jackmoore/colorbox', { init: [['\\)\\.colorbox\\(', 80]] }],
    [
      'nivo-slider',
      'Nivo Slider',
      'https://github.com/Codeinwp/Nivo-Slider-jQuery',
      { init: [['\\.nivoSlider\\(', 80]] },
    ],
    ['elevatezoom', 'elevateZoom', 'https://github.com/elevateweb/elevatezoom', { init: [['\\.elevateZoom\\(', 80]] }],
    ['jcarousel', 'jCarousel', 'https://github.com/jsor/jcarousel', { init: [['\\.jcarousel\\(', 80]] }],
    ['wow-js', 'WOW.js', 'https://github.com/graingert/WOW', { init: [['\\bnew WOW\\(', 80]] }],
    ['aos', 'AOS', 'https://michalsnik.github.io/aos/', { init: [['\\bAOS\\.init\\(', 80]] }],
    ['photoswipe', 'PhotoSwipe', 'https://photoswipe.com/', { dom: [['.pswp .pswp__bg', 80]] }],
    [
      'lazysizes',
      'LazySizes',
      'https://github.com/aFarkas/lazysizes',
      { dom: [['img.lazyload[data-sizes="auto"]', 60]] },
    ],
    [
      'mcustomscrollbar',
      'mCustomScrollbar',
      'https://github.com/malihu/malihu-custom-scrollbar-plugin',
      { dom: ['.mCustomScrollbar, .mCSB_container'] },
    ],
    [
      'yui',
      'YUI',
      'https://clarle.github.io/yui3/',
      { init: [['\\bYUI\\(\\)\\.use\\(|\\bY\\.use\\([\'"]|Squarespace\\.afterBodyLoad\\(Y\\)', 80]] },
    ],
  ]),
  ...table('service', 'javascript-frameworks', [
    [
      'prototype',
      'Prototype',
      'https://prototypejs.org/',
      { init: [['\\bnew (?:VarienForm|Ajax\\.(?:Request|Updater))\\(', 80]] },
    ],
  ]),
  ...table('service', 'security', [
    [
      'botdetect-captcha',
      'BotDetect CAPTCHA',
      'https://captcha.com/',
      { script: ['/BotDetectCaptcha\\.ashx\\?get='], asset: ['/BotDetectCaptcha\\.ashx\\?get='] },
    ],
    [
      'recaptcha',
      'reCAPTCHA',
      'https://developers.google.com/recaptcha',
      {
        inline: [
          '\\bShopify\\.recaptchaV3\\s*=',
          ['\\bgrecaptcha\\.(?:enterprise\\.)?(?:execute|render|ready)\\(', 80],
        ],
      },
      'Google',
    ],
  ]),
  ...table('service', 'advertising', [
    [
      'doubleclick-floodlight',
      'DoubleClick Floodlight',
      'https://support.google.com/campaignmanager/',
      {
        asset: ['\\.fls\\.doubleclick\\.net/'],
        script: ['gtag/js\\?id=DC-\\d'],
        inline: [['gtag\\(\\s*[\'"]config[\'"]\\s*,\\s*[\'"]DC-\\d', 90]],
      },
      'Google',
    ],
    ['prebid', 'Prebid', 'https://prebid.org/', { script: ['micro\\.rubiconproject\\.com/prebid/'] }],
  ]),
  ...table('service', 'cdn', [
    [
      'cloudflare',
      'Cloudflare',
      'https://www.cloudflare.com/',
      {
        script: ['/cdn-cgi/(?:scripts|challenge-platform|zaraz|apps)/', 'static\\.cloudflareinsights\\.com/'],
        init: ['__CF\\$cv\\$params', ['/cdn-cgi/challenge-platform/', 80]],
        dom: ['[data-cfemail]'],
      },
    ],
  ]),
  ...table('service', 'security', [
    [
      'kasada',
      'Kasada',
      'https://www.kasada.io/',
      {
        script: [['/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/', 80]],
        init: [['\\bKPSDK\\.configure\\(', 80]],
      },
    ],
  ]),
  ...table('service', 'javascript-libraries', [
    // https://emotion.sh/docs/ssr
    ['emotion', 'Emotion', 'https://emotion.sh/', { dom: [['style[data-emotion], style[data-emotion-css]', 80]] }],
  ]),
  ...table('service', 'customer-data-platform', [
    // https://experienceleague.adobe.com/en/docs/experience-platform/web-sdk/install/library
    [
      'adobe-experience-platform-web-sdk',
      'Adobe Experience Platform Web SDK',
      'https://experienceleague.adobe.com/en/docs/experience-platform/web-sdk/home',
      {
        script: [['//cdn1\\.adoberesources\\.net/alloy/|/adobe-alloy/', 80]],
        init: [['\\b__alloyNS\\b', 80]],
      },
      'Adobe',
    ],
  ]),
  ...table('app', 'shopify-apps', [
    [
      'also-bought-by-code-black-belt',
      'Also Bought by Code Black Belt',
      'https://www.codeblackbelt.com/',
      { script: [['\\.codeblackbelt\\.com/js/modules/also-bought/', 80]] },
      'Code Black Belt',
    ],
    [
      'variant-title-king',
      'Variant Title King',
      'https://apps.shopify.com/variant-title-king',
      { script: ['starapps\\.studio/apps/vtk/'] },
      'StarApps Studio',
    ],
    [
      'starapps-swatch-king',
      'StarApps Swatch King',
      'https://apps.shopify.com/variant-swatch-king',
      { script: ['starapps\\.studio/apps/vsk/'] },
      'StarApps Studio',
    ],
    [
      'tabs-by-station',
      'Tabs by Station',
      'https://apps.shopify.com/station-product-tabs',
      { inline: [['\\bStation\\.Apps\\.Tabs\\b', 80]] },
      'Station',
    ],
    ['ordergroove', 'Ordergroove', 'https://www.ordergroove.com/', { inline: [['\\bog_settings\\s*=', 80]] }],
  ]),
  ...table('app', 'magento-extensions', [
    [
      'magebird-popup',
      'Magebird Popup',
      'https://www.magebird.com/',
      { inline: [['\\bmbPopupParams\\b', 80]] },
      'Magebird',
    ],
    [
      'olegnax-ajaxcart',
      'Olegnax Ajaxcart',
      'https://olegnax.com/',
      { inline: [['\\bOlegnax\\.Ajaxcart\\b', 80]] },
      'Olegnax',
    ],
    [
      'potato-compressor',
      'Potato Compressor',
      'https://potatocommerce.com/',
      { script: ['/media/po_compressor/'], asset: ['/media/po_compressor/'] },
      'PotatoCommerce',
    ],
  ]),
  ...table('service', 'cdn', [
    ['imagekit', 'ImageKit', 'https://imagekit.io/', { image: [['//ik\\.imagekit\\.io/', 80]] }],
  ]),
  ...table('service', 'search-engines', [
    ['sli-systems', 'SLI Systems', 'https://www.sli-systems.com/', { inline: [['[\\w-]\\.resultspage\\.com', 80]] }],
    [
      'slickstream',
      'Slickstream',
      'https://slickstream.com/',
      { inline: [['[\'"/]app\\.slickstream\\.com[\'"/]', 80]] },
    ],
  ]),
  ...table('service', 'font-scripts', [
    [
      'font-awesome',
      'Font Awesome',
      'https://fontawesome.com/',
      { dom: [['[class^="fa fa-"], i[class^="fab fa-"], i[class^="fas fa-"], i[class^="far fa-"]', 60]] },
      'Fonticons',
    ],
  ]),
  ...table('app', 'wordpress-plugins', [
    [
      'spectra',
      'Spectra',
      'https://wordpress.org/plugins/ultimate-addons-for-gutenberg/',
      { dom: ['#uagb-style-conditional-extension, .wp-block-uagb-container'] },
      'Brainstorm Force',
    ],
    [
      'optinmonster-plugin',
      'OptinMonster plugin',
      'https://wordpress.org/plugins/optinmonster/',
      { inline: [['\\bomapi_data\\s*=', 80]] },
      'OptinMonster',
    ],
    [
      'siteorigin-css',
      'SiteOrigin CSS',
      'https://wordpress.org/plugins/so-css/',
      { asset: ['/uploads/so-css/'] },
      'SiteOrigin',
    ],
  ]),
  ...table('service', 'font-scripts', [
    [
      'twitter-emoji-twemoji',
      'Twitter Emoji (Twemoji)',
      'https://twitter.github.io/twemoji/',
      { init: [['\\b_wpemojiSettings\\s*=', 90]], script: ['/wp-emoji-release\\.min\\.js'] },
    ],
  ]),
].map((rule) => ({ ...rule, unsourced: true }));

/** The same of extensions that exist on one platform. */
const partsOfPlatforms: readonly TechnologyRule[] = [
  {
    slug: 'shop-pop',
    name: 'Shop Pop',
    kind: 'app',
    category: 'shopify-apps',
    website: 'https://apps.shopify.com/',
    requires: ['shopify'],
    unsourced: true,
    traces: { comment: [['<!-- BeginShopPopAddon', 80]], inline: [['\\bShopify\\.shopPopSettings\\s{0,4}=', 80]] },
  },
  {
    slug: 'lion-bundles',
    name: 'Lion Bundles',
    kind: 'app',
    category: 'shopify-apps',
    website: 'https://apps.shopify.com/',
    requires: ['shopify'],
    unsourced: true,
    traces: { inline: [['\\bwindow\\.lion\\.(?:ba_page|cart|discount_method|money_format)\\s{0,4}=', 80]] },
  },
  {
    slug: 'live-options',
    name: 'Live Options',
    kind: 'app',
    category: 'opencart-extensions',
    website: 'https://www.opencart.com/index.php?route=marketplace/extension',
    vendor: 'OpenCart community',
    requires: ['opencart'],
    unsourced: true,
    traces: { script: [['route=product/live_options/js\\b', 80]] },
  },
  {
    slug: 'bigcommerce-consent-manager',
    name: 'BigCommerce Consent Manager',
    kind: 'app',
    category: 'cookie-compliance',
    website: 'https://support.bigcommerce.com/s/article/GDPR-Compliance',
    vendor: 'BigCommerce',
    requires: ['bigcommerce'],
    unsourced: true,
    // Themes print `consentManagerTranslations` also where the consent manager is off.
    traces: {
      inline: [['\\bconsentManager(?:StoreConfig|Config)\\s{0,4}=', 80]],
      script: [['/shared/js/storefront/consent-manager-config-', 80]],
    },
  },
];

/**
 * The storefront states itself in a header, and Oxygen, which hosts storefronts of Hydrogen, adds its own name to the header:
 * https://github.com/Shopify/hydrogen/blob/HEAD/packages/hydrogen/src/createRequestHandler.ts,
 * https://github.com/Shopify/hydrogen/pull/872. The files lie on the CDN of Shopify:
 * https://shopify.github.io/hydrogen-v1/tutorials/static-assets.
 */
const hydrogen = table('service', 'javascript-frameworks', [
  [
    'hydrogen',
    'Hydrogen',
    'https://hydrogen.shopify.dev/',
    {
      header: { 'powered-by': '^Shopify, ?(?:Oxygen|Hydrogen)\\b' },
      script: ['cdn\\.shopify\\.com/oxygen/'],
      asset: ['cdn\\.shopify\\.com/oxygen/'],
    },
    'Shopify',
  ],
]);

export const technologyRules: readonly TechnologyRule[] = [
  ...hydrogen,
  ...printedParts,
  ...partsOfPlatforms,
  ...reviews,
  ...shopifyApps,
  ...wordpressPlugins,
  ...payments,
  ...buyNowPayLater,
  ...chat,
  ...analytics,
  ...advertising,
  ...email,
  ...searching,
  ...affiliates,
  ...shipping,
  ...socialAndVideo,
  ...consent,
  ...magentoParts,
  ...themes,
  ...libraries,
  ...started,
  ...infrastructure,
  ...delivery,
];
