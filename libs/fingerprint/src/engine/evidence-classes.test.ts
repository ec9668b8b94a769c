import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';
import type { PageInput } from '../types.ts';

const found = (input: PageInput, slug: string) =>
  observeStore(input).technologies.find((technology) => technology.slug === slug);

const stateOf = (markup: string, slug: string): string =>
  found(page({ head: markup }), slug)?.installState ?? 'not detected';

describe('install state', () => {
  it.each([
    ['a script element', 'klaviyo', loaded('https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=A')],
    [
      'a snippet that inserts its script',
      'google-tag-manager',
      script(
        "(function(w,d,s,l,i){j=d.createElement(s);j.src='https://www.googletagmanager.com/gtm.js?id='+i;})(window,document,'script','dataLayer','GTM-A1');",
      ),
    ],
    ['an init with an id', 'facebook-pixel', script("fbq('init', '123456789');")],
    ['an init with an id of Google Analytics', 'google-analytics', script("ga('create', 'UA-1-1', 'auto');")],
    ['a configuration with an id', 'google-ads-conversion-tracking', script("gtag('config', 'AW-123456789');")],
    ['a license in the settings of an agent', 'new-relic', script('NREUM.info = {beacon:"b",licenseKey:"a"};')],
    [
      'the legacy variables of a conversion',
      'google-ads-conversion-tracking',
      script('var google_conversion_id = 1012345678; var google_conversion_format = "3";'),
    ],
    [
      'the legacy variables of remarketing',
      'google-ads',
      script('var google_conversion_id = 1012345678; var google_remarketing_only = true;'),
    ],
    [
      'a preloaded style sheet that becomes one',
      'google-font-api',
      '<link rel="preload" as="style" href="https://fonts.googleapis.com/css?family=Lato" onload="this.rel=\'stylesheet\'">',
    ],
  ])('a technology is active by %s', (_, slug, markup) => {
    expect(stateOf(markup, slug)).toBe('active');
  });

  it.each([
    [
      'a script that waits for consent',
      'hotjar',
      '<script type="text/plain" data-category="statistics" src="https://static.hotjar.com/c/hotjar-1.js"></script>',
    ],
    [
      'a snippet that waits for consent',
      'google-tag-manager',
      '<script type="text/plain">j.src="https://www.googletagmanager.com/gtm.js?id=GTM-A1";</script>',
    ],
    [
      'a source that a consent tool holds',
      'hotjar',
      '<script data-cookieconsent-src="https://static.hotjar.com/c/hotjar-1.js"></script>',
    ],
    [
      'a picture for browsers without scripts',
      'facebook-pixel',
      '<noscript><img src="https://www.facebook.com/tr?id=1&ev=PageView"></noscript>',
    ],
    ['a global without an id', 'klaviyo', script('window._learnq = window._learnq || [];')],
    [
      'a URL in a block of settings',
      'hotjar',
      '<script type="application/json">{"src":"https:\\/\\/static.hotjar.com\\/c\\/hotjar-1.js"}</script>',
    ],
    ['a meta tag', 'paypal', '<meta id="in-context-paypal-metadata" data-paypal-v4="true">'],
  ])('a technology is configured by %s', (_, slug, markup) => {
    expect(stateOf(markup, slug)).toBe('configured');
  });

  it.each(['preconnect', 'dns-prefetch'])('the resource hint %s opens a connection and is not a trace', (rel) => {
    expect(stateOf(`<link rel="${rel}" href="https://static.hotjar.com/c/hotjar-1.js">`, 'hotjar')).toBe(
      'not detected',
    );
  });

  it.each(['prefetch', 'preload', 'modulepreload'])(
    'the resource hint %s alone is configured with low confidence',
    (rel) => {
      expect(
        found(page({ head: `<link rel="${rel}" href="https://static.hotjar.com/c/hotjar-1.js">` }), 'hotjar'),
      ).toMatchObject({
        installState: 'configured',
        confidence: 'low',
      });
    },
  );

  it('a resource hint beside a script is not a second kind of evidence', () => {
    const url = 'https://static.hotjar.com/c/hotjar-1.js';
    const head = `<link rel="preload" as="script" href="${url}"><link rel="dns-prefetch" href="//static.hotjar.com">${loaded(url)}`;
    expect(found(page({ head }), 'hotjar')).toMatchObject({ installState: 'active', confidence: 'medium' });
  });

  it.each([
    [
      'an assignment of settings that are off',
      'klaviyo',
      script('window._learnq = {"enabled": false, "account": "A"};'),
    ],
    ['an assignment of nothing', 'tawk-to', script('var Tawk_API = null;')],
    [
      'a test whether a global exists',
      'klaviyo',
      script('if (typeof _learnq !== "undefined" && window._learnq) { a(); }'),
    ],
  ])('a technology is not found by %s', (_, slug, markup) => {
    expect(stateOf(markup, slug)).toBe('not detected');
  });
});

describe('words that are not traces', () => {
  it.each([
    [
      'a link to share a page',
      'whatsapp-business-chat',
      '<a href="https://api.whatsapp.com/send?text=https%3A%2F%2Fshop.example">Share</a>',
    ],
    ['a link to a contact', 'whatsapp-business-chat', '<a href="https://wa.me/15550100">Write to us</a>'],
    [
      'the picture of a payment method',
      'paypal',
      '<img alt="PayPal" src="/img/paypal.png"><img src="https://www.paypalobjects.com/webstatic/logo.png">',
    ],
    ['the icon of a payment method', 'visa', '<svg aria-labelledby="pi-visa"><title id="pi-visa">Visa</title></svg>'],
    ['the flag of another product', 'venmo', '<meta id="in-context-paypal-metadata" data-venmo-supported="true">'],
    [
      'a public host of libraries',
      'cloudflare',
      loaded('https://cdnjs.cloudflare.com/ajax/libs/jquery/3.6.0/jquery.min.js'),
    ],
    ['the global of an ad tag', 'google-tag-manager', script('var googletag = googletag || {}; googletag.cmd = [];')],
    ['a link to a product of a marketplace', 'amazon-associates', '<a href="https://amzn.to/3abcdef">book</a>'],
    ['a link to an edition for phones', 'amp', '<link rel="amphtml" href="https://shop.example/amp/">'],
    ['a file of another vendor in a public store', 'amazon-s3', loaded('https://s3.amazonaws.com/vendor/widget.js')],
    ['a file whose name contains that of a library', 'bootstrap', sheet('/css/bootstrap-datepicker.css')],
    ['a file whose name ends like that of a library', 'lightbox', loaded('/js/imagelightbox-gallery.js')],
    ['a plugin for a service', 'mailchimp', loaded('/wp-content/plugins/mailchimp-for-wp/assets/js/forms.min.js')],
    ['a form with the id of a service', 'mailchimp', '<div id="mc_embed_signup"><form action="/contact"></form></div>'],
    ['a tag for advertisements', 'google-analytics', loaded('https://www.googletagmanager.com/gtag/js?id=AW-123')],
    [
      'a generator in a pasted description',
      'microsoft-word',
      '<div class="description"><meta name="Generator" content="Microsoft Word 14 (filtered)"><p>Lamp</p></div>',
    ],
    ['a section of a pasted description', 'microsoft-word', '<div class="WordSection1"><p>Lamp</p></div>'],
    ['a theme that also runs without it', 'elementor', sheet('/wp-content/themes/hello-elementor/style.css')],
    [
      'a handle whose file is that of another library',
      'lightbox',
      '<link rel="stylesheet" id="lightbox2-css" href="/wp-content/themes/a/js/colorbox/colorbox.css">',
    ],
  ])('%s is not a trace of %s', (_, slug, markup) => {
    expect(stateOf(markup, slug)).toBe('not detected');
  });
});

describe('loaders', () => {
  it.each([
    [
      'a list of files',
      'slick',
      script('jtl.load(["includes/plugins/a/version/109/b.js?v=1","templates/Evo/js/slick.js?v=1",]);'),
    ],
    [
      'a concatenated URL',
      'google-analytics',
      script(
        "var ga=document.createElement('script');ga.src=('https:'==document.location.protocol?'https://ssl':'http://www')+'.google-analytics.com/ga.js';",
      ),
    ],
    [
      'a host after a scheme',
      'hotjar',
      script("s.src = (location.protocol == 'https:' ? 'https://' : 'http://') + 'static.hotjar.com/c/hotjar-1.js';"),
    ],
    [
      'a scheme that the script chooses',
      'hotjar',
      script(
        "document.write('<sc'+'ript src=\"'+'http'+(secure?'s':'')+'://static.hotjar.com/c/hotjar-1.js\"></sc'+'ript>');",
      ),
    ],
    [
      'a scheme and a host as two strings',
      'hotjar',
      script("s.src='https:'+'//static.'+'hotjar.com/c/'+'hotjar-'+123+'.js';"),
    ],
    ['a host in two strings', 'hotjar', script("s.src='https://static.'+'hotjar.com/c/hotjar-123.js';")],
    [
      'an address in a variable, with its host in two strings',
      'klaviyo',
      script("var u='//static.'+'klaviyo.com/onsite'+'/js/klaviyo.js';s.src=u;"),
    ],
    [
      'a list of strings that are joined',
      'hotjar',
      script('s.src=["https://","static.hotjar.com","/c/hotjar-1.js"].join("");'),
    ],
    [
      'an address of several strings for a new script',
      'hotjar',
      script("var s=document.createElement('script');s.src='https:'+'//static.hotjar.com/c/hotjar-'+123;"),
    ],
    [
      'written markup with a host in two strings',
      'hotjar',
      script(`document.write('<script src="//static.'+'hotjar.com/c/hotjar-1.js"><\\/script>');`),
    ],
    [
      'a style sheet that another one imports',
      'typekit',
      '<style>a{} @import url("https://use.typekit.net/a.css");</style>',
    ],
    [
      'percent-escaped markup',
      'google-analytics',
      script(
        `document.write(unescape("%3Cscript src='" + gaJsHost + "google-analytics.com/ga.js' type='text/javascript'%3E%3C/script%3E"));`,
      ),
    ],
    [
      'markup with every symbol escaped',
      'hotjar',
      script(
        'document.write(unescape("%3Cscript%20src%3D%22https%3A%2F%2Fstatic.hotjar.com%2Fc%2Fhotjar-1.js%22%3E%3C%2Fscript%3E"));',
      ),
    ],
    [
      'markup with hexadecimal escapes',
      'hotjar',
      script(String.raw`document.write("\x3cscript src=\x22//static.hotjar.com/c/hotjar-1.js\x22\x3e");`),
    ],
    [
      'a delayed script of WP Rocket',
      'hotjar',
      '<script type="text/rocketlazyloadscript" data-rocket-src="https://static.hotjar.com/c/hotjar-1.js"></script>',
    ],
    [
      'a delayed script of Rocket Loader',
      'hotjar',
      '<script type="0a1b2c3d4e5f60718293a4b5-text/javascript" src="https://static.hotjar.com/c/hotjar-1.js"></script>',
    ],
    [
      'a delayed script of LiteSpeed Cache',
      'hotjar',
      '<script type="litespeed/javascript" data-src="https://static.hotjar.com/c/hotjar-1.js"></script>',
    ],
    ['delayed inline code', 'facebook-pixel', `<script type="rocketlazyloadscript">fbq('init', '123');</script>`],
  ])('a technology is loaded by %s', (_, slug, markup) => {
    expect(stateOf(markup, slug)).toBe('active');
  });

  it.each([
    ['trustedsite', script("sa.src = (secure ? 'https://cdn' : 'http://cdn') + '.ywxi.net/js/1.js';")],
    ['recaptcha', script(`var form = {"site_key":"6L${'d'.repeat(38)}"};`)],
    ['intelliad', '<script src="https://t13.intelliad.de/cl/1.js"></script>'],
    ['affilinet', '<script src="https://partners.webmasterplan.com/art/JS/param.aspx"></script>'],
    ['google-trusted-stores', '<script src="https://www.googlecommerce.com/trustedstores/api/js"></script>'],
    ['cloudflare-mirage', script('window.__mirage2 = {petok:"a"};')],
    ['jetpack-site-accelerator', '<img src="https://i0.wp.com/shop.example/a.jpg">'],
    ['vanilla-lazyload', script('window.lazyLoadOptions = [{elements_selector:"img"}];')],
    ['econda', '<script src="/js/tracker/emos2.js"></script>'],
  ])('the technology %s is found by its trace', (slug, markup) => {
    expect(found(page({ head: markup }), slug)).toBeDefined();
  });

  it('an address in settings that are switched off loads no technology', () => {
    const settings = (isOn: boolean) =>
      script(`var apps = {"a":{"enabled":${isOn},"src":"https://static.klaviyo.com/onsite/js/klaviyo.js"}};`);
    expect(stateOf(settings(false), 'klaviyo')).not.toBe('active');
    expect(stateOf(settings(true), 'klaviyo')).toBe('active');
  });

  const markup = String.raw`"<script src='https://static.hotjar.com/c/hotjar-1.js'><\/script>"`;

  it.each([
    ['a sentence', script(`var help = ${markup} + " is how you add it";`)],
    ['an argument', script(`var text = ${markup}; show(text);`)],
    [
      'an escaped string',
      script(String.raw`var text = "\u003cscript src=\"https:\/\/static.hotjar.com\/c\/hotjar-1.js\"\u003e";`),
    ],
    [
      'the state of an article',
      script(
        String.raw`window.state = {"posts":[{"content":"Install it: \u003cscript async src='https://static.hotjar.com/c/hotjar-1.js'\u003e"}]};`,
      ),
    ],
    [
      'a block of settings',
      String.raw`<script type="application/json">{"article":"Paste \u003cscript src=\"https://static.hotjar.com/c/hotjar-1.js\"\u003e"}</script>`,
    ],
  ])('the markup of a script that no code writes is not a loader: %s', (_, head) => {
    expect(stateOf(head, 'hotjar')).toBe('not detected');
  });

  it.each([
    ['document.write', `document.write(${markup});`],
    ['innerHTML', `var text = ${markup}; box.innerHTML = text;`],
    ['insertAdjacentHTML', `document.body.insertAdjacentHTML("beforeend", ${markup});`],
    ['jQuery', `$(${markup}).appendTo("head");`],
  ])('the markup of a script that code writes is a loader: %s', (_, code) => {
    expect(stateOf(script(code), 'hotjar')).toBe('active');
  });

  it('the address of a picture in a script loads no technology', () => {
    expect(stateOf(script('var logo = "https://static.hotjar.com/widget/logo.png";'), 'hotjar')).toBe('not detected');
  });
});

describe('mentions', () => {
  it.each([
    ['a line comment', script('// fbq("init", "1") was removed')],
    ['a block comment', script('/* fbq("init", "1"); */')],
    ['a comment of markup inside of a script', script('<!-- fbq("init", "1")\n')],
    ['a comment of markup', '<!-- <script>fbq("init", "1");</script> -->'],
    ['a string', script(`var article = "call fbq('init', '1') once";`)],
    ['an escaped string', script(String.raw`self.__next_f.push([1,"<pre>fbq(\"init\", \"1\")</pre>"])`)],
    ['a template', script('const text = `fbq("init", "1")`;')],
    ['prose', '<p>fbq("init", "1")</p>'],
    ['a text field', '<textarea><script>fbq("init", "1");</script></textarea>'],
  ])('%s is not a trace of a product', (_, markup) => {
    expect(stateOf(markup, 'facebook-pixel')).toBe('not detected');
  });

  it.each([
    [
      'a context variable without an assignment',
      script('if (window.Static && Static.SQUARESPACE_CONTEXT) { a(Static.SQUARESPACE_CONTEXT.x); }'),
    ],
    ['an assignment in a comment', script('// Static.SQUARESPACE_CONTEXT = {"a":1}')],
    ['an assignment in a string', script(`a("Static.SQUARESPACE_CONTEXT = {}");`)],
    ['a style sheet in a comment', '<!-- <link rel="stylesheet" href="/cdn/shop/t/3/assets/base.css"> -->'],
    ['a script in a comment', '<!-- <script src="/js/varien/js.js"></script> -->'],
  ])('%s is not a trace of a platform', (_, markup) => {
    expect(observeStore(page({ head: markup })).platform.slug).toBe('custom');
  });

  it.each([
    ['after a comment', script('/* don\'t */ fbq("init", "1");')],
    ['after a URL in a string', script('var a = "https://a.example/b"; fbq("init", "1");')],
    ['after a regular expression with quotes', script('a.replace(/["\'`]/g, ""); fbq("init", "1");')],
    ['after a string without an end', script('var a = "x\nfbq("init", "1");')],
    ['in the comment that old browsers skip', script('<!--\nfbq("init", "1");\n//-->')],
  ])('a call in a script is a trace %s', (_, markup) => {
    expect(stateOf(markup, 'facebook-pixel')).toBe('active');
  });
});

describe('copy of a site by HTTrack', () => {
  const comment =
    '<!-- Mirrored from shop.example/ by HTTrack Website Copier/3.x [XR&CO], Mon, 01 Jan 2024 00:00:00 GMT -->';
  const link = '<a href="../../other-brand.com/index.php?route=product/product&product_id=4">x</a>';

  it('a copy of a site by HTTrack names the hosts of relative paths, so a link to another site is not a trace', () => {
    expect(observeStore(page({ head: comment, body: link })).platform.slug).toBe('custom');
    expect(stateOf(`${comment}<script src="../../static.hotjar.com/c/hotjar-1.js"></script>`, 'hotjar')).toBe('active');
  });

  it('a copy by HTTrack is recognized by the comment around its own element alone, and its addresses in inline code count', () => {
    const own =
      '<!-- Added by HTTrack --><meta http-equiv="content-type" content="text/html"><!-- /Added by HTTrack -->';
    const file = '../static.hotjar.com/c/hotjar-1.js';
    expect(stateOf(`${own}<script src="${file}"></script>`, 'hotjar')).toBe('active');
    const kickflip = '../cdnv2.mycustomizer.com/s-scripts/front.js';
    const shop = own + script('Shopify.shop = "a.myshopify.com";');
    expect(stateOf(`${shop}<script src="${kickflip}"></script>`, 'kickflip')).toBe('active');
    expect(stateOf(shop + script(`var e="${kickflip}",t=document.createElement("script");t.src=e;`), 'kickflip')).toBe(
      'active',
    );
    expect(stateOf(script(`Shopify.shop = "a"; var e="${kickflip}";`), 'kickflip')).toBe('not detected');
  });

  it('a copy by HTTrack keeps scripts under names of pages, and puts the page before addresses without a scheme', () => {
    const file = '<script src="assets/jquery.elevateZoom-3.0.8.min7ba1.html"></script>';
    expect(stateOf(comment + file, 'elevatezoom')).toBe('active');
    expect(stateOf(file, 'elevatezoom')).toBe('not detected');
    const list = script('var urls = ["index.html\\/\\/static.hotjar.com\\/c\\/hotjar-1.js"];');
    expect(stateOf(comment + list, 'hotjar')).toBe('active');
    expect(stateOf(list, 'hotjar')).toBe('not detected');
  });

  it('a path is a path of the site when the page has no comment of HTTrack', () => {
    expect(observeStore(page({ body: link })).platform.slug).toBe('opencart');
  });
});

describe('copy that keeps the query in the name of a file', () => {
  it.each(['%3Fver=2.70', '%EF%B9%96v=2'])(
    'a copy that keeps the query in the name of a file links to the file with an escape: %s',
    (query) => {
      expect(stateOf(loaded(`/assets/jquery.blockUI.min.js${query}`), 'jquery-blockui')).toBe('active');
    },
  );
});

describe('script that exceeds the limit of all scripts', () => {
  const long = script(`var products = ["${'a'.repeat(1_300_000)}"];`);

  it('a script that exceeds the limit of all scripts does not shorten the small scripts before and after it', () => {
    const small = script('fbq("init", "1");');
    expect(stateOf(long + small, 'facebook-pixel')).toBe('active');
    expect(stateOf(small + long, 'facebook-pixel')).toBe('active');
    const loader = script('load("https://static.hotjar.com/c/hotjar-1.js");');
    expect(stateOf(long + loader, 'hotjar')).toBe('active');
  });

  it('a script that exceeds the limit of all scripts is read up to the limit minus the small scripts', () => {
    const last = script(`fbq("init", "1"); var products = ["${'a'.repeat(1_300_000)}"]; hj("a");`);
    expect(stateOf(last, 'facebook-pixel')).toBe('active');
  });
});
