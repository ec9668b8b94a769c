import type { Element } from 'domhandler';
import { getDomain } from 'tldts';
import type { PageInput, Resource } from '../types.ts';
import { type PageDocument, parseDocument, scriptText } from './document.ts';
import { type JsonLdNode, readJsonLd } from './json-ld.ts';
import { loaderUrls, type ScriptUrl, uniqueScriptUrls } from './script-urls.ts';

/** Limit of characters of a page (about 2 MB). The rest is ignored. */
export const maxPageChars = 2_000_000;
const maxInlineChars = 1_000_000;
const maxUrls = 1500;
const maxUrlChars = 1024;

/** The parts of a page that rules match, extracted once. */
export interface PageEvidence {
  url: URL | undefined;
  status: number;
  requestedHost: string | undefined;
  html: string;
  document: PageDocument;
  scripts: ScriptUrl[];
  /** URLs of style sheets, frames and form targets. */
  assets: string[];
  /** URLs of images. */
  images: string[];
  /** Targets of links within the site. Links to other sites are no evidence. */
  anchors: string[];
  /** Text of inline scripts, joined by newlines. */
  inline: string;
  metas: Map<string, string[]>;
  headers: Map<string, string[]>;
  /** Cookie names and values. */
  cookies: Map<string, string>;
  jsonLd: JsonLdNode[];
  resources: Resource[];
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (list.length < 50) list.push(value);
}

function readHeaders(headers: PageInput['headers'] | undefined): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    for (const text of Array.isArray(value) ? value : [value])
      add(map, name.toLowerCase(), String(text).slice(0, 4096));
  }
  return map;
}

function readCookies(lines: readonly string[]): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const line of lines.slice(0, 100)) {
    const pair = String(line).slice(0, 4096).split(';', 1)[0] ?? '';
    const at = pair.indexOf('=');
    if (at > 0) cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
  return cookies;
}

function readMetas(document: PageDocument): Map<string, string[]> {
  const metas = new Map<string, string[]>();
  for (const { attribs } of document.byTag('meta').slice(0, 500)) {
    const key = attribs.name ?? attribs.property ?? attribs['http-equiv'] ?? attribs.itemprop;
    if (key && attribs.content !== undefined) add(metas, key.toLowerCase(), attribs.content.slice(0, 2048));
  }
  return metas;
}

const isCode = ({ attribs }: Element): boolean =>
  !attribs.type ||
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|module|text\/rocketscript|text\/plain)/i.test(attribs.type);

// Consent tools and optimizers keep the real URL in another attribute until they allow the script to load.
const sourceOf = ({ attribs }: Element): string =>
  attribs.src ||
  attribs['data-src'] ||
  attribs['data-rocket-src'] ||
  attribs['data-lazy-src'] ||
  attribs['data-cookieconsent-src'] ||
  '';

function urlsOf(values: (string | undefined)[]): string[] {
  const urls: string[] = [];
  for (const url of values) {
    if (url && urls.length < maxUrls && !url.startsWith('data:')) urls.push(url.slice(0, maxUrlChars));
  }
  return urls;
}

function readAssets(document: PageDocument): string[] {
  const sheets = document
    .byTag('link')
    .filter(({ attribs }) => !/preconnect|dns-prefetch|canonical|alternate/i.test(attribs.rel ?? ''));
  return urlsOf([
    ...sheets.map(({ attribs }) => attribs.href),
    ...document.byTag('form').map(({ attribs }) => attribs.action),
    ...document.byTag('iframe').map(({ attribs }) => attribs.src),
  ]);
}

const readImages = (document: PageDocument): string[] =>
  urlsOf([
    ...document.byTag('img').map(({ attribs }) => attribs['data-src'] ?? attribs.src),
    ...document.byTag('source').map(({ attribs }) => attribs.srcset),
  ]);

/** The host of the page; of a saved page without a URL, the host of its canonical link. */
function ownHost(url: URL | undefined, document: PageDocument): string {
  if (url) return url.hostname;
  const canonical = document.byTag('link').find(({ attribs }) => attribs.rel === 'canonical')?.attribs.href ?? '';
  return URL.canParse(canonical) ? new URL(canonical).hostname : '';
}

const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;

function readAnchors(document: PageDocument, host: string): string[] {
  const site = siteOf(host);
  const known = new Map<string, boolean>();
  const isOwn = (href: string): boolean => {
    const other = /^(?:https?:)?\/\/([^/?#:@]{1,253})/i.exec(href)?.[1]?.toLowerCase();
    if (other === undefined) return true;
    let own = known.get(other);
    own ??= other === host || siteOf(other) === site;
    known.set(other, own);
    return own;
  };
  return urlsOf(document.byTag('a').map(({ attribs }) => attribs.href)).filter(isOwn);
}

/** Extracts the evidence of `page`. Never throws on page text. */
export function readEvidence(page: PageInput): PageEvidence {
  const html = page.html.slice(0, maxPageChars);
  const document = parseDocument(html);
  const scripts = document.byTag('script').slice(0, 1000);
  const inline = scripts
    .filter((script) => !script.attribs.src && isCode(script))
    .map(scriptText)
    .join('\n')
    .slice(0, maxInlineChars);
  const hints = document
    .byTag('link')
    .filter(({ attribs }) => /preconnect|dns-prefetch|preload|modulepreload/i.test(attribs.rel ?? ''));
  const headers = readHeaders(page.headers);
  const url = URL.canParse(page.url) ? new URL(page.url) : undefined;
  return {
    url,
    status: page.status,
    requestedHost: page.requestedHost,
    html,
    document,
    scripts: uniqueScriptUrls(
      scripts.map(sourceOf),
      loaderUrls(inline),
      hints.map(({ attribs }) => attribs.href ?? ''),
    ),
    assets: readAssets(document),
    images: readImages(document),
    anchors: readAnchors(document, ownHost(url, document)),
    inline,
    metas: readMetas(document),
    headers,
    cookies: readCookies([...(page.cookies ?? []), ...(headers.get('set-cookie') ?? [])]),
    jsonLd: readJsonLd(scripts.filter(({ attribs }) => /ld\+json/i.test(attribs.type ?? '')).map(scriptText)),
    resources: page.resources ?? [],
  };
}
