import type { OwnUrlTest } from '../page/own-urls.ts';
import type { InventoryItem, ItemCollector } from './item.ts';

/**
 * Finds folders of plugins, modules, themes and extensions in a URL. Every platform documents their places. Each expression runs only on
 * URLs that contain its literal, and on one URL of bounded length.
 */
interface FolderRule {
  literal: string;
  regex: RegExp;
  handles: (...groups: string[]) => string[];
  /** Whether the folder is on a host of its vendor. All other folders count only on the page's own hosts. */
  isAnyHost?: true;
}

/** Directories that many extensions share. They identify no extension. */
const commonFolders = new Set([
  ...['css', 'js', 'img', 'images', 'font', 'fonts', 'lib', 'libs', 'vendor', 'assets', 'scripts', 'styles', 'dist'],
  ...['all', 'common', 'jquery', 'plugins', 'prototype', 'scriptaculous', 'varien', 'mage', 'calendar', 'flash'],
  ...['bootstrap', 'media', 'theme', 'skin', 'default', 'base', 'frontend', 'stylesheet', 'javascript', 'min', 'ui'],
]);

const named = (system: string, name: string | undefined): string[] =>
  name && !commonFolders.has(name.toLowerCase()) ? [`${system}:${name}`] : [];

/** Removes the version or branch that an unpacked archive adds to its folder: `jetpack-11.9`, `oceanwp-child-theme-master`. */
const unpacked = (folder: string): string =>
  folder.replace(/(?:[-_.]v?\d{1,3}(?:\.\d{1,3}){1,3}|-(?:master|main))$/, '');

const childless = (theme: string): string => theme.replace(/[-_]child(?:[-_]?theme)?(?:-\d+)?$/i, '');

/** Handles of a plugin's folder. A paid edition extends its free plugin: `wp-recipe-maker-premium`, `jet-engine-pro`. */
function pluginHandles(plugin = ''): string[] {
  const sold = codecanyon.exec(plugin)?.[1];
  if (sold) return [`wordpress-plugin:${plugin}`, `wordpress-plugin:${sold}`];
  const names = new Set([plugin, unpacked(plugin), unpacked(plugin).replace(/-(?:premium|pro)$/, '')]);
  return [...names].map((name) => `wordpress-plugin:${name}`);
}

/**
 * CodeCanyon names the archive of a plugin by the title of its page: `codecanyon-VTP9uamU-b2bking-the-ultimate-…`. Only the whole title
 * identifies the product, because others sell additions and alternatives to it.
 */
const codecanyon = /^codecanyon[-_](?:[A-Za-z0-9]{8}|\d{4,9})[-_]([a-z0-9][\w-]{2,70})$/;

/** Handles of a PrestaShop module. Each vendor uses one prefix for the names of its modules: `gdz_megamenu`, `tvcmsmegamenu`. */
function prestashopHandles(module = ''): string[] {
  const [vendor = '', rest] = module.split('_', 2);
  const prefixes = rest !== undefined ? [vendor] : module.length > 7 ? [module.slice(0, 4), module.slice(0, 5)] : [];
  return [`prestashop-module:${module}`, ...prefixes.map((prefix) => `prestashop-prefix:${prefix}`)];
}

export const folderRules: readonly FolderRule[] = [
  {
    // https://developer.wordpress.org/plugins/plugin-basics/determining-plugin-and-content-directories/
    literal: 'plugins/',
    regex: /(?:wp-content|\/app|\/content)\/(?:mu-)?plugins\/([\w.%-]{2,80})\//,
    handles: pluginHandles,
  },
  {
    literal: 'c0.wp.com/p/',
    isAnyHost: true,
    regex: /c0\.wp\.com\/p\/([\w.-]{2,80})\/\d/,
    handles: pluginHandles,
  },
  {
    literal: 'themes/',
    regex: /(?:wp-content|\/app|\/content)\/themes\/([\w.%-]{1,80})\//,
    handles: (theme = '') =>
      [...new Set([childless(theme), childless(unpacked(theme))])].map((name) => `wordpress-theme:${name}`),
  },
  {
    // Folders of files that a plugin wrote: wp-content/uploads/elementor/css/post-5.css, wp-content/cache/autoptimize/…
    literal: 'wp-content/',
    regex: /wp-content\/((?:uploads\/|cache\/)?[a-z][\w-]{2,60})\//i,
    handles: (folder = '') =>
      /^(?:plugins|themes|mu-plugins|uploads)$/.test(folder) ? [] : [`wordpress-folder:${folder}`],
  },
  {
    // These optimizers name their copies of files by the WordPress handles.
    literal: '.min.',
    regex: /\/(?:siteground-optimizer-assets|wp-super-minify\/(?:css|js))\/([\w.-]{2,80}?)\.min\.(?:js|css)/,
    handles: (handle = '') => [`wordpress-handle:${handle}`],
  },
  {
    // https://shopify.dev/docs/apps/build/online-store/theme-app-extensions
    literal: '/extensions/',
    isAnyHost: true,
    regex: /\/extensions\/[0-9a-f]{8}[0-9a-f-]{28}\/([a-z0-9_.-]{2,80}?)(?:-\d{1,6})?\/assets\//,
    handles: (extension = '') => (/^[\d.]+$/.test(extension) ? [] : [`shopify-app:${extension}`]),
  },
  {
    // https://experienceleague.adobe.com/en/docs/commerce-operations/configuration-guide/cli/static-view/static-view-file-deployment
    literal: '/frontend/',
    regex:
      /(?:^|\/)static\/(?:version\d+\/)?frontend\/([A-Za-z0-9-]{2,40})\/([\w-]{2,60})\/[a-z]{2}(?:_[A-Z][a-z]+)?_[A-Z]{2}\//,
    handles: (vendor = '', theme = '') =>
      vendor === 'Magento' ? [] : [`magento-theme:${vendor}/${theme}`, `magento-theme:${vendor}`],
  },
  {
    literal: 'static/',
    regex: /\/([A-Z][A-Za-z0-9]{1,40})_([A-Z][A-Za-z0-9]{1,60})\/(?:js|css|images|lib|web|template|view|fonts)\b/,
    handles: (vendor = '', module = '') => moduleHandles(vendor, module),
  },
  {
    literal: 'skin/frontend/',
    regex: /skin\/frontend\/([\w-]{2,40})\/([\w-]{2,60})\//,
    handles: (bundle = '', theme = '') => [
      ...(/^(?:base|default|rwd)$/.test(theme) ? [] : [`magento-theme:${bundle}/${theme}`]),
      ...(/^(?:base|default|rwd|enterprise)$/.test(bundle) ? [] : [`magento-theme:${bundle}`]),
    ],
  },
  {
    literal: 'skin/frontend/',
    regex: /skin\/frontend\/[\w-]{2,40}\/[\w-]{2,60}\/(?:(?:css|js|images)\/)?([a-z][\w-]{1,40})\//i,
    handles: (folder = '') => named('magento-module', folder),
  },
  {
    // Magento 1 keeps the scripts of extensions in /js/<extension>/.
    literal: 'js/',
    regex: /(?:^|\/)js\/([a-z][\w]{1,40})\/(?:[\w.-]+\/){0,5}[\w.-]+\.js/i,
    handles: (folder = '') => named('magento-script', folder),
  },
  {
    // https://devdocs.prestashop-project.org/8/modules/creation/module-file-structure/
    literal: 'modules/',
    regex: /(?:^|\/)modules\/([a-z0-9_]{2,60})\//i,
    handles: prestashopHandles,
  },
  {
    literal: 'themes/',
    regex: /(?:^|\/)themes\/([\w-]{2,60})\/(?:assets|css|js|cache|img|modules|fonts)\//,
    handles: (theme = '') => [`prestashop-theme:${childless(theme)}`],
  },
  {
    literal: 'catalog/view/theme/',
    regex: /catalog\/view\/theme\/([\w-]{2,60})\//,
    handles: (theme = '') => (theme === 'default' ? [] : [`opencart-theme:${theme}`]),
  },
  {
    literal: 'catalog/view/javascript/',
    regex: /catalog\/view\/javascript\/([\w-]{2,60})\//,
    handles: (folder = '') => named('opencart-extension', folder),
  },
  {
    literal: 'catalog/view/',
    regex:
      /catalog\/view\/(?:theme\/[\w-]{2,60}\/(?:stylesheet|js|javascript)|javascript)\/([\w-]{2,60}?)(?:\/|(?:\.min)?\.(?:css|js))/,
    handles: (file = '') => named('opencart-extension', file),
  },
  {
    // The site's own host may serve the pictures of Adobe Dynamic Media:
    // https://experienceleague.adobe.com/en/docs/dynamic-media-developer-resources/image-serving-api/image-serving-api/http-protocol-reference/syntax-and-features/c-request-syntax
    literal: '/is/image/',
    isAnyHost: true,
    regex: /^(?:(?:https?:)?\/\/[\w.-]+)?\/is\/image\/[\w-]{2,40}\/[\w%:-]/,
    handles: () => ['image-server:is/image'],
  },
  {
    literal: 'route=extension/',
    regex: /route=extension\/(?:module|feed|total|payment|shipping|[\w-]+\/module)\/([\w-]{2,60})/,
    handles: (module = '') => [`opencart-extension:${module}`],
  },
  {
    literal: '/bundles/',
    regex: /\/bundles\/([a-z0-9]{3,60})\//,
    handles: (bundle = '') => [`shopware-bundle:${bundle}`],
  },
  {
    // Since 6.6, Shopware compiles the script of each plugin into a folder of its name, with hyphens: `swag-pay-pal`.
    // https://github.com/shopware/shopware/blob/trunk/UPGRADE-6.6.md
    literal: '/theme/',
    regex: /\/theme\/[0-9a-f]{32}\/js\/([a-z0-9-]{3,60})\/[a-z0-9.-]{3,80}\.js/,
    handles: (plugin = '') => (plugin === 'storefront' ? [] : [`shopware-bundle:${plugin.replaceAll('-', '')}`]),
  },
  {
    literal: '/Plugins/',
    regex: /\/engine\/Shopware\/Plugins\/(?:Community|Local|Default)\/(?:Frontend|Core|Backend)\/(\w{3,60})\//,
    handles: (plugin = '') => [`shopware-bundle:${plugin}`],
  },
  {
    literal: 'demandware.store/',
    regex: /demandware\.store\/Sites-[\w-]+-Site\/[\w-]+\/(\w{3,40})-\w+/,
    handles: (controller = '') => [`sfcc-controller:${controller}`],
  },
  {
    literal: 'microapps.bigcommerce.com/',
    isAnyHost: true,
    regex: /microapps\.bigcommerce\.com\/([\w-]{3,60})\//,
    handles: (app = '') => [`bigcommerce-app:${app}`],
  },
];

/**
 * Returns the handles of a Magento 2 module by its full name and by its vendor. Modules of Magento itself do not count, except its
 * reCAPTCHA module.
 */
export function moduleHandles(vendor: string, module: string): string[] {
  const name = `magento-module:${vendor}_${module}`;
  if (vendor === 'Magento' || vendor === 'Mage') return module === 'ReCaptchaFrontendUi' ? [name] : [];
  return [name, `magento-module:${vendor}`];
}

/** A quick check. Most URLs have none of the literals. */
const anyLiteral = new RegExp([...new Set(folderRules.map(({ literal }) => literal.replaceAll('.', '\\.')))].join('|'));

export function addFolders(
  url: string,
  family: InventoryItem['family'],
  to: ItemCollector,
  { active = true, isOwnUrl = () => true }: { active?: boolean; isOwnUrl?: OwnUrlTest } = {},
): void {
  if (!anyLiteral.test(url)) return;
  const isOwn = isOwnUrl(url);
  for (const { literal, regex, handles, isAnyHost } of folderRules) {
    if ((!isOwn && !isAnyHost) || !url.includes(literal)) continue;
    const match = regex.exec(url);
    const found = match ? handles(...match.slice(1)) : [];
    if (found.length > 0) to.add(found, family, active);
  }
}
