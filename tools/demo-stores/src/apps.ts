/**
 * The tags that each app adds to a page that loads it, by its slug in the technology vocabulary. `shop`: the id of the
 * store, which real tags contain too.
 */
const script = (src: string) => `<script src="${src}" async defer></script>`;

const snippets: Record<string, (shop: string) => string> = {
  klaviyo: (shop) => script(`https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=${shop}`),
  'judge-me': (shop) => `<link rel="preload" as="script" href="https://cdn.judge.me/widget_preloader.js">
${script(`https://cdn.judge.me/widget_preloader.js?shop=${shop}`)}
<script>window.judgeme = window.judgeme || {}; judgeme.SHOP_DOMAIN = '${shop}';</script>`,
  'yotpo-reviews': (shop) => script(`https://staticw2.yotpo.com/${shop}/widget.js`),
  loox: (shop) => script(`https://loox.io/widget/${shop}/loox.1690000000.js`),
  'google-tag-manager': () => `<!-- Google Tag Manager -->
<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});})(window,document,'script','dataLayer','GTM-DEMO123');</script>
${script('https://www.googletagmanager.com/gtm.js?id=GTM-DEMO123')}
<!-- End Google Tag Manager -->`,
  'google-analytics': () => `${script('https://www.googletagmanager.com/gtag/js?id=G-DEMO4567')}
<script>window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);} gtag('js', new Date()); gtag('config', 'G-DEMO4567');</script>`,
  'facebook-pixel':
    () => `<script>!function(f,b,e,v,n){if(f.fbq)return;n=f.fbq=function(){};if(!f._fbq)f._fbq=n;}(window,document,'script');fbq('init','100200300400');</script>
${script('https://connect.facebook.net/en_US/fbevents.js')}`,
  hotjar: () => script('https://static.hotjar.com/c/hotjar-1234567.js?sv=6'),
  gorgias: () => `<script>window.gorgiasChat = window.gorgiasChat || {}; gorgiasChat.appId = 4321;</script>
${script('https://config.gorgias.chat/bundle-loader/01DEMO')}`,
  tidio: (shop) => script(`https://code.tidio.co/${shop}.js`),
  'tawk-to': () => script('https://embed.tawk.to/5fdemo/default'),
  'crisp-live-chat': () => `<script>window.$crisp=[];window.CRISP_WEBSITE_ID="00000000-demo";</script>
${script('https://client.crisp.chat/l.js')}`,
  livechat: () => script('https://cdn.livechatinc.com/tracking.js'),
  privy: () => script('https://widget.privy.com/assets/widget.js'),
  mailchimp: () => script('https://chimpstatic.com/mcjs-connected/js/users/demo/demo.js'),
  omnisend: () => `<script>window._omnisend = window._omnisend || []; _omnisend.push(["brandID", "demo"]);</script>
${script('https://omnisrc.com/inshop/launcher-v2.js')}`,
  attentive: (shop) => script(`https://cdn.attn.tv/${shop}/dtag.js`),
  recharge: () => script('https://static.rechargecdn.com/assets/js/widget.min.js'),
  afterpay: () => script('https://static.afterpay.com/modal-afterpay.js'),
  'klarna-checkout': () => script('https://eu-library.klarnaservices.com/lib.js'),
  paypal: () => script('https://www.paypalobjects.com/api/checkout.js'),
  stripe: () => script('https://js.stripe.com/v3/'),
  sezzle: () => script('https://widget.sezzle.com/v1/javascript/price-widget'),
  affirm: () => script('https://cdn1.affirm.com/js/v2/affirm.js'),
  trustpilot: () => script('https://widget.trustpilot.com/bootstrap/v5/tp.widget.bootstrap.min.js'),
  smile: () => script('https://js.smile.io/v1/smile-shopify.js'),
  loyaltylion: () => script('https://sdk.loyaltylion.net/static/2/loader.js'),
  cookiebot: () => script('https://consent.cookiebot.com/uc.js'),
  onetrust: () => script('https://cdn.cookielaw.org/scripttemplates/otSDKStub.js'),
  nosto: () => script('https://connect.nosto.com/include/demo'),
  pagefly: () => script('https://cdn.pagefly.io/pagefly/core/main.js'),
};

/** The traces of an app that a page is set up for but does not load. */
const settings: Record<string, (shop: string) => string> = {
  klaviyo: () => '<script>window._learnq = window._learnq || [];</script>',
  'judge-me': () => '<link rel="preload" as="script" href="https://cdn.judge.me/widget_preloader.js">',
};

export const knownApps: readonly string[] = Object.keys(snippets);

export const configurableApps: readonly string[] = Object.keys(settings);

/** The tags of the apps, in order. Throws for an unknown slug. */
export function appTags(slugs: Iterable<string>, shop: string): string {
  return tagsOf(snippets, slugs, shop);
}

/** The tags of apps that are set up but not loaded. Throws for an unknown slug. */
export function settingTags(slugs: Iterable<string>, shop: string): string {
  return tagsOf(settings, slugs, shop);
}

function tagsOf(known: Record<string, (shop: string) => string>, slugs: Iterable<string>, shop: string): string {
  return [...slugs]
    .map((slug) => {
      const snippet = known[slug];
      if (!snippet) throw new Error(`no such demo app: ${slug} (known: ${Object.keys(known).join(', ')})`);
      return snippet(shop);
    })
    .join('\n');
}
