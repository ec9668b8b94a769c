/** A script of the page: loaded by an element, loaded by an inline loader, or only announced by a resource hint. */
export interface ScriptUrl {
  url: string;
  source: 'element' | 'loader' | 'hint';
}

const maxUrls = 400;
const maxUrlChars = 1024;
const maxInlineChars = 600_000;

// All repetitions are bounded, and every match starts at a quote. So the time is linear for any text.
const quotedUrl = /["'`]((?:https?:)?\/\/[a-z0-9.-]{3,120}\.[a-z]{2,20}(?::\d{1,5})?(?:\/[^\s"'`<>\\]{0,900})?)/gi;
const looksLoaded = /\.js\b|\/js\b|script|sdk|widget|loader|pixel|\/tag|gtm|embed|snippet|bundle|\/chat/i;

/**
 * URLs of scripts inside of inline scripts. Shopify lists the scripts of installed apps in `asyncLoad` as JSON with
 * `\/`, so escapes are decoded first.
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

/** Without duplicates, elements first. A script that is loaded and announced counts as loaded. */
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
