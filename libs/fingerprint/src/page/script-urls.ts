/** A script that the page names: loaded by an element, by an inline loader, or only announced by a resource hint. */
export interface ScriptUrl {
  url: string;
  source: 'element' | 'loader' | 'hint';
}

const maxUrls = 400;
const maxUrlChars = 1024;
const maxInlineChars = 600_000;

// Bounded repetition throughout, and every start needs a quote: linear on any text.
const quotedUrl = /["'`]((?:https?:)?\/\/[a-z0-9.-]{3,120}\.[a-z]{2,20}(?::\d{1,5})?(?:\/[^\s"'`<>\\]{0,900})?)/gi;
const looksLoaded = /\.js\b|\/js\b|script|sdk|widget|loader|pixel|\/tag|gtm|embed|snippet|bundle|\/chat/i;

/**
 * URLs inside of inline scripts that look like scripts to be loaded. Shopify lists the scripts of installed apps in
 * `asyncLoad` as JSON with `\/`, so escapes are undone first.
 */
export function loaderUrls(inline: string): string[] {
  const text = inline.slice(0, maxInlineChars).replaceAll('\\/', '/').replaceAll('\\u0026', '&');
  const found: string[] = [];
  for (const [, url] of text.matchAll(quotedUrl)) {
    if (found.length >= maxUrls) break;
    if (url && looksLoaded.test(url)) found.push(url.slice(0, maxUrlChars));
  }
  return found;
}

/** Without duplicates, elements first: a script that is both loaded and announced counts as loaded. */
export function uniqueScriptUrls(elements: string[], loaders: string[], hints: string[]): ScriptUrl[] {
  const seen = new Map<string, ScriptUrl>();
  const addAll = (urls: string[], source: ScriptUrl['source']) => {
    for (const raw of urls) {
      const url = raw.trim().slice(0, maxUrlChars);
      if (url && !seen.has(url) && seen.size < maxUrls * 2) seen.set(url, { url, source });
    }
  };
  addAll(elements, 'element');
  addAll(loaders, 'loader');
  addAll(hints, 'hint');
  return [...seen.values()];
}
