import type { Element } from 'domhandler';
import type { PageInput, Resource } from '../types.ts';
import { words } from '../words.ts';
import { isInside, type PageDocument, parseDocument, scriptText } from './document.ts';
import { excerptOf } from './excerpt.ts';
import { type InlineWord, inlineWordsOf } from './inline-words.ts';
import { type JsonLdNode, readJsonLd } from './json-ld.ts';
import { isMirrored, mirroredHost, originalUrl, scriptUrl, withOriginalUrls } from './mirrored-copy.ts';
import { type OwnUrlTest, ownUrlTest, siteOf } from './own-urls.ts';
import { type PageRecords, readRecords } from './records.ts';
import { readScripts } from './script-text.ts';
import { loaderUrls, type ScriptUrl, settingUrls, uniqueScriptUrls } from './script-urls.ts';

/** The limit for all inline scripts of a page together. */
const maxInlineChars = 1_000_000;
const maxConfigurationChars = 50_000;
const maxUrls = 1500;
const maxUrlChars = 1024;

/** The parts of a page that rules match, extracted once. */
export interface PageEvidence {
  url: URL | undefined;
  status: number;
  requestedHost: string | undefined;
  /** The registrable domain of the page. For a saved page without a URL, that of its canonical link. May be empty. */
  site: string;
  html: string;
  /** Whether the charset of the text was guessed and the guess is unsure. */
  isTextUnsure: boolean;
  document: PageDocument;
  scripts: ScriptUrl[];
  /** Whether a URL of the page is on one of the page's own hosts. */
  isOwnUrl: OwnUrlTest;
  /** URLs of style sheets, frames and form targets. */
  assets: string[];
  /** URLs of images. */
  images: string[];
  /** Targets of links within the site. Links to other sites are not evidence. */
  anchors: string[];
  /** The text of inline scripts without their comments, joined by newlines. Scripts of templates come last. */
  inline: string;
  /** The words that `inline` contains. */
  inlineWords: ReadonlySet<InlineWord>;
  /** The offset in `inline` where the scripts of templates begin. They do not run before another script copies them. */
  templatesFrom: number;
  /** The start and end of each string literal in `inline`. */
  inlineStrings: number[];
  metas: Map<string, string[]>;
  headers: Map<string, string[]>;
  /** The values of cookies by name. */
  cookies: Map<string, string>;
  jsonLd: JsonLdNode[];
  resources: Resource[];
  records: PageRecords;
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

/** Whether the element is in a text of the page, such as a description that was pasted from another document. */
const isInText = (element: Element): boolean =>
  isInside(element, ({ name }) => name === 'div' || name === 'td' || name === 'section');

function readMetas(document: PageDocument): Map<string, string[]> {
  const metas = new Map<string, string[]>();
  for (const meta of document.byTag('meta').slice(0, 500)) {
    const { attribs } = meta;
    const key = (attribs.name ?? attribs.property ?? attribs['http-equiv'] ?? attribs.itemprop)?.toLowerCase();
    if (!key || attribs.content === undefined || (key === 'generator' && isInText(meta))) continue;
    add(metas, key, attribs.content.slice(0, 2048));
  }
  return metas;
}

/**
 * Types of scripts that run at once, or later by a tool that delays all scripts of a page (Rocket Loader of Cloudflare, WP Rocket,
 * LiteSpeed Cache, Perfmatters, Flying Scripts).
 */
const runningType =
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script(?:1\.\d)?|module|text\/rocketscript|text\/partytown|litespeed\/javascript|flying-?press\/\w+|[\da-f]{16,40}-(?:text\/javascript|module)|)$/i;
/** Other tools of this kind use their own words: `lazyloadscript`, `text/delayscript`, `rocketlazyloadscript`, `pmdelayedscript`. */
const delayedType =
  /^(?:(?:text|application|javascript|script)\/)?(?:[a-z]{1,12}[-_]?)?(?:lazy|delay|defer|later|idle)[a-z]{0,8}[-_]?(?:java)?(?:load|script|js)?(?:[-_/]?(?:load|script|js|javascript))?$/i;
/** Consent tools give their scripts a type that no browser runs until the visitor agrees. */
const gatedType =
  /^(?:text\/(?:plain|blocked|consent|gdpr)|application\/(?:blocked|consent)|javascript\/blocked|didomi\/javascript|(?:text|application)\/[a-z]{0,12}-?(?:blocked|consent)(?:-?(?:java)?script)?)$/i;

/** Whether the element is the content of a template. A browser attaches a template with a shadow root to the page. */
export const isInTemplate = (element: Element): boolean =>
  isInside(element, ({ name, attribs }) => name === 'template' && attribs.shadowrootmode === undefined);

const typeOf = ({ attribs: { type = '' } }: Element): string =>
  (type.includes(';') ? type.slice(0, type.indexOf(';')) : type).trim();
const isCode = (script: Element): boolean => {
  const type = typeOf(script);
  return runningType.test(type) || delayedType.test(type);
};
/** Whether a script waits until the visitor agrees. */
export const isGated = (script: Element): boolean => gatedType.test(typeOf(script));

/** Browsers that run modules do not load such a script: https://html.spec.whatwg.org/multipage/scripting.html#attr-script-nomodule */
const isForOldBrowsers = ({ attribs }: Element): boolean => attribs.nomodule !== undefined;

/** Optimizers keep the URL in another attribute until the visitor uses the page. */
const delayedSources = words('src data-rocket-src data-lazy-src data-src data-pmdelayedscript data-wpmeteor-src');
/** Consent tools keep the URL in another attribute until the visitor agrees. */
const gatedSources = words(`
  data-cookieconsent-src data-cookieblock-src data-cmp-src data-cli-src data-blocked-src data-consent-src
  data-iub-src suppressedsrc data-suppressedsrc
`);
/** Further tools append `-src` to an attribute prefix of their own: `data-litespeed-src`, `data-cmplz-src`. */
const ownSource = /^data-(?:[a-z]{1,20}-){1,4}src$/;
const isAddress = /^(?:(?:https?:)?\/\/|\/)[^\s"'<>]{3,}$/i;

const ownSourceOf = ({ attribs }: Element): string => {
  for (const name in attribs)
    if (name.endsWith('-src') && ownSource.test(name) && isAddress.test(attribs[name] ?? ''))
      return attribs[name] ?? '';
  return '';
};

/** Attributes that may have the address of a script or a style sheet. */
export const addressAttributes: readonly string[] = [...delayedSources, ...gatedSources, 'href', 'data-href'];

const firstOf = ({ attribs }: Element, names: readonly string[]): string => {
  for (const name of names) if (attribs[name]) return attribs[name];
  return '';
};

function elementUrls(
  scripts: readonly Element[],
  ofTemplates: ReadonlySet<Element>,
): { loaded: string[]; gated: string[] } {
  const urls = { loaded: [] as string[], gated: [] as string[] };
  for (const script of scripts) {
    const kept = firstOf(script, gatedSources);
    const plain = firstOf(script, delayedSources) || (kept ? '' : ownSourceOf(script));
    const waits = isGated(script) || (isCode(script) && (ofTemplates.has(script) || isForOldBrowsers(script)));
    if (waits || !plain) urls.gated.push(plain || kept);
    else if (isCode(script)) urls.loaded.push(plain);
  }
  return urls;
}

function urlsOf(values: (string | undefined)[]): string[] {
  const urls: string[] = [];
  for (const url of values) {
    if (url && urls.length < maxUrls && !url.startsWith('data:')) urls.push(url.slice(0, maxUrlChars));
  }
  return urls;
}

const hintRel = /(?:^|\s)(?:preconnect|dns-prefetch|prefetch|preload|modulepreload|prerender)(?:\s|$)/i;
/** A hint that opens a connection names no file. Themes announce hosts that nothing uses. */
const connectionRel = /(?:^|\s)(?:preconnect|dns-prefetch)(?:\s|$)/i;
/** Links that name another document. The page does not load it. */
const documentRel =
  /(?:^|\s)(?:canonical|alternate|shortlink|amphtml|author|license|next|prev|search|me|profile|publisher|pingback|edituri|wlwmanifest)(?:\s|$)/i;

/** Whether a link only announces a resource. A preloaded style sheet that is applied after its arrival counts as loaded. */
export const isHint = ({ name, attribs }: Element): boolean =>
  name === 'link' && hintRel.test(attribs.rel ?? '') && !/rel\s*=/.test(attribs.onload ?? '');

/** Whether a link loads something. */
export const isLoadingLink = (element: Element): boolean =>
  !isHint(element) && !documentRel.test(element.attribs.rel ?? '');

const maxStyleUrls = 40;

/** Returns a style sheet without its comments. */
function withoutComments(text: string): string {
  let code = '';
  let from = 0;
  for (let at = text.indexOf('/*'); at !== -1; at = text.indexOf('/*', from)) {
    code += text.slice(from, at);
    const end = text.indexOf('*/', at + 2);
    if (end === -1) return code;
    from = end + 2;
  }
  return code + text.slice(from);
}

/** Returns the URLs that `urlAt` finds at each `word` in the style elements of the page. Comments are left out. */
function styleUrls(
  document: PageDocument,
  word: string,
  urlAt: (text: string, at: number) => string | undefined,
): string[] {
  const urls: string[] = [];
  for (const style of document.byTag('style')) {
    const text = scriptText(style);
    if (!text.includes(word)) continue;
    const code = withoutComments(text);
    for (let at = code.indexOf(word); at !== -1; at = code.indexOf(word, at + word.length)) {
      if (urls.length >= maxStyleUrls) return urls;
      const url = urlAt(code, at);
      if (url) urls.push(url);
    }
  }
  return urls;
}

const styleImport = /@import\s{1,4}(?:url\(\s{0,4})?["']?([^"')\s;]{4,1000})/iy;

/** Returns style sheets that the style elements of the page import. */
const styleImports = (document: PageDocument): string[] =>
  styleUrls(document, '@import', (text, at) => {
    styleImport.lastIndex = at;
    return styleImport.exec(text)?.[1];
  });

const maxFaceChars = 1000;
const fontUrl = /url\(\s{0,4}["']?((?:https?:)?\/\/[^"')\s]{4,300})/;

/** Returns font files on other hosts that the style elements of the page name. */
const styleFonts = (document: PageDocument): string[] =>
  styleUrls(document, '@font-face', (text, at) => {
    const face = text.slice(at, at + maxFaceChars);
    return fontUrl.exec(face.slice(0, face.indexOf('}') + 1))?.[1];
  });

/** Optimizers keep the address of a frame in another attribute. The frame has an empty page until it is in view. */
const frameUrl = ({ attribs }: Element): string | undefined =>
  (attribs.src === 'about:blank' ? '' : attribs.src) || attribs['data-src'] || attribs['data-lazy-src'];

function readAssets(document: PageDocument): string[] {
  return urlsOf([
    ...document
      .byTag('link')
      .filter(isLoadingLink)
      .map(({ attribs }) => attribs.href || attribs['data-href']),
    ...document.byTag('form').map(({ attribs }) => attribs.action),
    ...document.byTag('iframe').map(frameUrl),
    ...styleImports(document),
    ...styleFonts(document),
  ]);
}

const styleSheets = (document: PageDocument): string[] =>
  urlsOf(
    document
      .byTag('link')
      .filter(({ attribs }) => /\bstylesheet\b/i.test(attribs.rel ?? ''))
      .map(({ attribs }) => attribs.href || attribs['data-href']),
  );

const readImages = (document: PageDocument): string[] =>
  urlsOf([
    ...document.byTag('img').map(({ attribs }) => attribs['data-src'] ?? attribs.src),
    ...document.byTag('source').map(({ attribs }) => attribs.srcset),
  ]);

/** The host of the page. For a saved page without a URL, the host that it is a copy of, or that of its canonical link. */
function ownHost(url: URL | undefined, document: PageDocument): string {
  return url?.hostname ?? mirroredHost(document.comments) ?? canonicalHost(document);
}

const canonicalHost = ({ canonical = '' }: PageDocument): string => URL.parse(canonical)?.hostname ?? '';

function readAnchors(
  document: PageDocument,
  { host, site }: { host: string; site: string },
  resolve: (url: string) => string,
): string[] {
  const known = new Map<string, boolean>();
  const isOwn = (href: string): boolean => {
    const other = /^(?:https?:)?\/\/([^/?#:@]{1,253})/i.exec(href)?.[1]?.toLowerCase();
    if (other === undefined) return true;
    let own = known.get(other);
    own ??= other === host || siteOf(other) === site;
    known.set(other, own);
    return own;
  };
  return urlsOf(document.byTag('a').map(({ attribs }) => attribs.href))
    .map(resolve)
    .filter(isOwn);
}

/** A copy of a page keeps the query in the name of the file, and links to it with an escape: `a.min.js%3Fver=2.70`. */
const withQuery = (url: string): string => url.replace(/\.(js|css)%(?:3F|EF%B9%96)(?=\w{1,10}=)/i, '.$1?');

/** Returns the text of the blocks of settings that scripts of the page read. */
const configurations = (scripts: readonly Element[]): string[] =>
  scripts
    .filter((script) => /^(?:application\/json|text\/x-magento-init|importmap)$/i.test(typeOf(script)))
    .slice(0, 100)
    .map((script) => scriptText(script).slice(0, maxConfigurationChars));

/** Returns the maximum length for each script, so that all scripts fit into the limit and the small ones stay whole. */
function shareOfEach(lengths: readonly number[]): number {
  let left = maxInlineChars;
  let scripts = lengths.length;
  for (const length of lengths.toSorted((one, other) => one - other)) {
    const share = Math.floor(left / scripts);
    if (length > share) return share;
    left -= length;
    scripts--;
  }
  return maxInlineChars;
}

/** Extracts the evidence of `page`. Never throws on page text. */
export function readEvidence(page: PageInput): PageEvidence {
  const html = excerptOf(page.html);
  const document = parseDocument(html);
  const scripts = document.byTag('script').slice(0, 1000);
  const ofTemplates = new Set(document.byTag('template').length > 0 ? scripts.filter(isInTemplate) : []);
  const inlineTexts: string[] = [];
  const templateTexts: string[] = [];
  const gatedTexts: string[] = [];
  const inlineScripts = scripts.filter((script) => !script.attribs.src && (isCode(script) || isGated(script)));
  const wholeTexts = inlineScripts.map(scriptText);
  const share = shareOfEach(wholeTexts.map(({ length }) => length));
  for (const [at, script] of inlineScripts.entries()) {
    const running = ofTemplates.has(script) ? templateTexts : inlineTexts;
    (isCode(script) ? running : gatedTexts).push((wholeTexts[at] ?? '').slice(0, share));
  }
  const running = readScripts(inlineTexts);
  const waiting = readScripts(templateTexts);
  const inline = running.code + waiting.code;
  const templatesFrom = running.code.length;
  const { loaded, gated } = elementUrls(scripts, ofTemplates);
  const mirrored = isMirrored(document.comments);
  const resolve = mirrored ? originalUrl : (path: string) => path;
  const hints = document.byTag('link').filter((link) => isHint(link) && !connectionRel.test(link.attribs.rel ?? ''));
  const headers = readHeaders(page.headers);
  const url = URL.canParse(page.url) ? new URL(page.url) : undefined;
  const host = ownHost(url, document);
  const site = siteOf(host);
  const assets = readAssets(document).map((path) => withQuery(resolve(path)));
  // A copy of a page may have a URL on another host than the page.
  const others = [mirrored ? (mirroredHost(document.comments) ?? '') : '', canonicalHost(document)];
  const isOwnUrl = ownUrlTest({
    sites: [site, ...others.filter((other) => other !== host).map(siteOf)],
    scripts: loaded,
    sheets: styleSheets(document),
    links: () => urlsOf(document.byTag('a').map(({ attribs }) => attribs.href)),
  });
  return {
    url,
    status: page.status,
    requestedHost: page.requestedHost,
    site,
    html,
    isTextUnsure: page.isTextUnsure ?? false,
    document,
    scripts: uniqueScriptUrls({
      element: loaded.map((path) => withQuery(mirrored ? scriptUrl(originalUrl(path)) : path)),
      loader: loaderUrls(mirrored ? withOriginalUrls(running.code) : running.code),
      gated: [
        ...gated,
        ...[readScripts(gatedTexts), waiting].flatMap(({ code }) => loaderUrls(code)),
        ...settingUrls(configurations(scripts)),
      ],
      hint: hints.map(({ attribs }) => attribs.href ?? ''),
    }),
    isOwnUrl,
    assets,
    images: readImages(document).map(resolve),
    anchors: readAnchors(document, { host, site }, resolve),
    inline,
    inlineWords: inlineWordsOf(inline),
    inlineStrings: [...running.strings, ...waiting.strings.map((offset) => templatesFrom + offset)],
    templatesFrom,
    metas: readMetas(document),
    headers,
    cookies: readCookies([...(page.cookies ?? []), ...(headers.get('set-cookie') ?? [])]),
    jsonLd: readJsonLd(scripts.filter(({ attribs }) => /ld\+json/i.test(attribs.type ?? '')).map(scriptText)),
    resources: page.resources ?? [],
    records: readRecords(page),
  };
}
