import { isVersion } from './version.ts';

/**
 * Reads versions that WordPress prints as `?ver=`.
 *
 * - Core registers its own libraries with their versions.
 * - A plugin usually registers its own files with its version. Files that it bundles have other numbers, and a plugin without a version
 *   gets the version of WordPress. The number therefore counts only if most of the plugin's own files have it and no other folder has it.
 *   At least two files must have it, or the file with the name of the plugin.
 * - The numbers of themes, caches and optimizers are unreliable. They are not read.
 */
const pluginFile = /\/plugins\/([a-z0-9_-]{2,80})\/([^?#]{0,300})\?(?:[^#]{0,100}&)?ver=([^&#]{1,40})/i;
const anyFile = /\/wp-(?:content|includes)\/([^?#]{0,300})\?(?:[^#]{0,100}&)?ver=([^&#]{1,40})/i;
const bundled =
  /(?:^|\/)(?:libs?|librar(?:y|ies)|vendors?|third-party|3rd-party|packages|node_modules|external|jquery[\w-]*|[\w-]*jquery)\/|(?:^|\/)(?:jquery|js\.cookie|select2|swiper|owl|slick|bootstrap|font-?awesome|fancybox|flexslider|photoswipe|lightbox|magnific|chosen|moment|underscore|isotope|masonry|waypoints?|animate|popper|tippy|lodash|react|vue|flatpickr|sweetalert2?|cookieconsent)[.-][^/]*$/i;

const coreLibraries: readonly [path: RegExp, slug: string][] = [
  [/^js\/jquery\/jquery(?:\.min)?\.js$/, 'jquery'],
  [/^js\/jquery\/jquery-migrate(?:\.min)?\.js$/, 'jquery-migrate'],
  [/^js\/jquery\/ui\/(?:jquery\.ui\.)?core(?:\.min)?\.js$/, 'jquery-ui'],
  [/^js\/underscore(?:\.min)?\.js$/, 'underscore-js'],
  [/^js\/backbone(?:\.min)?\.js$/, 'backbone-js'],
  [/^js\/dist\/vendor\/react(?:\.min)?\.js$/, 'react'],
  [/^js\/dist\/vendor\/lodash(?:\.min)?\.js$/, 'lodash'],
  [/^js\/dist\/vendor\/moment(?:\.min)?\.js$/, 'moment-js'],
];

const maxUrlChars = 1024;

export interface WordPressVersions {
  /** Versions of libraries, by slug. */
  libraries: Map<string, string>;
  /** Versions of plugins, by the name of the folder below `plugins`. */
  plugins: Map<string, string>;
}

interface PluginFiles {
  /** The number of files by version. */
  counts: Map<string, number>;
  /** The version of the file that has the name of the plugin. */
  main: string | undefined;
}

function ownVersion({ counts, main }: PluginFiles): string | undefined {
  const total = [...counts.values()].reduce((sum, files) => sum + files, 0);
  const [version, files] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? ['', 0];
  return (files >= 2 || version === main) && files * 2 > total ? version : undefined;
}

const bare = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');

const isMainFile = (file: string, plugin: string): boolean =>
  bare(/([^/.]*)(?:\.min)?\.(?:js|css)$/.exec(file)?.[1] ?? '') === bare(plugin);

/** `urls`: the scripts and style sheets of the page. `core`: the version of WordPress if the page states it. */
export function wordPressVersions(urls: readonly string[], core: string): WordPressVersions {
  const libraries = new Map<string, string>();
  const files = new Map<string, PluginFiles>();
  /** Folders by version. A version of several folders is that of WordPress or of an optimizer. */
  const folders = new Map<string, Set<string>>();
  for (const long of urls) {
    if (!long.includes('ver=')) continue;
    const url = long.slice(0, maxUrlChars).replaceAll('&amp;', '&').replaceAll('&#038;', '&');
    const [, path = '', version = ''] = anyFile.exec(url) ?? [];
    const library = url.includes('/wp-includes/') ? coreLibraries.find(([name]) => name.test(path)) : undefined;
    if (library) {
      const number = version.replace(/-wp$/, '');
      if (isVersion(number)) libraries.set(library[1], number);
      continue;
    }
    const [, plugin, file = '', stated = version] = pluginFile.exec(url) ?? [];
    // WooCommerce marks the libraries that it bundles: `2.7.0-wc.9.8.2`, `wc-9.8.2`.
    const marked = plugin === 'woocommerce' ? /(?:^|-)wc[.-](\d.*)$/.exec(stated)?.[1] : undefined;
    const own = marked ?? stated;
    if (!isVersion(own)) continue;
    // Extensions of one product start with its name: `elementor`, `elementor-pro`.
    const folder = plugin?.split('-', 1)[0] ?? path.split('/', 2).join('/');
    folders.set(own, (folders.get(own) ?? new Set()).add(folder));
    if (plugin && (marked || !bundled.test(file))) {
      const seen = files.get(plugin) ?? { counts: new Map<string, number>(), main: undefined };
      seen.counts.set(own, (seen.counts.get(own) ?? 0) + 1);
      if (isMainFile(file, plugin)) seen.main = own;
      files.set(plugin, seen);
    }
  }
  const foldersWith = (version: string): number => (version === core ? 2 : (folders.get(version)?.size ?? 0));
  const plugins = new Map<string, string>();
  for (const [plugin, seen] of files) {
    const version = ownVersion(seen);
    if (version && foldersWith(version) < 2) plugins.set(plugin, version);
  }
  for (const [slug, version] of libraries) if (foldersWith(version) >= 2) libraries.delete(slug);
  return { libraries, plugins };
}
