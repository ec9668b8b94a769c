import { withoutQuery } from '../page/without-query.ts';
import type { InventoryItem, ItemCollector } from './item.ts';

/**
 * Recognizes libraries by the names of their files, and by the names that public library CDNs use in their paths. A version counts only as
 * part of such a name, never from a query.
 */
const builds =
  /[._-](?:min|pack|packed|pkgd|bundle|bundled|umd|esm|prod|production|compressed|slim|iife|cjs|es5|global|minified|dist|browser|latest|optimized)$/;
const versionSuffix = /[-._@]v?(\d{1,4}(?:\.\d{1,4}){1,3})(?:[-.]?(?:rc|beta|alpha|wp|pre)[\w.]{0,8})?$/;
const numberSuffix = /[-._]v?\d{1,8}$/;
/** Endings of a build whose parts the site chose itself: `jquery.colorbox.custom`, `excanvas-r3.compiled`. */
const ownBuild = /[._-](?:custom|compiled|r\d{1,3}|release|modified|customized)$/;
const hashSuffix = /[-._](?=[0-9a-f]*\d)[0-9a-f]{6,40}$/;

const ending = /(?:\.(?:js|css))?\.(?:js|css)$/;
const endingWithQuery = /(?:\.(?:js|css))?(?:(?:[-@_]|%ef%b9%96|\ufe56)ver=[\w.-]{1,40})?\.(?:js|css)$/;

/** Splits a file name: `jquery.fancybox-1.3.4.pack.js` → `jquery.fancybox`, 1.3.4 */
export function stemOf(file: string): { stem: string; version: string } {
  // A copy of a page keeps the query in the name of the file: `jquery.min-ver=3.7.1.js`, `a.js@ver=2.js`, `a.min﹖ver=2.js`.
  const lower = file.toLowerCase();
  let stem = lower.replace(lower.includes('ver=') ? endingWithQuery : ending, '');
  let version = '';
  for (let round = 0; round < 5; round++) {
    const before = stem;
    stem = stem.replace(builds, '');
    const numbered = versionSuffix.exec(stem);
    if (numbered) {
      version ||= numbered[1] ?? '';
      stem = stem.slice(0, numbered.index);
    }
    if (stem === before) break;
  }
  return { stem, version };
}

const onCdn = [
  /(?:cdnjs\.cloudflare\.com|ajax\.googleapis\.com)\/ajax\/libs\/([\w.@-]{2,60})\/v?(\d[\w.]{0,20})\//,
  /ajax\.aspnetcdn\.com\/ajax\/([\w.-]{2,60})\/(\d[\w.]{0,20})\//,
  /(?:cdn\.jsdelivr\.net\/npm|unpkg\.com|static\.parastorage\.com\/unpkg|esm\.sh|cdn\.skypack\.dev)\/((?:@[\w.-]{1,40}\/)?[\w.-]{2,60})(?:(?:@|%40)(\d[\w.]{0,20}))?(?=\/|$|\?)/,
  /cdn\.jsdelivr\.net\/(?:jquery\.)?([\w.-]{2,60})\/(\d[\w.]{0,20})\//,
  /(?:maxcdn|stackpath|netdna)\.bootstrapcdn\.com\/([\w.-]{2,60})\/(\d[\w.]{0,20})\//,
];

/** A quick check. Most URLs have none of these hosts. */
const anyCdn = /cloudflare|googleapis|aspnetcdn|jsdelivr|unpkg|esm\.sh|skypack|bootstrapcdn/;

/** A library on its vendor's own host, in a folder of its version: `//use.fontawesome.com/releases/v5.15.4/css/all.css`. */
const inRelease =
  /^(?:https?:)?\/\/([a-z0-9.-]{4,80})((?:\/[\w.@+-]{1,40}){0,3}?)\/(?:[\w-]{1,12}-)?v?(\d{1,4}(?:\.\d{1,5}){1,3})(?:[-.]?(?:rc|beta|alpha|lts)[\w.-]{0,8})?(?=[/?#]|$)/i;

const mayBeRelease = /\/(?:[\w-]{1,12}-)?v?\d{1,4}\.\d/;

/** Vendors also give their loaders the names of these libraries. Such a loader is outside of library folders. */
const loaderNames: ReadonlySet<string> = new Set(['bootstrap']);
const libraryFolder =
  /^(?:js|javascripts?|scripts?|libs?|vendors?|assets|dist|static|files|plugins?|bootstrap.{0,12}|\d[\d.]*)$/i;

/**
 * A part of the site that its bundler names after a component: `/assets/ReadMore.8ddfd159.js`. The component may have the name of a
 * library. The eight characters of the hash must have a digit, or an upper-case letter after a lower-case one. Otherwise they are a word:
 * `Chart.compiled.js`.
 */
const ownPart =
  /\/(?:assets|chunks|build|_nuxt|dist)\/(?:[\w-]{1,40}\/){0,2}[A-Z][A-Za-z0-9]{2,60}(?:-legacy)?[.-](?=[\w-]{0,7}\d|[\w-]{0,6}[a-z][\w-]{0,6}[A-Z])[\w-]{8}\.(?:js|css)$/;

/**
 * `isFallback`: a script loads the file only if another copy is missing. The file's version is then ignored. `site`: the registrable domain
 * of the page.
 */
export function addFile(
  url: string,
  family: InventoryItem['family'],
  to: ItemCollector,
  { active = true, isFallback = false, site = '' } = {},
): void {
  for (const regex of anyCdn.test(url) ? onCdn : []) {
    const [, name, version = ''] = regex.exec(url) ?? [];
    if (name) to.add([`file:${name}`], family, active, /^\d+\.\d/.test(version) && !isFallback ? version : '');
  }
  const [, host, below = '', release = ''] = (mayBeRelease.test(url) && inRelease.exec(url)) || [];
  if (host && !(site && url.includes(site)))
    to.add([`release:${host}${below}`], family, active, isFallback ? '' : release);
  const path = withoutQuery(url);
  if (!/\.(?:js|css)$/i.test(path) || ownPart.test(path.slice(-200))) return;
  const [file = '', folder = '', above = ''] = path.split('/').reverse();
  if (file.length > 120) return;
  const { stem, version } = stemOf(file);
  if (stem.length < 2) return;
  const isForeign = (): boolean => /^(?:https?:)?\/\//i.test(url) && !(site && url.includes(site));
  if (loaderNames.has(stem) && !libraryFolder.test(folder) && isForeign()) return;
  to.add([`file:${stem}`], family, active, isFallback ? '' : version);
  // A common file name is more specific together with its folders: `jquery/ui/core.js`.
  if (folder) to.add([`file:${folder}/${stem}`], family, active, '');
  if (folder && above) to.add([`file:${above}/${folder}/${stem}`], family, active, '');
  const loose = stem.replace(hashSuffix, '').replace(numberSuffix, '');
  if (loose !== stem) to.add([`file:${loose}`], family, active);
  const original = stem.replace(ownBuild, '').replace(ownBuild, '');
  if (original !== stem && original.length > 2) to.add([`file:${stemOf(original).stem}`], family, active);
  // The site's own build may put words before the name of a plugin: `js-build-jquery.lazy`.
  const plugin = /[-_](jquery\.[a-z][\w.-]{2,60})$/.exec(stem)?.[1];
  if (plugin) to.add([`file:${plugin}`], family, active);
  // A number may order the files of a theme: `10-bootstrap.min.js`.
  const ordered = /^\d{1,3}[-_](.{3,60})$/.exec(stem)?.[1];
  if (ordered) to.add([`file:${ordered}`], family, active);
  // A WordPress handle may be the name of a file: `jquery-fancybox` for `jquery.fancybox`.
  if (/^jquery-[a-z]/.test(stem)) to.add([`file:${stem.replace('-', '.')}`], family, active);
  // A mirroring tool appends four digits to the names of files that differ only in their query.
  const mirrored = /^(.{3,})[0-9a-f]{4}$/.exec(stem)?.[1];
  if (!mirrored) return;
  const copied = stemOf(mirrored).stem;
  to.add([`file:${copied}`], family, active);
  if (folder) to.add([`file:${folder}/${copied}`], family, active);
  if (folder && above) to.add([`file:${above}/${folder}/${copied}`], family, active);
}

/** Adds the host of a script or frame, its parent domains, and the host with the first segment of its path. */
export function addHost(
  url: string,
  site: string,
  family: InventoryItem['family'],
  to: ItemCollector,
  active = true,
): void {
  const match = /^(?:https?:)?\/\/([a-z0-9.-]{4,120})(?::\d+)?(?:\/([^/?#]{1,60}))?/i.exec(url);
  const host = match?.[1]?.toLowerCase() ?? '';
  if (!host || (site && (host === site || host.endsWith(`.${site}`)))) return;
  const labels = host.split('.').slice(-6);
  for (let from = 0; from < labels.length - 1; from++) {
    const name = labels.slice(from).join('.');
    to.add([`host:${name}`], family, active);
    if (match?.[2]) to.add([`host:${name}/${match[2]}`], family, active);
  }
}
