import type { Channel } from './rule.ts';

/**
 * Decides whether a number that a pattern found is the version of its technology. A wrong version is worse than none. Cache-busters,
 * hashes, timestamps, API levels, build folders of the site and labels are not versions.
 *
 * - All functions take linear time on text that the caller has bounded.
 */
const numbered = /^\d{1,4}(?:\.\d{1,5}){1,4}(?:[-.+]?(?:alpha|beta|rc|pre|dev|wp|lts|b|p)[-.]?\d{0,3})?[a-z]?$/i;
const dated = /^(?:19|20)\d{2}[.-](?:0?[1-9]|1[0-2])[.-](?:0?[1-9]|[12]\d|3[01])$/;
const maxVersionChars = 30;

/** Whether the text is a number with at least one dot. Dates, timestamps and hashes are not versions. */
export const isVersion = (text: string): boolean =>
  text.length <= maxVersionChars && numbered.test(text) && !dated.test(text);

/** Generators and headers name the technology. A single number is therefore its major version there. */
const isNamedVersion = (text: string): boolean => isVersion(text) || /^\d{1,3}$/.test(text);

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
/** Whether the words before a number allow that it belongs to the technology. "WP Rocket " does for `wp-rocket`; "Redux " does not. */
function isNamed(words: string, slug: string): boolean {
  const long = words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const parts = slug.split('-').filter((part) => part.length > 2);
  return (
    long.length === 0 || long.some((word) => bare(slug).includes(word) || parts.some((part) => word.includes(part)))
  );
}

const stemOf = (slug: string): string => slug.replace(/[-.]js$/, '');

const breaks = /[\s"'<>()\\]/;

/** Returns the text before offset `at` back to the nearest blank, quote or other delimiter. */
function tokenBefore(text: string, at: number): string {
  let from = at;
  while (from > 0 && !breaks.test(text[from - 1] as string)) from--;
  return text.slice(from, at);
}

/** One stem for all folder names of a technology: `vue` and `vue.js` for `vue-js`, `twitter-bootstrap` for `bootstrap`. */
const folderStem = (folder: string): string => bare(folder.replace(/^twitter-/, '').replace(/[-.]?js$/, ''));

/** Endings of a product's own files. Other endings name another product: `jquery.easing.js`, `jquery-ui.js`, `bootstrap-select.css`. */
const ownEnding =
  /^(?:[-._@](?:min|slim|pack(?:ed)?|bundle|all|core|full|lite|latest|esm|umd|prod(?:uction)?|dev(?:elopment)?|global|runtime|browser|custom|compat|js|css|v?\d[a-z0-9]*))*$/;

/** Hosts whose folders are packages. Every file below `/jquery/3.7.1/` belongs to jQuery 3.7.1. */
const libraryHost =
  /^(?:https?:)?\/\/(?:cdnjs\.cloudflare\.com|ajax\.(?:googleapis|aspnetcdn)\.com|cdn\.jsdelivr\.net|unpkg\.com|(?:maxcdn|stackpath|netdna)\.bootstrapcdn\.com|cdn\.bootcdn\.net|c0\.wp\.com|lib\.baomitu\.com|cdn\.staticfile\.(?:org|net))\//;
/** File names that do not identify their product. */
const plainFile =
  /^(?:all|main|index|bundle|core|styles?|scripts?|solid|regular|brands|light|fonts?|full|lib|production)(?:[.-][\w.-]*)?$/;

/**
 * Whether a file in `path` belongs to another product: its name continues that of the technology, or it is another file in a folder that
 * holds the plugins of a library.
 */
function isOtherFile(path: string, stem: string, host: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (file.startsWith(stem)) return !ownEnding.test(file.slice(stem.length));
  return path.includes('/') && !file.includes(stem) && !plainFile.test(file) && !libraryHost.test(host);
}

/** Whether a folder `/1.2.3/` belongs to the technology: the folder above it or the host has the technology's name. */
function isOwnFolder(before: string, slug: string): boolean {
  const stem = bare(stemOf(slug));
  const host = bare(/^(?:https?:)?\/\/([^/]+)/.exec(before)?.[1] ?? '');
  return folderStem(before.slice(0, -1).split('/').at(-1) ?? '') === stem || (stem.length >= 3 && host.includes(stem));
}

/**
 * Returns the version, or '' if the number at offset `at` of `text` is not a version. `text` is a URL, markup, or the value of a header or
 * meta tag.
 */
export function acceptedVersion(version: string, at: number, text: string, slug: string, channel: Channel): string {
  if (channel === 'header') return isNamedVersion(version) ? version : '';
  if (channel === 'meta') {
    return isNamedVersion(version) && isNamed(text.slice(Math.max(0, at - 100), at), slug) ? version : '';
  }
  if (!isVersion(version)) return '';
  const before = tokenBefore(text, at);
  if (!before.includes('/') && !/\.(?:js|css)/.test(text.slice(at, at + 60))) return version;
  // A number in a query is a cache-buster. `wordpress-versions.ts` reads the exceptions.
  if (/[?#]/.test(before)) return '';
  const [after = ''] = /^[^\s"'<>()\\?#]*/.exec(text.slice(at + version.length)) ?? [];
  if (!/\/v?$/.test(before) || !/^(?:\/|$)/.test(after)) return version;
  return isOwnFolder(before.replace(/v$/, ''), slug) && !isOtherFile(after.toLowerCase(), stemOf(slug), before)
    ? version
    : '';
}

const maxOccurrences = 4;

/** Returns the version in the technology's own file name or folder: `jquery-3.7.1.min.js`, `/jquery/3.7.1/`, `jquery@3.7.1`. */
export function fileVersion(url: string, slug: string): string {
  const path = (/^[^?#]*/.exec(url)?.[0] ?? '').toLowerCase();
  for (const stem of new Set([stemOf(slug), stemOf(slug).replaceAll('-', '')])) {
    if (stem.length < 3) continue;
    let at = path.indexOf(stem);
    for (let tries = 0; at !== -1 && tries < maxOccurrences; tries++, at = path.indexOf(stem, at + stem.length)) {
      if (!/(?:^|[/@])(?:jquery[.-]|twitter-)?$/.test(path.slice(Math.max(0, at - 10), at))) continue;
      const rest = path.slice(at + stem.length);
      const version = /^(?:[.-]?js)?[-_.@/]v?(\d{1,4}(?:\.\d{1,5}){1,4})(?=[-_./]|$)/.exec(rest.slice(0, 60))?.[1];
      if (version && isVersion(version) && !isOtherFile(rest, stem, path)) return version;
    }
  }
  return '';
}
