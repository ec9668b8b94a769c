import type { Rule } from '../engine/rule.ts';
import { patternsOf, type Traces } from './traces.ts';

/**
 * Traces of libraries and services whose own file a site joins with others or renames: calls that start them, and attributes and classes
 * that their documentation asks for. The names of the calls belong to one library. Without a public source each, so they
 * give medium confidence at most.
 */
const weight = 80;

/** Regular expressions of calls that start a library. */
const calls: Readonly<Record<string, string>> = {
  animsition: '\\.animsition\\(',
  autonumeric: '\\bnew AutoNumeric\\(|\\.autoNumeric\\(',
  caroufredsel: '\\.carouFredSel\\(',
  'cloud-zoom': '\\.CloudZoom\\(',
  'counter-up': '\\.counterUp\\(',
  datatables: '\\)\\.(?:DataTable|dataTable)\\(',
  easyzoom: '\\.easyZoom\\(',
  'enquire-js': '\\benquire\\s{0,20}\\.register\\(',
  flickity: '\\bnew Flickity\\(|\\)\\.flickity\\(',
  'glide-js': '\\bnew Glide\\(',
  icheck: '\\)\\.iCheck\\(',
  'ion-rangeslider': '\\.ionRangeSlider\\(',
  isotope: '\\)\\.isotope\\(|\\bnew Isotope\\(',
  'jquery-devbridge-autocomplete': '\\.devbridgeAutocomplete\\(',
  'jquery-knob': '\\)\\.knob\\(',
  'jquery-matchheight': '\\)\\.matchHeight\\(',
  'jquery-blockui': '(?:\\$|jQuery)\\.blockUI\\(',
  // The name of the library in Magento 2.
  'jquery-ui': '\\brequire(?:js)?\\(\\[[^\\[\\]()]{0,200}["\']jquery/ui["\']',
  'jquery-cookie': '(?:\\$|jQuery)\\.cookie\\(["\']',
  jquery: '\\brequire\\(\\[\'jquery\'|\\brequire\\(\\["jquery"|\\brequire\\(\\[ \'jquery\'|\\brequire\\(\\[ "jquery"',
  // Options of https://github.com/tuupola/lazyload/blob/1.x/README.md. Other plugins have a method with the same name.
  'jquery-lazy-load':
    '\\)\\.lazyload\\(\\{[^{}]{0,200}\\b(?:effect|threshold|failure_limit|data_attribute|skip_invisible)\\s{0,4}:',
  jscrollpane: '\\.jScrollPane\\(',
  lightgallery: '\\)\\.lightGallery\\(',
  lightslider: '\\)\\.lightSlider\\(',
  minicolors: '\\)\\.minicolors\\(|\\$\\.minicolors\\b',
  'masonry-js': '\\)\\.masonry\\(|\\bnew Masonry\\(',
  mcustomscrollbar: '\\.mCustomScrollbar\\(',
  meanmenu: '\\.meanmenu\\(',
  nouislider: '\\bnoUiSlider\\.create\\(',
  prettyphoto: '\\.prettyPhoto\\(',
  'prototype-window': '\\bnew Window\\(\\{[^{}]{0,120}className:\\s{0,4}["\'](?:magento|alphacube|dialog)\\b',
  requirejs: '\\brequire(?:js)?\\.config\\(|\\bvar require = \\{\\s{0,40}["\']?baseUrl\\b',
  'responsiveslides-js': '\\)\\.responsiveSlides\\(',
  royalslider: '\\.royalSlider\\(',
  select2: '\\)\\.select2\\(',
  selectize: '\\)\\.selectize\\(',
  slicknav: '\\)\\.slicknav\\(',
  splide: '\\bnew Splide\\(',
  'sticky-kit': '\\.stick_in_parent\\(',
  sumoselect: '\\.SumoSelect\\(',
  superfish: '\\)\\.superfish\\(',
  swipebox: '\\)\\.swipebox\\(',
  toastr: '\\btoastr\\.(?:success|error|info|warning|options)\\b',
  tooltipster: '\\)\\.tooltipster\\(',
  spectrum: '\\)\\.spectrum\\(',
  'typed-js': '\\bnew Typed\\(',
  unslider: '\\)\\.unslider\\(',
  waitforimages: '\\)\\.waitForImages\\(',
  waypoints: '\\)\\.waypoint\\(|\\bnew Waypoint\\(',
};

/**
 * Names of the settings that WordPress prints for the script of a plugin: `var woosb_vars = {"…"}`. An optimizer joins the
 * scripts, and the settings stay in the page: https://developer.wordpress.org/reference/functions/wp_localize_script/.
 */
const settings: Readonly<Record<string, readonly string[]>> = {
  'add-to-cart-direct-checkout-for-woocommerce': ['pisol_dcw_setting'],
  'animate-it': ['edsanimate_options'],
  'astra-pro': ['astraAddon', 'ast_modern_shop'],
  bloom: ['bloomSettings'],
  booked: ['booked_js_vars', 'booked_wc_variables', 'booked_fea_vars'],
  boxzilla: ['boxzilla_options'],
  'brave-popup-builder': ['bravepop_global'],
  'brevo-for-wordpress': ['sibErrMsg'],
  'cart-abandonment-recovery-for-woocommerce': ['wcf_ca_vars'],
  cartbounty: ['cartbounty_co'],
  cartpops: ['CartPopsConfig'],
  'chained-quiz': ['chained_i18n'],
  charitable: ['CHARITABLE_SESSION'],
  'checkout-field-editor-for-woocommerce': ['thwcfe_public_var'],
  'clever-addons-for-elementor': ['cafeFrontendConfig'],
  'clever-mega-menu-for-elementor': ['cmm4eFrontendConfig'],
  'click-to-chat-for-whatsapp': ['ht_ctc_chat_var', 'ht_ctc_variables'],
  'colibri-page-builder': ['colibriData'],
  complianz: ['complianz'],
  cookieyes: ['_ckyConfig', 'Cli_Data'],
  'curcy-multi-currency-for-woocommerce': ['wooMultiCurrencyParams'],
  'customer-reviews-for-woocommerce': ['cr_ajax_object'],
  'discount-rules-for-woocommerce': ['awdr_params', 'woo_discount_rules'],
  dokan: ['dokan', 'dokan_helper'],
  drip: ['wcdrip'],
  'drip-for-woocommerce': ['wcdrip'],
  'ecwid-for-wordpress': ['ecwidParams'],
  'element-pack': ['element_pack_ajax_login_config'],
  elementskit: ['ekit_config'],
  embedplus: ['_EPYT_'],
  exactmetrics: ['exactmetrics_frontend'],
  fibosearch: ['dgwt_wcas'],
  'filter-everything': ['wpcFilterFront'],
  forminator: ['ForminatorFront'],
  'germanized-for-woocommerce': ['wc_gzd_unit_price_observer_params'],
  'happy-addons-for-elementor': ['HappyLocalize'],
  'husky-products-filter-for-woocommerce': ['woof_husky_txt'],
  'ivory-search': ['IvorySearchVars'],
  jetblocks: ['JetHamburgerPanelSettings'],
  jetelements: ['jetElements'],
  jetengine: ['JetEngineSettings'],
  jetmenu: ['jetMenuPublicSettings'],
  jetpack: ['jetpackSwiperLibraryPath'],
  jetsearch: ['jetSearchSettings'],
  jetsmartfilters: ['JetSmartFilterSettings'],
  jetwoobuilder: ['jetWooBuilderData'],
  joinchat: ['joinchat_obj'],
  'kadence-shop-kit': ['kpg_lightbox'],
  'klaviyo-for-woocommerce': ['kl_checkout'],
  'livemesh-addons-for-elementor': ['lae_js_vars'],
  'login-signup-popup-for-woocommerce': ['xoo_el_localize'],
  'logo-slider-wp': ['logosliderwp'],
  'mailchimp-for-woocommerce': ['mailchimp_public_data'],
  mailpoet: ['MailPoetForm'],
  'master-addons-for-elementor': ['jltma_scripts'],
  'mercado-pago-for-woocommerce': ['mercadopago_melidata_params'],
  'minimum-and-maximum-quantity-for-woocommerce': ['mmqw_plugin_vars'],
  monsterinsights: ['monsterinsights_frontend'],
  'moove-gdpr-consent': ['moove_frontend_gdpr_scripts'],
  'notification-for-woocommerce': ['_woocommerce_notification_params'],
  'payment-plugins-for-stripe-woocommerce': ['wc_stripe_form_handler_params'],
  'perfect-brands-for-woocommerce': ['pwb_ajax_object'],
  'phlox-core-elements': ['auxin_cart_options'],
  pixelyoursite: ['pysOptions'],
  powerkit: ['powerkit_pinit_localize', 'powerkit_lightbox_localize'],
  'premium-addons-for-elementor': ['PremiumSettings'],
  profilepress: ['pp_ajax_form'],
  'qi-addons-for-elementor': ['qodefQiAddonsGlobal'],
  sellkit: ['sellkit_elementor'],
  seopress: ['seopressAjaxGAUserConsent'],
  shoplentor: ['woolentor_addons'],
  'side-cart-woocommerce': ['xoo_wsc_params'],
  skyverge: ['sv_wc_payment_gateway_payment_form_params'],
  'smash-balloon-instagram-feed': ['sb_instagram_js_options'],
  spectra: ['uagb_forms_data'],
  'starter-templates': ['starter_templates_zip_preview'],
  statify: ['statify_ajax'],
  'sticky-menu-and-sticky-header': ['sticky_anything_engage'],
  sureforms: ['srfm_submit'],
  'themerex-addons': ['TRX_ADDONS_STORAGE'],
  'ti-woocommerce-wishlist': ['tinvwl_add_to_wishlist'],
  translatepress: ['trp_data', 'trp_language_cookie_data'],
  'ultimate-member': ['um_scripts', 'um_common_variables'],
  'variation-swatches-for-woocommerce-by-cartflows': ['cfvsw_swatches_settings'],
  'wcfm-frontend-manager': ['wcfm_params', 'wcfm_notification_sound'],
  'woo-product-variation-swatches': ['woo_variation_swatches_options'],
  'woocommerce-menu-cart': ['wpmenucart_ajax', 'wpmenucart_ajax_assist'],
  'woocommerce-multilingual': ['wcml_mc_settings'],
  'woocommerce-payments': ['wcpay_upe_config', 'wcpayPaymentRequestParams', 'wcpayExpressCheckoutParams'],
  'woocommerce-paypal-payments': ['PayPalCommerceGateway'],
  'woocommerce-product-reviews-pro': ['wc_product_reviews_pro'],
  'woocommerce-stripe-payment-gateway': [
    'wc_stripe_upe_params',
    'wc_stripe_payment_request_params',
    'wc_stripe_express_checkout_params',
  ],
  'woocommerce-vietnam-checkout': ['vncheckout_array'],
  'wp-statistics': ['WP_Statistics_Tracker_Object'],
  'wpc-composite-products': ['wooco_vars'],
  'wpc-fly-cart': ['woofc_vars'],
  'wpc-frequently-bought-together': ['woobt_vars'],
  'wpc-product-bundles': ['woosb_vars'],
  'wpc-smart-compare': ['woosc_vars'],
  'wpc-smart-notification': ['WPCSNOptions'],
  'wpc-smart-quick-view': ['woosq_vars'],
  'wpc-smart-wishlist': ['woosw_vars'],
  'wpc-variation-swatches': ['wpcvs_vars'],
  wpforms: ['wpforms_settings', 'wpformsElementorVars'],
  wpml: ['wpml_cookies'],
  xstore: ['etCoreConfig'],
  'yith-woocommerce-ajax-product-filter': ['yith_wcan', 'yith_wcan_shortcodes'],
  'yith-woocommerce-ajax-search': ['yith_wcas_params'],
  'yith-woocommerce-compare': ['yith_woocompare'],
  'yith-woocommerce-quick-view': ['yith_qv'],
  'yith-woocommerce-wishlist': ['yith_wcwl_l10n'],
  'yotpo-for-woocommerce': ['yotpo_settings'],
  'yotpo-reviews': ['yotpo_settings'],
};

/** Traces of services in code that a site copies into its pages. */
const services: Readonly<Record<string, Traces>> = {
  // Code for the storage of Amazon has an object of the same name.
  'advanced-woo-search': { inline: [['\\bvar aws_vars\\s{0,4}=\\s{0,4}\\{\\s{0,20}"sale":', weight]] },
  // Salesforce Commerce Cloud signs the code of its own services.
  'demandware-analytics': { comment: [['<!-- Demandware (?:Active Data|Analytics code) \\(', weight]] },
  'salesforce-einstein': {
    comment: [['<!-- CQuotient Activity Tracking \\(', weight]],
    inline: [['\\bCQuotient\\.clientId\\s{0,4}=', weight]],
  },
  // https://www.sanity.io/docs/image-urls
  sanity: { inline: [['//cdn\\.sanity\\.io/(?:images|files)/[a-z0-9]{8}/', weight]] },
  // Apps of Shopify sign what they print.
  'seo-manager-venntov': { comment: [['<!-- (?:end: )?SEO Manager \\d{1,3}\\.\\d', weight]] },
  'smart-seo': { comment: [['<!--\\s{0,4}JSON-LD data generated by Smart SEO', weight]] },
  'json-ld-for-seo': { comment: [['added automatically by JSON-LD for SEO', weight]] },
  'simprosys-google-shopping-feed': { comment: [['<!-- (?:BEGIN|END): [\\w ]{3,40} by Simprosys InfoMedia', weight]] },
  'orderlogic-app': { comment: [['<!-- OrderLogic checkout restrictions', weight]] },
  layouthub: { comment: [['<!--\\s{0,4}LayoutHub-Workspace-Start', weight]] },
  'xo-insert-code': { comment: [['<!-- XO-InsertCode (?:Header|Body|Footer)', weight]] },
  // Apps of Shopify that start from settings which they write into the theme.
  'bold-bundles': { script: [['//secure\\.apps\\.shappify\\.com/apps/bundle/', weight]] },
  'globo-product-options': { inline: [['\\bGPOCollectionParams\\s{0,4}=', weight]] },
  paywhirl: { inline: [['\\bwindow\\.paywhirlForShopify\\s{0,4}=', weight]] },
  'shipping-rates-calculator-plus': {
    script: [['\\.codeblackbelt\\.com/js/modules/shipping-rates-calculator-plus/', weight]],
  },
  sirv: { inline: [['\\bvar SirvSpinsPath\\s{0,4}=|\\bSirvOptions\\s{0,4}=\\s{0,4}\\{', weight]] },
  tabarnapp: { inline: [['\\.tabarnapp_cm\\s{0,4}=', weight]] },
  // The host of each account has its number: `https://g792337340.co/gr?id=-MO2LA…`.
  'geo-targetly': { init: [['//g\\d{8,10}\\.co/g[a-z]{0,2}\\?id=-', weight]] },
  curalate: { dom: [['[data-crl8-container-id]', weight]] },
  // https://support.google.com/merchants/answer/7105655
  'google-customer-reviews': { init: [['\\bgapi\\.(?:ratingbadge|surveyoptin)\\.render\\(', weight]] },
  'google-maps': {
    dom: [
      ['iframe[src*="/static/external/googleMap.html"], iframe[data-src*="/static/external/googleMap.html"]', weight],
    ],
  },
  redux: { inline: [['\\b__INITIAL_STATE__\\s{0,4}=\\s{0,4}\\{"[a-z]\\w{1,30}Reducer":', weight]] },
  sweetalert2: { dom: [['.swal2-icon.swal2-icon-show, .swal2-container', weight]] },
  acris: { inline: [['\\bacrisCookiePrivacy\\s{0,4}=', weight]], dom: [['.acris-cookie-consent', weight]] },
  algolia: { inline: [['"algolia":\\{"app(?:lication)?_?[iI][dD]":"[A-Z0-9]{10}"', weight]] },
  amplience: {
    image: [['//[\\w-]{2,40}\\.a\\.bigcontent\\.io/', weight]],
    dom: [['[style*=".a.bigcontent.io/"]', weight]],
  },
  coolbax: { dom: [['[data-cbax-cross-selling-action]', weight]] },
  doofinder: { dom: [['[data-intedia-doofinder-options]', weight]] },
  'dtgs-google-tag-manager': { inline: [['["\']dtgsAllowGtmTracking=1["\']', weight]] },
  emarsys: { dom: [['form[action*=".emarsys.net/u/register.php"]', weight]] },
  'episerver-peerius': { inline: [['\\bpeeriusCMPTemplateId\\s{0,4}=', weight]] },
  findologic: { dom: [['form[action*="/SwpFindologic/"]', weight]] },
  // http://headjs.com/
  headjs: { inline: [['\\bhead_conf\\s{0,4}=\\s{0,4}\\{\\s{0,4}head\\b', weight]] },
  'intedia-doofinder': { dom: [['[data-intedia-doofinder]', weight]] },
  klaro: {
    inline: [
      ['//klaro\\.kiprotect\\.com', weight],
      ['//klaro\\.org["\']', weight],
    ],
  },
  // https://learn.microsoft.com/en-us/aspnet/mvc/overview/performance/bundling-and-minification. The version is a SHA-256 in base64url and
  // the number of its padding characters. Symfony also has this folder, and a version may be a SHA-1 there.
  'microsoft-asp-net': {
    script: [['/bundles/[\\w./-]{1,60}\\?v=[\\w-]{43}1$', weight]],
    asset: [['/bundles/[\\w./-]{1,60}\\?v=[\\w-]{43}1$', weight]],
  },
  'presta-module': { comment: [['MODULE PM_\\w{3,40} \\|\\| Presta-Module\\.com', weight]] },
  // https://docs.sentry.io/concepts/key-terms/dsn-explainer/
  sentry: { inline: [['/[0-9a-f]{32}@o\\d{3,20}\\.ingest\\.(?:[a-z]{2}\\.)?sentry\\.io', weight]] },
  abpilot: { inline: [['\\bwindow\\.abpilotConfig\\s{0,4}=', weight]] },
  // The settings of the plugin: `var php_data = {"ac_settings":{"tracking_actid":1,…`.
  activecampaign: { inline: [['"ac_settings":\\s{0,4}\\{"tracking_actid":\\d', weight]] },
  'activecampaign-for-wordpress': { inline: [['"ac_settings":\\s{0,4}\\{"tracking_actid":\\d', weight]] },
  'akamai-bot-manager': {
    script: [['/akam/\\d{1,3}/[0-9a-f]{6,10}$', weight]],
    image: [['/akam/\\d{1,3}/pixel_[0-9a-f]{6,10}', weight]],
  },
  // Only style sheets: services serve their scripts from hosts of this network, too.
  'amazon-cloudfront': { asset: [['//d[0-9a-z]{12,14}\\.cloudfront\\.net/[^\\s?#]{1,200}\\.css', weight]] },
  alia: { inline: [['\\bALIA_SHOPIFY_EXTENSION_INFO\\s{0,4}=', weight]] },
  // The folder of an account, on a host of the site.
  digioh: { script: [['/vendor/[0-9a-f]{8}-[0-9a-f-]{27}/lightbox_speed\\.js', weight]] },
  // https://dev.extole.com/docs/placing-zones
  extole: { init: [['\\bextole\\.createZone\\(', weight]], dom: [['[id^="extole_zone_"]', weight]] },
  // The elements of https://docs.fontawesome.com/web/dig-deeper/svg-core, and the host of kits.
  'font-awesome': {
    dom: [['svg.svg-inline--fa[data-icon]', weight]],
    asset: [['//k(?:it|a)-(?:f|p|free|pro)\\.fontawesome\\.com/', weight]],
  },
  // Plugins have the names of their files: https://gsap.com/docs/v3/Installation/.
  gsap: {
    script: [['/(?:ScrollTrigger|MotionPathPlugin|ScrollSmoother|SplitText)(?:\\.min)?\\.js', weight]],
  },
  // Shopify serves storefronts of Hydrogen from Oxygen: https://shopify.dev/docs/storefronts/headless/hydrogen/deployments.
  hydrogen: {
    script: [['cdn\\.shopify\\.com/oxygen-v\\d/', weight]],
    asset: [['cdn\\.shopify\\.com/oxygen-v\\d/', weight]],
  },
  // https://developers.google.com/identity/sign-in/web/sign-in
  'google-sign-in': { meta: { 'google-signin-client_id': ['\\.apps\\.googleusercontent\\.com$', weight] } },
  // The snippet keeps a number that the page has already: `window.ju_num=(typeof window.ju_num === 'undefined') ? '6C86E640-…`.
  justuno: {
    init: [
      [
        '\\bju_num\\s{0,4}=\\s{0,4}(?:\\(typeof window\\.ju_num === ["\']undefined["\']\\) \\? )?["\'][0-9A-Fa-f]{8}-',
        weight,
      ],
    ],
  },
  konduto: { init: [['\\b__kdt\\s{0,4}=\\s{0,4}__kdt\\b', weight]] },
  'linx-impulse': {
    dom: [['div[chaordic]', weight]],
    script: [['//static\\.chaordicsystems\\.com/', weight]],
  },
  listrak: { script: [['/ltk(?:JS|ClickTracking|ActivityTracking|SendSCA)\\.js', weight]] },
  // The tag of the service, and the settings that a site keeps for the older tag.
  liveperson: { init: [['\\blpTag\\._tagCount\\b', weight]], script: [['/mtagconfig\\.js', weight]] },
  loqate: { dom: [['#loqateAccountCode', weight]] },
  paybright: { inline: [['//app\\.paybright\\.com/', weight]] },
  powerreviews: { script: [['/powerreviews(?:\\.min)?\\.js', weight]] },
  riskified: { init: [['["\'/]beacon\\.riskified\\.com\\?shop=', weight]] },
  // Paystack and others name their keys in the same way.
  stripe: { inline: [['(?:[Ss]tripe|STRIPE)\\w{0,30}["\']?\\s{0,4}[:=]\\s{0,4}["\']pk_live_\\w{20}', weight]] },
  // https://github.com/vuejs/core/tree/main/packages/vue#which-dist-file-to-use
  'vue-js': {
    script: [['/vue\\.(?:esm|runtime\\.esm)-(?:bundler|browser)(?:\\.prod)?(?:\\.min)?\\.js', weight]],
  },
  'yall-js': { init: [['\\bvar yall\\s{0,4}=\\s{0,4}function\\b', weight]] },
  'cj-affiliate': { inline: [['"name":"CJ-Network-Integration-Pixel"', weight]] },
  heatmap: { init: [['\\b_heatmap_paq\\s{0,4}=', weight]] },
  mageplaza: { script: [['/media/mageplaza/', weight]] },
  'twitter-typeahead-js': { script: [['/typeahead\\.(?:bundle|jquery)(?:\\.min)?[0-9a-f]{0,4}\\.js', weight]] },
  weltpixel: { dom: [['.weltpixel-quickview', weight]] },
  wordfence: { init: [['[?&]wordfence_lh=1&hid=', weight]] },
  // https://developer.zendesk.com/api-reference/widget/settings/
  zendesk: { inline: [['\\bzESettings\\s{0,4}=\\s{0,4}\\{\\s{0,40}["\']?webWidget\\b', weight]] },
  'zendesk-chat': {
    script: [['//(?:www\\.)?zopim\\.com/\\?\\w{20}', weight]],
    init: [['\\$zopim\\.livechat\\.', weight]],
  },
  admiral: { init: [['String\\.fromCharCode\\(97,100,109,105,114,97,108\\)', weight]] },
  'adobe-dynamic-media-classic': { image: [['//[\\w-]+\\.scene7\\.com/is/image/', weight]] },
  'all-in-one-seo-pack': {
    comment: [['<!-- All in One SEO (?:Pro )?\\d[\\d.]{0,12} (?:- aioseo\\.com|-->)', weight]],
    dom: [['script.aioseo-schema', weight]],
    meta: { generator: ['All in One SEO(?: Pro)? \\(AIOSEO\\)', weight] },
  },
  amasty: { init: [['\\bnew AmAjax\\(', weight]] },
  'appikon-back-in-stock': { dom: [['script#subscribe-it-helper', weight]] },
  akamai: { script: [['//[\\w.-]+\\.edgesuite\\.net/', weight]], asset: [['//[\\w.-]+\\.edgesuite\\.net/', weight]] },
  // The seal of a merchant, whose link has the number of the account.
  'authorize-net': {
    script: [['//verify\\.authorize\\.net/anetseal/', weight]],
    dom: [['a[href*="//verify.authorize.net/anetseal/?pid="]', weight]],
  },
  'godaddy-site-seal': { dom: [['a[href*="//seal.godaddy.com/verifySeal?sealID="]', weight]] },
  'asset-cleanup': { meta: { 'wpacu-generator': ['ASSET CLEANUP', weight] } },
  'cloudflare-rocket-loader': {
    script: [['/cdn-cgi/scripts/[0-9a-f]{4,12}/cloudflare-static/rocket-loader(?:\\.min)?\\.js', weight]],
  },
  flodesk: { init: [['\\b\\w{1,20}\\.FlodeskObject\\s{0,4}=', weight]] },
  // Only style sheets: services such as Application Insights serve their scripts from this network, too.
  'azure-cdn': { asset: [['//\\w{4,12}\\.vo\\.msecnd\\.net/[^\\s?#]{1,200}\\.css', weight]] },
  'belvg-product-view-gallery': { init: [['\\bnew prodViewGalleryForm\\(', weight]] },
  // Magento prints the names of the blocks that the theme brings.
  'claue-magento': { comment: [['<!-- Static block: claue_', weight]] },
  'creativestyle-amazon-payments': { init: [['\\bAPA\\.setup\\(', weight]] },
  'dhtml-calendar': { init: [['\\bCalendar\\._DN\\s{0,4}=|\\bCalendar\\.setup\\(\\{', weight]] },
  // The class of the extension. The plugin of jQuery with this name is called in lower case.
  easytabs: { init: [['\\bnew EasyTabs\\(', weight]] },
  edgetag: { init: [['\\bedgetag\\(\\s{0,4}["\']init["\']', weight]] },
  freshdesk: { init: [['\\bFreshWidget\\.init\\(', weight]] },
  // https://github.com/magento/magento2/blob/2.4-develop/lib/web/mage/gallery/gallery.html
  fotorama: { dom: [['script[type="text/x-magento-init"]:contains("mage/gallery/gallery")', weight]] },
  'ga-google-analytics': { comment: [['<!-- GA Google Analytics @ https://m0n\\.co/ga', weight]] },
  getbutton: { init: [['\\bWhWidgetSendButton\\.init\\(', weight]] },
  // Magento prints the comment around the settings of its module, only where an account is set.
  // A shop may serve the files of Google's tags from its own host:
  // https://developers.google.com/tag-platform/tag-manager/server-side/dependency-serving.
  'google-ads-conversion-tracking': {
    script: [
      ['googleads\\.g\\.doubleclick\\.net/pagead/viewthroughconversion/\\d', weight],
      ['/gtag/js\\?(?:[^\\s]{1,80}&)?id=AW-\\d{6}', weight],
    ],
    inline: [['[{,]\\s{0,4}ID:\\s{0,4}["\']AW-\\d{8,12}["\']|"conversion_ids":\\{"AW-\\d{8,12}"', weight]],
  },
  'google-analytics': {
    comment: [['<!-- BEGIN GOOGLE ANALYTICS CODEs? -->', weight]],
    // Settings of plugins, and functions of the site that start the tag.
    inline: [['"measurement_?[iI]d":\\s{0,4}"G-[A-Z0-9]{8,12}"|\\w\\(["\']UA-\\d{5,10}-\\d{1,3}["\']\\)', weight]],
    script: [['/gtag/js\\?(?:[^\\s]{1,80}&)?id=G-[A-Z0-9]{6}', weight]],
    // BigCommerce starts the tag of a shop.
    init: [['\\bsubscribeOnBodlEvents\\(["\']G-[A-Z0-9]{8,12}["\']', weight]],
  },
  // A preloaded file of the host of fonts, whose style sheet may be joined with others.
  'google-font-api': {
    html: [['<link rel="preload" [^>]{0,120}//fonts\\.gstatic\\.com/s/[a-z]', weight]],
  },
  'google-optimize': {
    inline: [['(?:[{,]\\s{0,4}ID:|require["\'],)\\s{0,4}["\']OPT-[A-Z0-9]{7}["\']', weight]],
  },
  'google-plus': { script: [['//apis\\.google\\.com/js/plusone\\.js', weight]] },
  heureka: { init: [['heureka\\.(?:sk|cz|hu)/direct/i/gjs\\.php', weight]] },
  herolens: { image: [['//api\\.herolens\\.com/', weight]] },
  'google-tag-manager': {
    script: [['/gtm\\.js\\?(?:[^\\s]{1,80}&)?id=GTM-[A-Z0-9]{4}', weight]],
    dom: [['iframe[src*="/ns.html?id=GTM-"]', weight]],
    init: [['[\'"]?gtm\\.start[\'"]?\\s{0,4}:\\s{0,4}(?:new Date|Date\\.now)', weight, 'unquoted']],
  },
  // Tray serves the pixels of its shops from its own files.
  'facebook-pixel': {
    script: [['/facebook-conversion\\.js\\?pixel=\\d{8}', weight]],
    // The code that Borlabs Cookie runs after consent, in base 64.
    inline: [['"facebook-pixel":"[\\w+/]{40}', weight]],
  },
  'google-publisher-tag': {
    inline: [['\\bgoogletag\\.(?:pubads|defineSlot|display)\\(', weight]],
    script: [['googlesyndication\\.com/tag/js/gpt\\.js', weight]],
  },
  // One host serves the apps of the vendor.
  'bucks-currency-converter': {
    script: [['//(?:currency|bucks)[\\w-]{0,20}\\.conversionbear\\.com/', weight]],
  },
  'yotpo-loyalty-and-referrals': { script: [['//cdn-loyalty\\.yotpo\\.com/', weight]] },
  // Files of the library. Extensions name their own style sheets and scripts after it.
  'instantsearch-js': {
    script: [['/instantsearch\\.(?:production|development)(?:\\.min)?\\.js', weight]],
    init: [['\\binstantsearch\\(\\{', weight]],
  },
  'web-font-loader': {
    script: [['/webfont(?:\\.min)?\\.js', weight]],
    init: [['\\bWebFont\\.load\\(\\{', weight]],
    inline: [['\\bWebFontConfig\\s{0,4}=\\s{0,4}\\{', weight]],
  },
  // Themes print the empty element without an account of Disqus, and no settings beside it.
  disqus: { js: [['disqus_config', weight]] },
  // The folder has the file of each provider: `ce_storefront_forms_captcha_hcaptcha.v1.5.2.iife.js`.
  hcaptcha: { init: [['shopifycloud/storefront-forms-hcaptcha/\\w{1,40}_hcaptcha\\b', weight]] },
  // Bindings without an element: https://knockoutjs.com/documentation/if-binding.html.
  'knockout-js': { comment: [['<!-- ko (?:if|ifnot|foreach|with|text|html|template|i18n|scope):', weight]] },
  // A bundle of Lit registers the version of both parts: https://github.com/lit/lit/blob/main/packages/lit-html/src/lit-html.ts.
  'lit-element': { init: [['\\blitElementVersions\\b[^;]{0,40}\\.push\\(', weight]] },
  'lit-html': { init: [['\\blitHtmlVersions\\b[^;]{0,40}\\.push\\(', weight]] },
  'live-search-for-opencart': { init: [['\\bvar live_search\\s{0,4}=\\s{0,4}\\{\\s{0,40}selector\\b', weight]] },
  locksmith: { init: [['\\bwindow\\.Locksmith\\s{0,4}=\\s{0,4}\\{', weight]] },
  mautic: { dom: [['.mauticform_wrapper, form[data-mautic-form]', weight]] },
  'meta-pixel-for-wordpress': { init: [['[\'"]agent[\'"]:\\s{0,4}[\'"]wordpress-\\d', weight]] },
  myfonts: { inline: [['\\bMTFontIds\\s{0,4}=|\\bMTUserId\\s{0,4}=', weight]] },
  'next-js': { dom: [['script#__NEXT_DATA__', weight]], script: [['/_next/static/chunks/', weight]] },
  paypal: {
    dom: [['[id^="ec_shortcut_"], #in-context-paypal-metadata[data-merchant-id]:not([data-merchant-id=""])', weight]],
  },
  pinterest: { dom: [['script[data-pin-hover]', weight]] },
  // The module Social Login.
  plumrocket: { inline: [['\\bwindow\\.pslogin(?:LoginPath|Buttons)\\s{0,4}=', weight]] },
  'pixel-manager-for-woocommerce': {
    comment: [['START Pixel Manager for WooCommerce', weight]],
    inline: [['\\bwpmDataLayer\\s{0,4}=', weight]],
  },
  pixelyoursite: {
    comment: [['Google Tag Manager by PYS', weight]],
    inline: [['\\bpys_datalayer_name\\s{0,4}=', weight]],
  },
  'product-feed-pro-for-woocommerce': {
    comment: [['runs the Product Feed (?:PRO|ELITE) for WooCommerce by AdTribes', weight]],
  },
  'related-posts-for-wordpress': { dom: [['.rp4wp-related-posts', weight]] },
  'massive-addons': { inline: [['\\bvar _mpc_ajax\\s{0,4}=', weight]] },
  'responsive-menu': { dom: [['button.responsive-menu-button .responsive-menu-inner', weight]] },
  reqwest: { init: [['\\breqwest(?:\\s{0,4}=\\s{0,4}|\\()[f{]', weight]] },
  'section-store': {
    dom: [
      [
        '[id^="shopify-section-"][id*="__ss_slider_"], [id^="shopify-section-"][id*="__ss_testimonials_"], [id^="shopify-section-"][id*="__ss_whatsapp_"], [id^="shopify-section-"][id*="__ss_scrolling_"], [id^="shopify-section-"][id*="__ss_comparison_"], [id^="shopify-section-"][id*="__ss_video_"]',
        weight,
      ],
    ],
  },
  searchiq: { inline: [['\\bwindow\\.siqConfig\\s{0,4}=', weight]] },
  qualtrics: { init: [['siteintercept\\.qualtrics\\.com/(?:SIE|WRSiteInterceptEngine)/\\?', weight]] },
  recaptcha: {
    init: [['shopifycloud/storefront-forms-hcaptcha/\\w{1,40}_recaptcha\\b', weight]],
    script: [['shopifycloud/storefront-recaptcha-v3/', weight]],
    inline: [['(?:SITE_?KEY|[a-z]SiteKey)["\']?\\s{0,4}[:=]\\s{0,4}["\']6L[\\w-]{38}["\']', 60]],
  },
  slidecart: { inline: [['\\bwindow\\.SLIDECART\\s{0,4}=', weight]] },
  'squarespace-commerce': { script: [['/scripts-compressed/commerce-[0-9a-f]{8}', weight]] },
  'moment-js': { script: [['/scripts-compressed/extract-css-moment-js-vendor-', weight]] },
  'phoenix-varnish': { inline: [['["\']PAGECACHE_ENV["\']', weight]] },
  'ibm-product-recommendations': { init: [['\\bcmDisplayRecs\\(\\)', weight]] },
  channeladvisor: { inline: [['//tracking\\.searchmarketing\\.com/welcome\\.asp', weight]] },
  bizrate: { inline: [['//medals\\.bizrate\\.com/', weight]] },
  'es-module-shims': {
    // Shopify names its copy otherwise: `/cdn/shopifycloud/importmap-polyfill/es-modules-shim.2.4.0.js`.
    script: [['/es-modules?-shims?[\\w.-]{0,30}\\.js', weight]],
    inline: [['/es-modules?-shims?(?:\\.[\\d.]{1,12}|\\.min)?\\w{0,4}\\.js', weight]],
  },
  // The folder of the front end of StoreHippo, whose path is weak evidence, and of the settings of each store.
  storehippo: {
    script: [
      ['/global/assets/mystore/js/', 40],
      ['/ms/store/[\\w-]{1,40}/(?:auto|[A-Z]{2})/', weight],
    ],
  },
  'tasty-links': { dom: [['a.tasty-link', weight]] },
  'tasty-pins': { dom: [['.tasty-pins-hidden-image', weight]] },
  'tasty-recipes': { inline: [['\\bwindow\\.TastyRecipes\\s{0,4}=|\\btasty_recipes_min_rating\\s{0,4}=', weight]] },
  'tiktok-pixel': { script: [['\\.tcdn\\.com\\.br/tiktok/[\\w/]{1,40}_tiktokpixel\\.js', weight]] },
  // https://vite.dev/guide/backend-integration
  vite: {
    dom: [
      [
        'script#vite-legacy-entry, script#vite-legacy-polyfill, script[type="module"][src*="/assets/index-"], script[type="module"][src*="/build/assets/"]',
        weight,
      ],
    ],
  },
  vwo: { init: [['\\b_vwo_code\\s{0,4}=', weight]] },
  'wholesale-pricing-discount': { comment: [['<!-- WPD Start -->', weight]] },
  // https://webpack.js.org/guides/public-path/
  // Each build may name its global after the package: `webpackChunkshop`.
  webpack: {
    init: [['\\bwebpack(?:Chunk|Jsonp)[\\w$]{1,60}["\']?\\]?\\s{0,4}=|\\b__webpack_public_path__\\s{0,4}=', weight]],
  },
  // Bedrock keeps the plugins of WordPress in /app: https://roots.io/bedrock/docs/folder-structure/. These two need WordPress.
  wordpress: {
    script: [['/app/plugins/(?:elementor|woocommerce)/', weight]],
    asset: [['/app/plugins/(?:elementor|woocommerce)/', weight]],
  },
  'woocommerce-google-analytics-pro': { inline: [['\\bwindow\\.wc_ga_pro\\s{0,4}=', weight]] },
  'woocommerce-social-login': { dom: [['a.button-social-login[class*="button-social-login-"]', weight]] },
  'wp-affiliate-disclosure': { dom: [['#wpadc-wrapper', weight]] },
  // The script of Foundation adds the elements when it starts. The dialog is of https://get.foundation/sites/docs-v5/components/reveal.html.
  'zurb-foundation': {
    dom: [['.reveal-modal[data-reveal][id], .modal[data-reveal=""][id]', weight]],
    html: [['<meta [^<>]{0,60}class="foundation-(?:data-attribute-namespace|mq-small)\\b', weight]],
  },
  'yoast-seo': { comment: [['optimized with the Yoast SEO Premium plugin v', weight]] },
};

/** Selectors of elements that only the library reads. */
const elements: Readonly<Record<string, string>> = {
  animsition: '.animsition-link, .animsition-overlay',
  'anvanto-client-service': '.an_clientservice',
  'anvanto-copyright': '.an_copyright',
  'anvanto-home-products': '.an_homeproducts',
  'anvanto-product-attributes': '.an_productattributesForm, .an_productattributes',
  'anvanto-scroll-top': '#an_scrolltop-img, .an_scrolltop-svg, #an_scrolltop',
  'anvanto-theme-module': 'img[data-lazy-gif*="/modules/an_theme/"], img[src*="/modules/an_theme/"]',
  'anvanto-wishlist': '.an_wishlist-mini, .an_wishlist-nav',
  aos: '[data-aos="hero__animation"], [data-aos="overflow__animation"], [data-aos^="fade"], [data-aos^="zoom"], [data-aos^="flip"], [data-aos^="slide"]',
  bootstrap:
    '.row.no-gutters:not(.v-application .row) > [class*="col-"], .navbar-toggle[data-toggle="collapse"], .navbar-toggler[data-toggle="collapse"], .navbar-toggler[data-bs-toggle], [data-bs-toggle="modal"], [data-bs-toggle="dropdown"], [data-bs-toggle="collapse"], .navbar-toggler-icon, ul.nav.navbar-nav, .carousel[data-ride="carousel"], [data-dismiss="modal"].close',
  'cloud-zoom': 'a.cloud-zoom[href], .cloud-zoom-gallery, .cloudzoom[data-cloudzoom]',
  easyzoom: '.easyzoom.easyzoom--adjacent, .easyzoom.easyzoom--overlay',
  'camera-slideshow': '.camera_wrap[id^="camera_wrap_"]',
  'click-to-chat-for-whatsapp': '#ht-ctc-chat',
  flickity: '[data-flickity], [data-flickity-options], .flickity-enabled, .flickity-viewport > .flickity-slider',
  // Themes print the empty list for another slider.
  flexslider: '.flexslider > .slides > *',
  gomage: '#gan-block-content, .gan-attribute',
  'jquery-knob': 'input.knob[data-fgcolor]',
  'glide-js': '.glide__track, [data-glide-el]',
  lightbox: 'a[data-lightbox]',
  // Templates of other libraries have the id as well.
  handlebars:
    'script#CartTemplate[type="text/template"]:contains("{{"), script#cartTemplate[type="text/template"]:contains("{{")',
  'magnific-popup': '.mfp-hide',
  mcustomscrollbar: '.mCustomScrollbar',
  'owl-carousel': '.owl-carousel',
  parsley: 'form[data-parsley-validate]',
  prettyphoto: 'a[rel^="prettyPhoto"]',
  remodal: '[data-remodal-id]',
  slick: '[data-slick^="{"]',
  splide: '.splide__track',
  uikit: '[uk-grid], [uk-slider], [uk-icon], [data-uk-grid], [data-uk-slider]',
};

/** One expression for each name: names in an alternative would be no literal that a page must have. */
const settingOf = (name: string): string => `\\bvar ${name}\\s{0,4}=\\s{0,4}\\{`;

const traces: readonly (readonly [slug: string, traces: Traces])[] = [
  ...Object.entries(services),
  ...Object.entries(settings).map(
    ([slug, names]) => [slug, { inline: names.map((name) => [settingOf(name), weight] as const) }] as const,
  ),
  ...Object.entries(calls).map(([slug, call]) => [slug, { init: [[call, weight] as const] }] as const),
  ...Object.entries(elements).map(([slug, selector]) => [slug, { dom: [[selector, weight] as const] }] as const),
];

/** Adds the traces to technologies that the other rules name. */
export function addLibraryTraces(rules: Map<string, Rule>): void {
  for (const [slug, added] of traces) {
    const known = rules.get(slug);
    if (!known) throw new Error(`library-traces.ts: ${slug} is unknown`);
    rules.set(slug, { ...known, patterns: [...known.patterns, ...patternsOf(added, true)] });
  }
}
