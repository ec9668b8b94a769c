import type { Element } from 'domhandler';
import { once } from '../once.ts';
import type { PageDocument } from '../page/document.ts';
import { scriptText } from '../page/document.ts';
import { addressAttributes, isGated, isInTemplate, type PageEvidence } from '../page/evidence.ts';
import type { InlineWord } from '../page/inline-words.ts';
import { addressInCode, type OwnUrlTest } from '../page/own-urls.ts';
import { withoutQuery } from '../page/without-query.ts';
import { inventoryEntries } from '../rules/tables.ts';
import { stemOf } from './files.ts';
import { addFolders, moduleHandles } from './folders.ts';
import type { InventoryItem, ItemCollector } from './item.ts';

/** Reads inventories in the markup and in inline scripts. Every expression starts at a literal and has bounded repetitions. */
const maxElements = 3000;
const maxComponentChars = 100_000;
const maxPaths = 1000;
const maxObjectChars = 800;
const maxStyleChars = 400_000;

/** Technologies of handles with a prefix. Created on first use, because services that only list technologies import this module, too. */
const slugsWith = (prefix: string) =>
  once(
    () =>
      new Map(
        inventoryEntries.flatMap(({ slug, handles }) =>
          handles.flatMap((handle) =>
            handle.startsWith(prefix) ? [[handle.slice(prefix.length), slug] as const] : [],
          ),
        ),
      ),
  );

const librariesByFile = slugsWith('file:');
const libraryOf = (file: string): string | undefined => librariesByFile().get(file);

const pluginsByFolder = slugsWith('wordpress-plugin:');
/** Whether the table has a plugin with this folder, and no library with this name. */
const hasPlugin = (folder: string): boolean =>
  pluginsByFolder().has(folder) && !libraryOf(folder) && !libraryOf(folder.replace('-', '.'));

/** Names of scripts that several plugins and themes use. */
const namesOfMany: ReadonlySet<string> = new Set(['google-tag-manager', 'google-analytics-opt-out']);

/** Words that a theme uses for parts of its own. */
const ordinaryWords: ReadonlySet<string> = new Set(
  [
    'accordion address age ajax analytics animation audio author back background banner bar block blocks blog bottom box brands button',
    'buttons calendar captcha card carousel cart category categories chat checkout code columns comment comments compare contact content',
    'cookie countdown css custom download editor effects email embed events faq feed filter flip boxes float floating font fonts footer',
    'form forms gallery gate google grid header hover icon icons image images instagram js jquery language layout layouts lazy library',
    'lightbox link links list load loader loading login logo map maps media menu menus mobile modal navigation newsletter notice',
    'notification options page pages parallax payment pdf photo player popup popups portfolio post posts preloader price print product',
    'products progress quick quiz rating ratings recaptcha recipe register related responsive review reviews scripts scroll search section',
    'share shop shortcodes showcase sidebar simple site slider sliders slideshow smart social sticky store style styles subscription',
    'swatches table tabs team testimonial testimonials text the theme timeline timer to toggle tooltip tooltips top tracking up user',
    'variation verify video view widget widgets window wishlist wishlists woo woocommerce wc wp youtube zoom',
  ].flatMap((line) => line.split(' ')),
);

/** Whether the name has one or two ordinary words. A theme may have its own `top-bar` and `video-popup`. */
const isOrdinary = (name: string): boolean => {
  const words = name.split('-');
  return words.length < 3 && words.every((word) => ordinaryWords.has(word));
};

/**
 * Plugins name their scripts and styles after their own folder: `filter-everything-inline-css`, `astra-addon-js-js-extra`. A name of
 * several words belongs to one plugin, unless all of them are {@link ordinaryWords}.
 */
function pluginOfHandle(handle: string): string | undefined {
  // The style of a block has the names of its vendor and of the block: `gutena-tabs-style` for `gutena/tabs`.
  const part = handle.replace(/-(?:frontend|front|public|main|scripts?|js|css)$/, '');
  return [handle, part].find(
    (name) => name.includes('-') && !isOrdinary(name) && !namesOfMany.has(name) && hasPlugin(name),
  );
}

/** Whether a handle and its loaded file are named after two different libraries: `lightbox2` for `colorbox.css`. */
function isOtherLibrary(handle: string, url: string): boolean {
  const named = libraryOf(handle);
  if (!named) return false;
  const loaded = libraryOf(stemOf(withoutQuery(url).split('/').at(-1) ?? '').stem);
  return loaded !== undefined && loaded !== named;
}

/** Returns the address of a file that an element loads at once or later. */
const fileOf = ({ attribs }: Element): string =>
  addressAttributes.map((name) => attribs[name]).find((url) => url && !url.startsWith('data:')) ?? '';

/** Returns the handles of the files that the page loads from a WordPress folder. */
const loadedHandles = (document: PageDocument): ReadonlySet<string> =>
  new Set(
    ['script', 'link'].flatMap((tag) =>
      document
        .byTag(tag)
        .slice(0, maxElements)
        .filter((element) => /\/(?:wp-includes|plugins|themes)\//.test(fileOf(element)))
        .map(({ attribs }) => (attribs.id ?? '').replace(/-(?:js|css)$/, '')),
    ),
  );

/**
 * WordPress prints the handle of each script and style as an id: `contact-form-7-js`, `wc-cart-fragments-js-extra`. The ids of settings
 * stay if an optimizer joins the files. https://developer.wordpress.org/reference/functions/wp_enqueue_script/
 */
function addHandles(document: PageDocument, to: ItemCollector): void {
  const loaded = once(() => loadedHandles(document));
  // All handles of one plugin are one family of evidence.
  const families = new Map<string, InventoryItem['family']>();
  for (const tag of ['script', 'link', 'style']) {
    for (const element of document.byTag(tag).slice(0, maxElements)) {
      const { attribs } = element;
      const handle = /^([\w.-]{2,80}?)-(?:js|css|inline-css)(?:-(?:extra|before|after|translations))?$/.exec(
        attribs.id ?? '',
      )?.[1];
      if (!handle) continue;
      const family = tag === 'script' ? 'network' : 'markup';
      const active = !isGated(element) && !isInTemplate(element);
      to.add([`wordpress-handle:${handle}`, `wordpress-prefix:${handle.split(/[-_]/, 1)[0]}`], family, active);
      const url = attribs.src || attribs.href;
      // The folder of a file already shows its plugin. A joined file has no such folder.
      const plugin = fileOf(element) ? undefined : pluginOfHandle(handle.toLowerCase());
      if (plugin && !loaded().has(handle)) {
        if (!families.has(plugin)) families.set(plugin, family);
        to.add([`wordpress-plugin:${plugin}`], families.get(plugin) ?? family, active);
      }
      if (url && !isOtherLibrary(handle.toLowerCase(), url)) to.add([`file:${handle}`], family, active);
    }
  }
}

const bodyClasses = (document: PageDocument): string[] =>
  (document.byTag('body')[0]?.attribs.class ?? '').slice(0, 4000).split(/\s+/, 120);

/** Returns the theme that a body class names: `theme-flatsome` (WooCommerce), `wp-theme-flatsome` (WordPress 6.7). */
const themeOf = (name: string): string | undefined =>
  /^(?:wp-)?(?:child-)?theme-([\w-]{2,60})$/.exec(name)?.[1]?.replace(/-child$/, '');

/** Returns the folders of the page's WordPress themes. */
export const bodyThemes = (document: PageDocument): string[] =>
  bodyClasses(document).flatMap((name) => themeOf(name) ?? []);

/** Adds themes, and classes that plugins add to the body. */
function addBodyClasses(document: PageDocument, to: ItemCollector): void {
  for (const name of bodyClasses(document)) {
    const theme = themeOf(name);
    if (theme) to.add([`wordpress-theme:${theme}`], 'markup');
    else if (name.length > 2 && name.length <= 80) to.add([`body-class:${name}`], 'markup');
  }
}

/** https://developer.adobe.com/commerce/frontend-core/javascript/init/ */
function addComponents(document: PageDocument, to: ItemCollector): void {
  const texts = document
    .byTag('script')
    .filter(({ attribs }) => attribs.type === 'text/x-magento-init')
    .map(scriptText);
  addModules(texts.join('\n').slice(0, maxComponentChars), to);
}

/** The offset of the bracket that closes (`step` 1) or opens (-1) the object around `at`, or -1. Strings count as code. */
function objectEdge(text: string, at: number, step: 1 | -1): number {
  let depth = 0;
  for (let i = at, left = maxObjectChars; left > 0 && i >= 0 && i < text.length; i += step, left--) {
    const symbol = text[i];
    if (symbol !== '{' && symbol !== '}') continue;
    depth += (symbol === '{') === (step === 1) ? 1 : -1;
    if (depth < 0) return i;
  }
  return -1;
}

/** Whether the component whose name is at `at` has settings that switch it off. They may be before or after its name. */
function isDisabled(text: string, at: number): boolean {
  if (!/"component"\s{0,4}:\s{0,4}$/.test(text.slice(Math.max(0, at - 30), at))) return false;
  const start = objectEdge(text, at, -1);
  const end = objectEdge(text, at, 1);
  const own = text.slice(start === -1 ? at : start + 1, end === -1 ? at + maxObjectChars : end);
  for (const { index } of own.matchAll(/"componentDisabled"\s{0,4}:\s{0,4}true/g)) {
    const before = own.slice(0, index);
    // Deeper objects are children with their own settings.
    if (before.split('{').length - before.split('}').length <= 1) return true;
  }
  return false;
}

function addModules(text: string, to: ItemCollector): void {
  const mayBeOff = text.includes('"componentDisabled"');
  for (const { 1: vendor = '', 2: module = '', index } of text.matchAll(
    /["']([A-Z][A-Za-z0-9]{1,40})_([A-Z][A-Za-z0-9]{1,60})\\?\/js\b/g,
  ))
    if (!mayBeOff || !isDisabled(text, index)) to.add(moduleHandles(vendor, module), 'inline');
}

/**
 * A page may contain the style sheets of its libraries. These keep their licence, `/*! Flickity v2.1.0`, or the name of their source map,
 * `sourceMappingURL=ion.rangeSlider.min.css.map`. A name without a version may be a title that the site wrote itself. The same applies to a
 * name with a version before other words: `/*! Bootstrap 4.0 overrides`. Themes copy normalize.css into their own code.
 */
const styleNames =
  /\/\*!\s{0,4}(?:\*\s{0,4})?((?!normalize)[A-Za-z][\w.-]{2,30})(?= v?\d+\.\d[\w.-]{0,14} {0,2}[\n\r(|*,;-]| -https?:|\.css [-|(\d])|sourceMappingURL=([A-Za-z][\w.-]{2,40}\.css)\.map/g;

function addStyleNames(text: string, to: ItemCollector, active: boolean): void {
  for (const [, banner, file] of text.matchAll(styleNames))
    to.add([`file:${stemOf(banner ?? file ?? '').stem}`], 'markup', active);
}

/** Adds plugins whose files are named in style elements: `url('/wp-content/plugins/mai-icons/icons/svgs/arrow.svg')`. */
function addStylePaths({ document, isOwnUrl }: PageEvidence, to: ItemCollector): void {
  let left = maxStyleChars;
  for (const style of document.byTag('style').slice(0, 200)) {
    if (left <= 0) return;
    const text = scriptText(style).slice(0, left);
    left -= text.length;
    if (text.includes('/*!') || text.includes('sourceMappingURL=')) addStyleNames(text, to, !isInTemplate(style));
    if (!text.includes('wp-content/plugins/')) continue;
    for (const path of [...pathsOf(text, /\/wp-content\/plugins\/[\w.-]{2,80}\//g, isOwnUrl)].slice(0, 50))
      addFolders(path, 'markup', to);
  }
}

/** Returns the different matches outside of addresses of other sites. A script may repeat one path thousands of times. */
function pathsOf(text: string, regex: RegExp, isOwnUrl: OwnUrlTest): Set<string> {
  const paths = new Set<string>();
  let checks = 0;
  for (const { 0: written, index } of text.matchAll(regex)) {
    const path = written.replaceAll('\\/', '/');
    if (paths.has(path) || checks >= maxPaths) continue;
    checks++;
    if (isOwnUrl(addressInCode(text, index))) paths.add(path);
  }
  return paths;
}

/** Adds paths and namespaces in inline code, where slashes may be escaped. */
function addInline({ inline, inlineWords, isOwnUrl }: PageEvidence, to: ItemCollector): void {
  const pathsWith = (word: InlineWord, regex: RegExp): Iterable<string> =>
    inlineWords.has(word) ? pathsOf(inline, regex, isOwnUrl) : [];
  const paths = [
    ...pathsWith('wp-content', /wp-content\\?\/(?:plugins|themes|uploads)\\?\/[\w.-]{2,80}\\?\//g),
    ...pathsWith('demandware.store', /demandware\.store\/Sites-[\w-]{1,60}-Site\/[\w-]{2,20}\/\w{3,40}-\w/g),
    ...pathsWith('prestashop', /\\?\/modules?\\?\/[a-z0-9_]{3,60}\\?\//g),
    ...pathsWith('route=extension', /route=extension\/[\w-]{2,60}\/[\w-]{2,60}/g),
  ];
  // The controller of a module has the path /module/NAME/. Its files are in /modules/NAME/.
  for (const path of paths.slice(0, maxPaths)) addFolders(path.replace(/^\/module\//, '/modules/'), 'inline', to);
  const namespaces = inlineWords.has('wp-json') ? inline.matchAll(/wp-json\\?\/([a-z][\w-]{2,40})\\?\/v\d/g) : [];
  for (const [, name = ''] of namespaces) to.add([`wordpress-namespace:${name}`], 'inline', false);
  if (inlineWords.has('require') && /require(?:js|\()/.test(inline)) addModules(inline, to);
}

/**
 * WordPress plugins print generator tags with the name of their folder: `webp-uploads 2.6.1`, `auto-sizes 1.7.0`. On a page without
 * WordPress, such a text names another product.
 */
export function addGenerators(document: PageDocument, to: ItemCollector): void {
  for (const { attribs } of document.byTag('meta').slice(0, maxElements)) {
    if (attribs.name !== 'generator') continue;
    const folder = /^([a-z][a-z0-9]*(?:-[a-z0-9]+){1,6})[ ;]/.exec((attribs.content ?? '').slice(0, 120))?.[1];
    if (folder) to.add([`wordpress-plugin:${folder}`], 'markup');
  }
}

/**
 * The front office calls modules at /module/NAME/CONTROLLER, or without short addresses with fc=module&module=NAME:
 * https://devdocs.prestashop-project.org/8/modules/concepts/controllers/front-controllers/
 */
const moduleAddress = /(?:^|\/)module\/([a-z0-9_]{3,60})\/|[?&;]fc=module&(?:amp;)?module=([a-z0-9_]{3,60})/;

/** Adds modules from links within the site, and from the attribute that scripts of themes read. */
export function addModuleAddresses(document: PageDocument, anchors: readonly string[], to: ItemCollector): void {
  const read = document
    .byTag('div')
    .slice(0, maxElements)
    .map(({ attribs }) => attribs['data-url'] ?? '');
  for (const url of [...anchors, ...read]) {
    const [, short, long] = (url.includes('module') && moduleAddress.exec(url)) || [];
    const name = short ?? long;
    if (name) addFolders(`/modules/${name}/`, 'markup', to);
  }
}

/**
 * Plugins sign their output: `<!-- Performance optimized by Docket Cache: https://wordpress.org/plugins/docket-cache -->`. Developers also
 * write such addresses in notes, followed by words: "see https://wordpress.org/plugins/akismet/ for another way".
 */
const signature =
  /\/\/wordpress\.org\/(?:extend\/)?plugins\/([a-z0-9-]{2,80})(?=\/?[\s)."'\]/]{0,8}(?:-->|IN (?:HEAD|BODY|FOOTER)\b|$))/gm;

function addSignedPlugins({ comments }: PageDocument, to: ItemCollector): void {
  for (const [, folder = ''] of comments.matchAll(signature)) to.add([`wordpress-plugin:${folder}`], 'markup');
}

/** https://dev.wix.com/docs/rest/articles/get-started/apps-created-by-wix. The list may have unused apps. */
function addWixApps({ document, inline, inlineWords }: PageEvidence, to: ItemCollector): void {
  const model = document.byId('wix-viewer-model')[0];
  const texts = [model ? scriptText(model).slice(0, 1_000_000) : '', inlineWords.has('appDefinitionId') ? inline : ''];
  for (const text of texts) {
    for (const [, id = ''] of text.matchAll(/"appDefinitionId"\s{0,4}:\s{0,4}"([0-9a-f]{8}-[0-9a-f-]{27})"/g))
      to.add([`wix-app:${id}`], 'inline', false);
  }
}

export function addMarkup(page: PageEvidence, to: ItemCollector): void {
  const { document } = page;
  addHandles(document, to);
  addBodyClasses(document, to);
  addComponents(document, to);
  addSignedPlugins(document, to);
  addStylePaths(page, to);
  addInline(page, to);
  addWixApps(page, to);
}
