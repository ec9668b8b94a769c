import { switchedOff } from './script-text.ts';

/**
 * A script of the page:
 * - `element`: loaded by an element
 * - `loader`: loaded by an inline script
 * - `gated`: waits for the consent of the visitor, or named in a block of settings
 * - `hint`: a file that is only announced by a resource hint
 */
export interface ScriptUrl {
  url: string;
  source: 'element' | 'loader' | 'gated' | 'hint';
}

const maxUrls = 400;
const maxUrlChars = 1024;
const maxInlineChars = 600_000;

// A host without a path counts only as an argument or as the start of a URL: lists of permitted hosts load nothing.
// All repetitions are bounded, and every match starts at a quote. So the time is linear for any text.
const quotedUrl =
  /["'`]((?:https?:)?\/\/[a-z0-9.-]{3,120}\.[a-z]{2,20}(?::\d{1,5})?(?:\/[^\s"'`<>\\]{0,900}|(?=["'`]\s{0,4}[)+])))/gi;
/** A host after a `+` and a scheme that the script chooses: `(isSecure ? "https://" : "http://") + "a.example/b.js"`. */
const continuedUrl = /\+\s{0,8}["'](?:s?:?\/\/)?(\.?(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10}\/[^\s"'`<>\\]{1,400})/gi;
const looksLoaded = /\.jsp?\b|\/js\b|script|sdk|widget|loader|pixel|\/tag|gtm|embed|snippet|bundle|\/chat/i;
/** What a loader gives to an element of a script is loaded, whatever its address is: `s.src = "https://v2.zopim.com/?1"`. */
const toElement = /\.src\s{0,3}=\s{0,3}$/;
const isOtherFile = /\.(?:css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|json|xml)(?:[?#]|$)/i;

/** Loaders that write markup escape it, so that the parser of the page does not see it. */
const escapes: Readonly<Record<string, string>> = {
  '3c': '<',
  '3e': '>',
  '22': '"',
  '27': "'",
  '2f': '/',
  '3a': ':',
  '3d': '=',
  '26': '&',
  '3f': '?',
  '20': ' ',
};

const escaped = new RegExp(`(?:%|\\\\x|\\\\u00)(${Object.keys(escapes).join('|')})`, 'gi');

function decoded(text: string): string {
  const plain = text.replaceAll('\\/', '/');
  if (!/%(?:3c|2f%2f)|\\(?:x|u00)/i.test(plain)) return plain;
  return plain.replace(escaped, (written, code: string) => escapes[code.toLowerCase()] ?? written);
}

/** Whether the object of settings in which offset `at` lies says before it that it is off: `{enabled: false, src: "…"}`. */
function isInOffSettings(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const own = before.slice(Math.max(before.lastIndexOf('{'), before.lastIndexOf('}')) + 1);
  return switchedOff.test(own);
}

/** RequireJS only names the files that code may ask for later. Themes print URLs of scripts that a map or a video may need. */
const namedForLater = /(?:\bpaths["']?\s{0,4}:\s{0,4}\{[^{}]{0,160}|["']\w{2,40}Script["']\s{0,4}:\s{0,4})$/;

const isForLater = (text: string, at: number): boolean => namedForLater.test(text.slice(Math.max(0, at - 200), at));

/**
 * URLs of scripts inside of inline scripts. Shopify lists the scripts of installed apps in `asyncLoad` as JSON with
 * `\/`, and other loaders escape the markup that they write, so escapes are decoded first.
 */
export function loaderUrls(inline: string): string[] {
  const text = decoded(inline.slice(0, maxInlineChars));
  const found: string[] = [];
  for (const { 1: url, index } of text.matchAll(quotedUrl)) {
    if (found.length >= maxUrls) break;
    if (!url || isOtherFile.test(url)) continue;
    if (!looksLoaded.test(url) && !toElement.test(text.slice(Math.max(0, index - 12), index))) continue;
    if (!isInOffSettings(text, index) && !isForLater(text, index)) found.push(url.slice(0, maxUrlChars));
  }
  for (const [, url] of text.matchAll(continuedUrl)) {
    if (found.length >= maxUrls) break;
    if (url && looksLoaded.test(url) && !isOtherFile.test(url))
      found.push(`//${url.startsWith('.') ? 'www' : ''}${url}`);
  }
  return found;
}

/** URLs of scripts in blocks of settings. */
export function settingUrls(blocks: readonly string[]): string[] {
  return loaderUrls(blocks.join('\n')).filter((url) => /\.js\b/.test(url));
}

/** Without duplicates. The first source of a URL counts: a script that is loaded and announced is loaded. */
export function uniqueScriptUrls(sources: Readonly<Record<ScriptUrl['source'], readonly string[]>>): ScriptUrl[] {
  const seen = new Map<string, ScriptUrl>();
  for (const source of ['element', 'loader', 'gated', 'hint'] as const) {
    for (const raw of sources[source]) {
      const url = raw.trim().slice(0, maxUrlChars);
      if (url && !seen.has(url) && seen.size < maxUrls * 2) seen.set(url, { url, source });
    }
  }
  return [...seen.values()];
}
