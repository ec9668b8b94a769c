import { describe, expect, it } from 'vitest';
import { loaded, page, script, sheet } from '../../test/support/pages.ts';
import { confidenceOf, Engine } from '../engine/detect.ts';
import { observeStore, vocabulary } from '../index.ts';
import { readEvidence } from '../page/evidence.ts';
import { rules } from '../rules/index.ts';
import { inventoryEntries } from '../rules/tables.ts';
import type { PageInput } from '../types.ts';
import { stemOf } from './files.ts';

const slugs = (input: PageInput) => observeStore(input).technologies.map(({ slug }) => slug);
const found = (input: PageInput, slug: string) => observeStore(input).technologies.find((one) => one.slug === slug);

const platformHead: Readonly<Record<string, string>> = {
  wordpress: loaded('/wp-includes/js/a.js'),
  shopify: script('Shopify.shop = "a.myshopify.com";'),
  magento: loaded('/js/varien/js.js'),
  prestashop: script('var prestashop = {"cart":{}};'),
  opencart: loaded('catalog/view/javascript/common.js'),
  shopware: loaded('/bundles/storefront/a.js'),
  wix: loaded('https://static.parastorage.com/services/a.js'),
  'salesforce-commerce-cloud': sheet('/on/demandware.static/Sites-Demo-Site/a.css'),
};

const pixels = (list: unknown) => script(`wpmLoader({shopId: 1,webPixelsConfigList: ${JSON.stringify(list)},a: 1});`);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const pixelOf = (kind: string): string => {
  const trekkie = /^trekkie (.+)$/.exec(kind)?.[1];
  if (trekkie)
    return script(`trekkie.load({"${trekkie.replace(/\b[a-z]/g, (a) => a.toUpperCase())}":{"pixelIds":["123456"]}});`);
  if (kind.endsWith('(migrated)')) return pixels([{ id: '1', type: 'CUSTOM', name: kind }]);
  const tag = { 'google-analytics': 'G-ABC123', 'google-ads': 'AW-1234567' }[kind];
  const settings = tag ? { config: JSON.stringify({ google_tag_ids: [tag] }) } : { pixel_type: kind };
  return pixels([{ id: '1', configuration: JSON.stringify(settings), type: 'APP', apiClientId: 9 }]);
};

const moduleOf = (name: string): string => {
  const [vendor = '', module] = name.split('_');
  return module && !name.includes('-')
    ? loaded(`/static/frontend/Demo/luma/en_US/${capital(vendor)}_${capital(module)}/js/a.js`)
    : sheet(`/skin/frontend/base/default/${name}/a.css`);
};

const fileOf = (name: string): string =>
  stemOf(`${name.split('/').at(-1)}.js`).stem === name.split('/').at(-1)
    ? loaded(`/assets/${name}.js`)
    : loaded(`https://cdn.jsdelivr.net/npm/${name}@1.2.3/a.js`);

/** The markup in which a handle of each system occurs. */
const markup: Readonly<Record<string, (name: string) => string>> = {
  'api-host': (name) => `<div id="__next"></div>${script(`var a = {endpoint: "https://tea.${name}/api"};`)}`,
  'api-name': (name) => `<div id="__next"></div>${script(`var a = {${name}Url: "https://tea.example/graphql"};`)}`,
  release: (name) => loaded(`https://${name}/1.2.3/a.js`),
  'wordpress-plugin': (name) => sheet(`/wp-content/plugins/${name}/assets/a.css`),
  'wordpress-theme': (name) => sheet(`/wp-content/themes/${name}/style.css`),
  'wordpress-folder': (name) => sheet(`/wp-content/${name}/a.css`),
  'wordpress-handle': (name) => `<style id="${name}-inline-css"></style>`,
  'wordpress-prefix': (name) => `<script id="${name}-frontend-js-extra"></script>`,
  'wordpress-namespace': (name) => script(`var a = {"root":"https:\\/\\/a.example\\/wp-json\\/${name}\\/v1"};`),
  'body-class': (name) => `</head><body class="home ${name}">`,
  'shopify-app': (name) => `<!-- BEGIN app block: shopify://apps/${name}/blocks/embed/0a1b --><!-- END app block -->`,
  'shopify-client': (id) => pixels([{ id: '1', configuration: '{}', type: 'APP', apiClientId: Number(id) }]),
  'shopify-settings': (keys) =>
    pixels([
      {
        id: '1',
        configuration: JSON.stringify(Object.fromEntries(keys.split('+').map((key) => [key, '1']))),
        type: 'APP',
        apiClientId: 9,
      },
    ]),
  'shopify-pixel': pixelOf,
  'magento-module': moduleOf,
  'magento-theme': (name) => sheet(`/skin/frontend/${name.includes('/') ? name : `${name}/shop`}/css/a.css`),
  'magento-script': (name) => loaded(`/js/${name}/a.js`),
  'prestashop-module': (name) => loaded(`/modules/${name}/views/js/a.js`),
  'prestashop-prefix': (name) => loaded(`/modules/${name}${name.length < 4 ? '_' : ''}acme/views/js/a.js`),
  'prestashop-theme': (name) => sheet(`/themes/${name}/assets/css/a.css`),
  'opencart-theme': (name) => sheet(`catalog/view/theme/${name}/stylesheet/a.css`),
  'opencart-extension': (name) => loaded(`catalog/view/javascript/${name}/a.js`),
  'shopware-bundle': (name) => loaded(`/bundles/${name}/a.js`),
  'sfcc-controller': (name) => script(`fetch("/on/demandware.store/Sites-Demo-Site/en_US/${name}-Show")`),
  'wix-app': (id) => script(`var rendererModel = {"clientSpecMap":{"1":{"appDefinitionId":"${id}"}}};`),
  'image-server': (path) => `<img src="https://images.shop.example/${path}/acme/1_Black">`,
  file: fileOf,
  host: (name) => loaded(`https://${name}/a.js`),
};

const isPlatform: ReadonlySet<string> = new Set(
  rules.filter(({ kind }) => kind === 'platform').map(({ slug }) => slug),
);

/** The platform of a system, by the first word of its name. */
const platformOf: Readonly<Record<string, string>> = {
  wordpress: 'wordpress',
  shopify: 'shopify',
  magento: 'magento',
  prestashop: 'prestashop',
  opencart: 'opencart',
  shopware: 'shopware',
  wix: 'wix',
  sfcc: 'salesforce-commerce-cloud',
};

/** A page has one body and one list of pixels. */
const alone: ReadonlySet<string> = new Set(['body-class', 'shopify-client', 'shopify-settings', 'shopify-pixel']);

/** Lists of handles, each of another technology, so that no handle hides that another one is not detected. */
function batches(queues: readonly { slug: string; handles: readonly string[] }[], size: number) {
  const lists: { slug: string; handle: string }[][] = [];
  const rounds = Math.max(0, ...queues.map(({ handles }) => handles.length));
  for (let round = 0; round < rounds; round++) {
    const seen = new Map(
      queues.map(({ slug, handles }) => [`${slug} ${handles[round]}`, { slug, handle: handles[round] }]),
    );
    const list = [...seen.values()].filter((one): one is { slug: string; handle: string } => one.handle !== undefined);
    for (let from = 0; from < list.length; from += size) lists.push(list.slice(from, from + size));
  }
  return lists;
}

describe('table of inventories', () => {
  const systems = [...new Set(inventoryEntries.flatMap(({ handles }) => handles.map((one) => one.split(':', 1)[0])))];

  it.each(systems)('every handle of %s is detected on a page that prints it', (system = '') => {
    const prefix = `${system}:`;
    const queues = inventoryEntries
      .map(({ slug, handles }) => ({ slug, handles: handles.filter((one) => one.startsWith(prefix)) }))
      .filter(({ handles }) => handles.length > 0);
    const missed: string[] = [];
    // A page has one platform.
    const [others, platforms] = [false, true].map((is) => queues.filter(({ slug }) => isPlatform.has(slug) === is));
    for (const batch of [...batches(others ?? [], alone.has(system) ? 1 : 40), ...batches(platforms ?? [], 1)]) {
      const required = batch.flatMap(({ slug }) => rules.find((one) => one.slug === slug)?.requires ?? []);
      const shared = ['wordpress', 'shopify'].filter((platform) => system.startsWith(platform));
      const base = [...new Set([...required, ...shared])].map((platform) => platformHead[platform] ?? '').join('');
      const heads = batch.map(({ handle }) => markup[system]?.(handle.slice(prefix.length)) ?? '');
      const detected = slugs(page({ head: base + heads.join('') }));
      missed.push(
        ...batch.filter(({ slug }) => !detected.includes(slug)).map(({ slug, handle }) => `${slug} ${handle}`),
      );
    }
    expect(missed).toEqual([]);
  });

  it('no handle without a source makes a technology certain, in whichever parts of the page it occurs', () => {
    const handles = inventoryEntries.filter(({ unsourced }) => unsourced).flatMap((entry) => entry.handles);
    const free = rules.map((rule) => ({ ...rule, requires: [], requiresCategory: [], excludes: [] }));
    const items = (['network', 'markup', 'inline'] as const).map((family) => ({
      handles,
      family,
      active: true,
      version: '',
    }));
    const detections = [...new Engine(free).detect(readEvidence(page({})), items).values()];
    expect(detections.filter((one) => confidenceOf(one) === 'medium').length).toBeGreaterThan(1000);
    expect(detections.filter((one) => confidenceOf(one) === 'high').map(({ rule }) => rule.slug)).toEqual([]);
  });

  it('a technology that requires a platform has no handle of another platform', () => {
    const known = new Map(rules.map((rule) => [rule.slug, rule]));
    const needs = (slug: string, platform: string): boolean =>
      slug === platform || (known.get(slug)?.implies.includes(platform) ?? false);
    const lost = inventoryEntries.flatMap(({ slug, handles }) => {
      const requires = known.get(slug)?.requires ?? [];
      const others = handles.filter((handle) => {
        const platform = platformOf[handle.split('-', 1)[0] ?? ''];
        return platform !== undefined && requires.length > 0 && !requires.some((one) => needs(one, platform));
      });
      return others.map((handle) => `${slug} ${handle}`);
    });
    expect(lost).toEqual([]);
  });
});

describe('inventories', () => {
  const wordpress = platformHead.wordpress ?? '';

  it('evidence without a public source never makes a technology certain', () => {
    const unsourced = sheet('/wp-content/plugins/jet-menu/a.css') + loaded('/wp-content/plugins/jet-menu/a.js');
    expect(found(page({ head: wordpress + unsourced }), 'jetmenu')?.confidence).toBe('medium');
    const sourced = sheet('/wp-content/plugins/wp-ulike/a.css') + loaded('/wp-content/plugins/wp-ulike/a.js');
    expect(found(page({ head: wordpress + sourced }), 'wp-ulike')?.confidence).toBe('high');
  });

  it('a plugin whose only script waits for consent is configured', () => {
    const waiting = '<script type="text/plain" data-src="/wp-content/plugins/wp-ulike/a.js"></script>';
    expect(found(page({ head: wordpress + waiting }), 'wp-ulike')?.installState).toBe('configured');
    expect(
      found(page({ head: wordpress + loaded('/wp-content/plugins/wp-ulike/a.js') }), 'wp-ulike')?.installState,
    ).toBe('active');
  });

  it('a library whose call starts it is active, and a plugin whose settings only occur is configured', () => {
    const started = script("jQuery('.slides').slick({dots: true});");
    expect(found(page({ head: started }), 'slick')?.installState).toBe('active');
    const settings = script('var omapi_data = {"wc_cart":[]};');
    expect(found(page({ head: wordpress + settings }), 'optinmonster-plugin')?.installState).toBe('configured');
  });

  it('a plugin signs the page in a comment, and the same words in a text are not a signature', () => {
    const signature = 'Performance optimized by Docket Cache: https://wordpress.org/plugins/docket-cache';
    expect(slugs(page({ head: wordpress, body: `<!-- ${signature} -->` }))).toContain('docket-cache');
    expect(slugs(page({ head: wordpress, body: `<p>${signature}</p>` }))).not.toContain('docket-cache');
    for (const end of ['/', '.', ' )', ' IN HEAD//'])
      expect(slugs(page({ head: wordpress, body: `<!-- ${signature}${end}-->` }))).toContain('docket-cache');
    const note = '<!-- see https://wordpress.org/plugins/docket-cache/ for another way -->';
    expect(slugs(page({ head: wordpress, body: note }))).not.toContain('docket-cache');
  });

  it('a library whose style sheet is in the page is read from its licence or the name of its source map', () => {
    const style = (text: string) => page({ head: `<style>${text}</style>` });
    expect(slugs(style('/*! animate.css -http://daneden.me/animate */.animated{}'))).toContain('animate-css');
    expect(slugs(style('/*!\n * Bootstrap v3.3.7 (http://getbootstrap.com)\n */a{}'))).toContain('bootstrap');
    expect(slugs(style('.irs{}/*# sourceMappingURL=ion.rangeSlider.min.css.map */'))).toContain('ion-rangeslider');
    expect(slugs(style('/*! Bootstrap overrides */a{}/* animate.css */'))).toEqual([]);
    expect(slugs(style('/*! Bootstrap 4.0 override for the shop */a{}/*! Hint.css tweaks */'))).toEqual([]);
  });

  it('a library on the host of packages of Wix is detected', () => {
    const bundle = loaded('https://static.parastorage.com/unpkg/core-js-bundle@3.2.1/minified.js');
    expect(slugs(page({ head: bundle }))).toContain('core-js');
  });

  it('a plugin whose files are joined is named by the handle of its settings or its style', () => {
    const joined = '<link rel="stylesheet" href="/wp-content/cache/autoptimize/css/autoptimize_0a.css">';
    for (const [slug, part] of [
      ['filter-everything', '<style id="filter-everything-inline-css">a {}</style>'],
      ['jet-menu', '<script id="jet-menu-public-js-extra">var a = {};</script>'],
    ] as const)
      expect(slugs(page({ head: wordpress + joined + part })), part).toContain(slug === 'jet-menu' ? 'jetmenu' : slug);
    const theme =
      '<script id="jet-menu-js-extra">var a = {};</script><script id="jet-menu-js" src="/wp-content/themes/acme/menu.js"></script>';
    expect(slugs(page({ head: wordpress + theme }))).not.toContain('jetmenu');
    const block = '<style id="jet-menu-style-inline-css">a {}</style>';
    expect(slugs(page({ head: wordpress + block }))).not.toContain('jetmenu');
    const service = '<script id="google-tag-manager-js-after">var a = {};</script>';
    expect(slugs(page({ head: wordpress + service })).filter((slug) => slug.includes('tag-manager'))).toEqual([]);
  });

  it('a file that waits for the visitor names its own folder, and its handle no plugin', () => {
    const waiting = (attributes: string) =>
      page({ head: `${wordpress}<script id="jet-menu-js" ${attributes}></script>` });
    const url = '/wp-content/themes/acme/menu.js';
    expect(slugs(waiting(`type="rocketlazyloadscript" data-rocket-src="${url}"`))).not.toContain('jetmenu');
    expect(slugs(waiting(`type="litespeed/javascript" data-src="${url}"`))).not.toContain('jetmenu');
    expect(slugs(waiting(`type="text/plain" data-cookieconsent-src="${url}"`))).not.toContain('jetmenu');
  });

  it('a technology requires what its row states, even when other rules have its slug', () => {
    const style = '<style id="uag-style-12-inline-css">a {}</style>';
    expect(slugs(page({ head: wordpress + style }))).toContain('spectra');
    expect(slugs(page({ head: style }))).not.toContain('spectra');
  });

  it('the style of a library in a template is configured', () => {
    const style = '<style>/*! Flickity v2.1.0\n*/</style>';
    expect(found(page({ body: style }), 'flickity')?.installState).toBe('active');
    expect(found(page({ body: `<template>${style}</template>` }), 'flickity')?.installState).toBe('configured');
  });

  it('the handle of a script that waits for consent is configured', () => {
    const settings = (type: string) =>
      page({ head: `${wordpress}<script id="filter-everything-js-extra" type="${type}">var a = {};</script>` });
    expect(found(settings('text/javascript'), 'filter-everything')?.installState).toBe('active');
    expect(found(settings('text/plain'), 'filter-everything')?.installState).toBe('configured');
  });

  it.each(['top-bar', 'mobile-menu', 'search-filter', 'video-popup', 'photo-gallery'])(
    'the handle %s of ordinary words may be of a theme',
    (handle) => {
      const style = `<style id="${handle}-inline-css">a {}</style><script id="${handle}-js-extra">var a = {};</script>`;
      expect(slugs(page({ head: wordpress + style }))).toEqual(slugs(page({ head: wordpress })));
    },
  );

  it('handles alone are one family of evidence', () => {
    const parts =
      '<style id="filter-everything-inline-css">a {}</style><script id="filter-everything-js-extra">var a = {};</script>';
    expect(found(page({ head: wordpress + parts }), 'filter-everything')?.confidence).toBe('medium');
  });

  it.each(['jet-menu-2.1.8', 'jet-menu-master', 'jet-menu-pro-1.0'])(
    'the folder %s of an unpacked archive names its plugin',
    (folder) => {
      expect(slugs(page({ head: wordpress + loaded(`/wp-content/plugins/${folder}/a.js`) }))).toContain('jetmenu');
    },
  );

  it('the folder of an unpacked archive of a child theme names the theme', () => {
    const theme = sheet('/wp-content/themes/oceanwp-child-theme-master/style.css');
    expect(slugs(page({ head: wordpress + theme }))).toContain('oceanwp');
  });

  it('the demo sites of Astra are a plugin of their own', () => {
    const found = slugs(page({ head: wordpress + loaded('/wp-content/plugins/astra-sites/a.js') }));
    expect(found).toContain('starter-templates');
    expect(found).not.toContain('astra-pro');
  });

  it.each([
    ['prestashop', 'templatemonster-prestashop-themes', '/themes/theme183/css/global.css'],
    ['opencart', 'templatemonster-opencart-themes', '/catalog/view/theme/theme638/stylesheet/stylesheet.css'],
    ['magento', 'templatemonster-magento-themes', '/skin/frontend/default/theme531/css/styles.css'],
  ])('a numbered theme of %s names its vendor: %s', (platform, slug, url) => {
    const head = platformHead[platform] ?? '';
    expect(slugs(page({ head: head + sheet(url) }))).toContain(slug);
    expect(slugs(page({ head: sheet(url.replace(/\d+/, 'x')) + head }))).not.toContain(slug);
  });

  it('a file of a copied page that keeps its query after a small question mark is that library', () => {
    expect(slugs(page({ head: loaded('/js/jquery.zoom.min%EF%B9%96ver=1.7.21-wc.3.js') }))).toContain('jquery-zoom');
  });

  it('an app block counts only in a comment of the page', () => {
    const text = '<!-- BEGIN app block: shopify://apps/klaviyo/blocks/embed/0a1b -->';
    expect(slugs(page({ head: platformHead.shopify + text }))).toContain('klaviyo');
    expect(slugs(page({ head: platformHead.shopify + script(`var a = '${text}';`) }))).not.toContain('klaviyo');
  });

  it('an app of the list of a Wix site is installed, which does not show that it runs', () => {
    const list = script(
      'var rendererModel = {"clientSpecMap":{"1":{"appDefinitionId":"14bcded7-0066-7c35-14d7-466cb3f09103"}}};',
    );
    expect(found(page({ head: platformHead.wix + list }), 'wix-blog')?.installState).toBe('configured');
  });

  it('a pixel of Shopify without identifiers, a resource hint and a picture on another site show nothing', () => {
    const empty = script('trekkie.load({"Facebook Pixel":{"pixelIds":[]},"Google Analytics":{}});');
    expect(slugs(page({ head: platformHead.shopify + empty }))).not.toContain('facebook-pixel');
    const hint = '<link rel="dns-prefetch" href="https://js.authorize.net/v1/a.js">';
    expect(slugs(page({ head: hint }))).not.toContain('authorize-net');
    const picture = '<img src="https://other.example/wp-content/plugins/wp-ulike/a.png">';
    expect(slugs(page({ head: wordpress, body: picture }))).not.toContain('wp-ulike');
  });

  it('modules of Magento are read from their start-up components', () => {
    const components = '<script type="text/x-magento-init">{"*":{"Mirasvit_Rewards/js/account":{}}}</script>';
    expect(slugs(page({ head: platformHead.magento ?? '', body: components }))).toContain('mirasvit');
  });

  it('modules of PrestaShop are read from the paths of their controllers in inline scripts', () => {
    const path = script('var a = {"url":"https:\\/\\/shop.example\\/en\\/module\\/an_wishlist\\/ajax"};');
    expect(slugs(page({ head: platformHead.prestashop + path }))).toContain('anvanto-wishlist');
    expect(slugs(page({ head: platformHead.opencart + path }))).not.toContain('anvanto-wishlist');
  });

  it.each([
    ['/modules/gdz_acmemenu/a.js', 'joommasters'],
    ['/modules/tvcmsacmemenu/a.js', 'themevolty'],
  ])('a module of PrestaShop without an entry names the vendor that begins all its modules alike: %s', (url, slug) => {
    expect(slugs(page({ head: platformHead.prestashop + loaded(url) }))).toContain(slug);
    expect(slugs(page({ head: platformHead.opencart + loaded(url) }))).not.toContain(slug);
  });

  it('a word that only begins like the modules of a vendor names no vendor', () => {
    const head = platformHead.prestashop + loaded('/modules/gdzie_acme/a.js') + loaded('/modules/tvcm/a.js');
    const letters = loaded('/modules/cz_zasilkovna/a.js') + loaded('/modules/ishidden/a.js');
    const vendors = ['codezeel', 'ishi-technolabs', 'joommasters', 'themevolty'];
    expect(slugs(page({ head: head + letters })).filter((slug) => vendors.includes(slug))).toEqual([]);
  });

  it.each(['codecanyon-VTP9uamU-b2bking', 'codecanyon_ffB7WhjR_b2bking', 'b2bking'])(
    'the folder %s of a bought plugin names the product',
    (folder) => {
      expect(slugs(page({ head: wordpress + sheet(`/wp-content/plugins/${folder}/a.css`) }))).toContain('b2bking');
    },
  );

  it('the folder of a bought plugin does not name the product for which it is an addition or alternative', () => {
    const head = wordpress + sheet('/wp-content/plugins/codecanyon-1234569-akismet-alternative/a.css');
    expect(slugs(page({ head }))).not.toContain('akismet');
  });

  it('a plugin that names itself as generator by its folder is that plugin', () => {
    const meta = (content: string) => `<meta name="generator" content="${content}">`;
    expect(slugs(page({ head: wordpress + meta('webp-uploads 2.6.1') }))).toContain('modern-image-formats');
    for (const other of ['webp-uploads 2.6.1', 'contact-form-7 5.9', 'activecampaign-for-woocommerce 1.2.3'])
      expect(slugs(page({ head: meta(other) })), other).toEqual([]);
    expect(slugs(page({ head: wordpress + meta('A text about webp-uploads 2.6.1') }))).not.toContain(
      'modern-image-formats',
    );
  });

  it('a component of Magento that its settings switch off is not a trace', () => {
    const init = (isOff: boolean) =>
      `<script type="text/x-magento-init">{"#popup":{"children":{"button":{"component":"Amazon_Login\\/js\\/view\\/button","config":{"componentDisabled":${isOff}}},"other":{"component":"Acme_Menu\\/js\\/menu"}}}}</script>`;
    expect(slugs(page({ head: platformHead.magento + init(false) }))).toContain('amazon-pay');
    expect(slugs(page({ head: platformHead.magento + init(true) }))).not.toContain('amazon-pay');
  });

  it('settings of a component of Magento are before or after its name, and a child has its own', () => {
    const init = (component: string) =>
      slugs(
        page({
          head: `${platformHead.magento}<script type="text/x-magento-init">{"#popup":{"children":{"button":${component}}}}</script>`,
        }),
      );
    const name = '"component":"Amazon_Login\\/js\\/view\\/button"';
    const off = '"config":{"componentDisabled":true}';
    expect(init(`{${off},${name}}`)).not.toContain('amazon-pay');
    expect(init(`{${name},"children":{"a":{${off},"component":"Acme_Menu\\/js\\/menu"}}}`)).toContain('amazon-pay');
  });

  it('icons of Pictogrammers are not icons of Google', () => {
    const found = slugs(page({ head: sheet('/css/materialdesignicons.min.css') }));
    expect(found).toContain('material-design-icons');
    expect(found).not.toContain('material-icons');
  });

  it('a child theme counts as its parent', () => {
    expect(slugs(page({ head: wordpress + sheet('/wp-content/themes/botiga-child/style.css') }))).toContain('botiga');
  });

  it('the site of a vendor does not use its own service only because it serves files from its host', () => {
    const head = loaded('https://js.authorize.net/v1/a.js');
    expect(slugs(page({ head }))).toContain('authorize-net');
    expect(slugs(page({ head }, { url: 'https://www.authorize.net/' }))).not.toContain('authorize-net');
  });

  it.each([
    ['jquery.fancybox-1.3.4.pack.js', 'jquery.fancybox', '1.3.4'],
    ['js.cookie.min.js', 'js.cookie', ''],
    ['swiper-bundle.min.css', 'swiper', ''],
    ['imagesloaded.pkgd.min.js', 'imagesloaded', ''],
    ['bootstrap-3.3.7.min.css', 'bootstrap', '3.3.7'],
    ['jquery.blockUI.min-ver=2.70.js', 'jquery.blockui', ''],
    ['js.cookie.min.js@ver=2.1.4.js', 'js.cookie', ''],
  ])('the file %s is of the library %s, version %j', (file, stem, version) => {
    expect(stemOf(file)).toEqual({ stem, version });
  });

  it.each([
    ['/js/jquery.colorbox.custom-1.3.16.js', 'colorbox'],
    ['/js/jquery.tmpl-1.0.0pre.min.js', 'jquery-templates'],
    ['/js/excanvas-r3.compiled.js', 'excanvas'],
    ['/dist/Chart.compiled.js', 'chart-js'],
    ['/dist/Chart.minified.js', 'chart-js'],
    ['/js/spin.min.js', 'spin-js'],
    ['/themes/default-bootstrap/js/autoload/10-bootstrap.min.js', 'bootstrap'],
    ['/js/hogan-2.0.0.min.js', 'hogan-js'],
    ['/js/bubbletip.js', 'bubbletip'],
  ])("a site's own build of a library is that library: %s", (url, slug) => {
    expect(slugs(page({ head: loaded(url) }))).toContain(slug);
  });

  it('a version comes from the name of the file or the path of a library CDN, never from a query', () => {
    const at = (url: string) => found(page({ head: loaded(url) }), 'magnific-popup')?.version;
    expect(at('/js/jquery.magnific-popup-1.1.0.min.js')).toBe('1.1.0');
    expect(at('https://cdnjs.cloudflare.com/ajax/libs/magnific-popup.js/1.0.1/jquery.magnific-popup.min.js')).toBe(
      '1.0.1',
    );
    expect(at('/js/jquery.magnific-popup.min.js?ver=9.9.9')).toBeUndefined();
  });

  it('an unknown handle is kept for the growth of the table, once, sorted and bounded', () => {
    const head = wordpress + sheet('/wp-content/plugins/acme-b/a.css') + loaded('/wp-content/plugins/acme-a/a.js');
    const twice = head + loaded('/wp-content/plugins/acme-a/b.js') + sheet('/wp-content/plugins/wp-ulike/a.css');
    expect(observeStore(page({ head: twice })).unknownHandles).toEqual([
      'wordpress-plugin:acme-a',
      'wordpress-plugin:acme-b',
    ]);
    const many = Array.from({ length: 500 }, (_, id) => sheet(`/wp-content/plugins/acme-${id}/a.css`)).join('');
    expect(observeStore(page({ head: wordpress + many })).unknownHandles).toHaveLength(60);
  });

  it("Google's tags in the settings of a pixel are named, also where the settings are JSON within a string", () => {
    const pixel = (configuration: unknown) =>
      page({
        head:
          platformHead.shopify +
          pixels([{ id: '1', configuration: JSON.stringify(configuration), type: 'APP', apiClientId: 9 }]),
      });
    const settings = (id: string) => ({ config: JSON.stringify({ pixel_id: id, gtag_events: [] }) });
    expect(slugs(pixel(settings('G-ABC12345')))).toContain('google-analytics');
    expect(slugs(pixel(settings('AW-123456789')))).toContain('google-ads-conversion-tracking');
    expect(slugs(pixel(settings('123456789012345')))).not.toContain('google-analytics');
    expect(slugs(pixel({ note: 'G-ABC12345' }))).not.toContain('google-analytics');
  });

  it('the pixel of Google Ads in the earlier analytics script has a number without a prefix', () => {
    const load = (settings: string) => page({ head: platformHead.shopify + script(`trekkie.load({${settings}});`) });
    const ads = 'google-ads-conversion-tracking';
    expect(slugs(load('"Google Gtag Pixel":{"conversionId":"1045614854","eventLabels":[]}'))).toContain(ads);
    expect(slugs(load('"Google Gtag Pixel":{"conversionId":"G-ABC12345"}'))).not.toContain(ads);
  });

  it('a host in the settings of a pixel names its app', () => {
    const configuration = JSON.stringify({ shopId: '1', domain: 'https://api.trustoo.io/' });
    const pixel = pixels([{ id: '1', configuration, type: 'APP', apiClientId: 9 }]);
    expect(slugs(page({ head: platformHead.shopify + pixel }))).toContain('trustoo-reviews');
  });

  it('the element of an app block names its app', () => {
    const head = platformHead.shopify ?? '';
    const body = (id: string) => `<div id="${id}" class="shopify-block shopify-app-block"></div>`;
    const id = 'shopify-block-Ac3g5STJMd0RDVXdza__trustoo_io_reviews_review_widget_cNNCaF';
    expect(slugs(page({ head, body: body(id) }))).toContain('trustoo-reviews');
    expect(slugs(page({ head, body: body(`${id}-1`) }))).toContain('trustoo-reviews');
    expect(slugs(page({ head, body: body('shopify-block-Ac3g5STJMd0RDVXdza__trustoo_cNNCaF') }))).not.toContain(
      'trustoo-reviews',
    );
    // One word begins the names of many apps.
    const other = body('shopify-block-Ac3g5STJMd0RDVXdza__comparable_looks_widget_cNNCaF');
    expect(slugs(page({ head, body: other }))).not.toContain('comparable-products');
    expect(slugs(page({ head, body: body('shopify-block-Ac3g5STJMd0RDVXdza__comparable_widget_cNNCaF') }))).toContain(
      'comparable-products',
    );
    // Shopify wraps the blocks of themes in such elements, too.
    const ofTheme =
      '<div id="shopify-block-Ac3g5STJMd0RDVXdza__wishlist_plus_button_cNNCaF" class="shopify-block"></div>';
    expect(slugs(page({ head, body: ofTheme }))).not.toContain('wishlist-plus');
  });

  it('a script of an import map is configured, because the page may never import it', () => {
    const map =
      '<script type="importmap">{"imports":{"photoswipe":"//shop.example/assets/photoswipe.min.js"}}</script>';
    expect(found(page({ head: map }), 'photoswipe')?.installState).toBe('configured');
  });

  it('a frame that an optimizer keeps back is read, and a font file in a style element too', () => {
    const frame = '<iframe src="about:blank" data-lazy-src="https://nutrifox.com/embed/label/1"></iframe>';
    expect(slugs(page({ body: frame }))).toContain('nutrifox');
    const face = (url: string) => `<style>@font-face{font-family:Sen;src:url(${url}) format('woff2')}</style>`;
    expect(slugs(page({ head: face('https://fonts.gstatic.com/s/sen/v9/a.woff2') }))).toContain('google-font-api');
    expect(slugs(page({ head: face('/fonts/sen/v9/a.woff2') }))).not.toContain('google-font-api');
    const noted = `<style>/* ${face('https://fonts.gstatic.com/s/sen/v9/a.woff2').slice(7, -8)} */ a{}</style>`;
    expect(slugs(page({ head: noted }))).not.toContain('google-font-api');
  });

  it('a package of a library CDN is read where its version is percent-escaped', () => {
    const url = 'https://cdn.jsdelivr.net/npm/vanilla-lazyload%4019.1.3/dist/lazyload.min.js';
    expect(slugs(page({ head: loaded(url) }))).toContain('vanilla-lazyload');
  });

  it('files of Magento are read from paths without a leading slash', () => {
    const head = platformHead.magento + loaded('static/version1/frontend/Acme/shop/en_US/MGS_Mpanel/js/timer.js');
    expect(slugs(page({ head }))).toContain('mgs-magesolution');
    const theme = platformHead.magento + sheet('static/version1/frontend/Mgs/claue/en_US/css/theme.css');
    expect(slugs(page({ head: theme }))).toContain('claue-magento');
    const other = platformHead.magento + sheet('static/version1/frontend/Mgs/unero/en_US/css/theme.css');
    expect(slugs(page({ head: other }))).toContain('mgs-magesolution');
    expect(slugs(page({ head: other }))).not.toContain('claue-magento');
  });

  it('a module or a plugin is named once, by the slug of its product', () => {
    const stripe =
      platformHead.magento + loaded('/static/version1/frontend/A/b/en_US/StripeIntegration_Payments/js/a.js');
    expect(slugs(page({ head: stripe }))).toContain('stripe-for-magento');
    expect(slugs(page({ head: stripe }))).not.toContain('stripe');
    const composer =
      '<meta name="generator" content="Powered by Visual Composer Website Builder - fast and easy">' +
      loaded('/wp-content/plugins/visualcomposer/public/dist/front.bundle.js');
    expect(slugs(page({ head: composer }))).toContain('visual-composer');
    expect(slugs(page({ head: composer }))).not.toContain('visual-composer-website-builder');
    // The slug is public.
    expect(vocabulary.map(({ slug }) => slug)).toContain('visual-composer-website-builder');
  });

  it('an unreadable list of pixels is ignored', () => {
    for (const text of ['[', '[{"id":', '[{]}', `[${'['.repeat(70_000)}`])
      expect(slugs(page({ head: platformHead.shopify + script(`webPixelsConfigList: ${text}`) }))).toContain('shopify');
  });
});

describe('file with the name of a library', () => {
  it.each([
    'https://nexus.ensighten.com/a/Bootstrap.js',
    'https://via.batch.com/v3/bootstrap.min.js',
    'https://webchat.dotdigital.com/widget/bootstrap.js',
  ])('a file with the name of a library is the loader of a vendor outside of folders for libraries: %s', (url) => {
    expect(slugs(page({ head: loaded(url) }))).not.toContain('bootstrap');
  });

  it.each([
    'https://shop.example/widget/bootstrap.js',
    '/widget/bootstrap.min.js',
    'https://cdn.vendor.example/js/bootstrap.min.js',
    'https://cdn.shopify.com/s/files/1/2/t/3/assets/bootstrap.min.js',
    'https://cdn.vendor.example/bootstrap/4.3.1/bootstrap.min.js',
  ])(
    'a file with the name of a library is the library in a folder for libraries and on the site’s own host: %s',
    (url) => {
      expect(slugs(page({ head: loaded(url) }))).toContain('bootstrap');
    },
  );

  it('a file of Afterpay on a host of Square is not a payment by Square', () => {
    expect(slugs(page({ head: loaded('https://js.squarecdn.com/square-marketplace.js') }))).not.toContain('square');
    expect(slugs(page({ head: loaded('https://web.squarecdn.com/v1/square.js') }))).toContain('square');
  });
});

describe('app of Shopify', () => {
  it('an app of Shopify is named by the host behind the proxy of Shopify', () => {
    const proxied = (path: string) =>
      page({ head: platformHead.shopify + loaded(`https://cdn.shopify.com/proxy/${'0a'.repeat(32)}/${path}`) });
    expect(slugs(proxied('bingshoppingtool-t2app-prod.trafficmanager.net/api/tracking_script'))).toContain(
      'microsoft-advertising',
    );
    expect(slugs(proxied('a/bingshoppingtool-t2app-prod.trafficmanager.net'))).not.toContain('microsoft-advertising');
  });

  it('an app of Shopify is named by a script that looks like a page and names the shop', () => {
    const list = (url: string) =>
      page({ head: `${platformHead.shopify}${script(`function asyncLoad() { var urls = ["${url}"]; load(urls); }`)}` });
    const url = 'https:\\/\\/social-login.oxiapps.com\\/api\\/init?vt=1';
    expect(slugs(list(`${url}\\u0026shop=a.myshopify.com`))).toContain('oxi-social-login');
    expect(slugs(list(url))).not.toContain('oxi-social-login');
    const call = script('fetch("https://social-login.oxiapps.com/api/init?shop=a.myshopify.com");');
    expect(slugs(page({ head: platformHead.shopify + call }))).not.toContain('oxi-social-login');
  });
});

describe('files', () => {
  it('files are known by the name of a plugin of jQuery after words of the site', () => {
    expect(slugs(page({ head: loaded('/assets/js-build-jquery.lazy.min.js') }))).toContain('jquery-lazy');
    expect(slugs(page({ head: loaded('/assets/js-build-lazy.min.js') }))).not.toContain('jquery-lazy');
  });

  it('files of a mirrored copy are known by their folder', () => {
    expect(slugs(page({ head: loaded('../lib/spectrum.minc57d.js') }))).toContain('spectrum');
    expect(slugs(page({ head: loaded('/spectrum.js') }))).not.toContain('spectrum');
  });

  it('files of plugins of WordPress in style elements name the plugin', () => {
    const style = "<style>:root{--arrow:url('https://shop.example/wp-content/plugins/mai-icons/icons/a.svg')}</style>";
    expect(slugs(page({ head: platformHead.wordpress + style }))).toContain('mai-icons');
  });
});

describe('plugins of Shopware', () => {
  it('plugins of Shopware are known by the folders of their compiled scripts, since Shopware 6.6', () => {
    const script = (plugin: string) =>
      loaded(`https://shop.example/theme/6ce9e247bc960c71c9390e325b5ba616/js/${plugin}/${plugin}.js?1748537645`);
    const head = `${script('storefront')}${script('swag-pay-pal')}${script('some-plugin')}${loaded('/bundles/a1/b.js')}`;
    const { technologies, unknownHandles } = observeStore(page({ head }));
    expect(technologies.map(({ slug }) => slug)).toContain('paypal');
    expect(unknownHandles).toContain('shopware-bundle:someplugin');
    expect(unknownHandles).not.toContain('shopware-bundle:storefront');
  });
});

describe('modules of PrestaShop', () => {
  it('modules of PrestaShop with a comment of their maker are of that maker', () => {
    const body = '<!-- MODULE PM_AdvancedSearch4 || Presta-Module.com -->';
    expect(slugs(page({ head: platformHead.prestashop ?? '', body }))).toContain('presta-module');
  });

  it.each([
    '<a href="module/an_wishlist/list.html">My wishlist</a>',
    '<a href="https://shop.example/index.php?fc=module&module=an_wishlist&controller=list">My wishlist</a>',
    '<div data-url="/en/module/an_wishlist/ajax"></div>',
  ])('modules of PrestaShop are named by the addresses of their controllers: %s', (body) => {
    expect(slugs(page({ head: platformHead.prestashop ?? '', body }))).toContain('anvanto-wishlist');
    expect(slugs(page({ body }))).not.toContain('anvanto-wishlist');
  });

  it('modules of PrestaShop of another shop are none of this one', () => {
    const body = '<a href="https://other.example/module/an_wishlist/list">A shop</a>';
    expect(slugs(page({ head: platformHead.prestashop ?? '', body }))).not.toContain('anvanto-wishlist');
  });
});
