import { switchedOff } from './script-text.ts';

/**
 * A script of the page:
 * - `element`: loaded by an element
 * - `loader`: loaded by an inline script
 * - `gated`: waits for the consent of the visitor, or is only named in a block of settings
 * - `hint`: only announced by a resource hint
 */
export interface ScriptUrl {
  url: string;
  source: 'element' | 'loader' | 'gated' | 'hint';
}

const maxUrls = 400;
const maxUrlChars = 1024;
const maxInlineChars = 1_000_000;

// A host without a path counts only as an argument or as the start of a URL, because lists of permitted hosts load nothing. The second
// group is the start of an address that the script completes: `"https:" + "//a.example/b.js"`, `["https://", "a.example"]`. All repetitions
// are bounded, and every match starts at a quote. The time is therefore linear for any text.
const quotedUrl =
  /["'`](?:((?:https?:)?\/\/[a-z0-9.-]{3,120}\.[a-z]{2,20}(?::\d{1,5})?(?:\/[^\s"'`<>\\]{0,900}|(?=["'`]\s{0,4}[)+])))|((?:https?:?)?(?:\/\/[a-z0-9.-]{0,120})?)(?=["'`]\s{0,8}[+,]))/gi;
/** A joined address that is complete. An address without a path is continued by the script, or is an argument. */
const wholeUrl = /^(?:https?:)?\/\/[a-z0-9.-]{3,120}\.[a-z]{2,20}(?::\d{1,5})?(?:(?=$)|\/[^\s"'`<>\\]{0,900})/i;
/** The next part of an address, after the quote that ends the previous part: ` + "…"` or `, "…"`. A number counts as text, too. */
const nextPart =
  /\s{0,8}([+,])\s{0,8}(?:"([^"\\\n]{0,400})"|'([^'\\\n]{0,400})'|`([^`\\$\n]{0,400})`|(\d{1,20})(?=\s{0,8}\+))/y;
const joinedWithNothing = /\s{0,8},?\s{0,8}\]\s{0,4}\.\s{0,4}join\(\s{0,4}(?:""|''|``)\s{0,4}\)/y;
const maxParts = 20;
const maxJoins = 400;
/** A host after a `+`. The script chooses the scheme before it: `(isSecure ? "https://" : "http://") + "a.example/b.js"`. */
const continuedUrl = /\+\s{0,8}["'](?:s?:?\/\/)?(\.?(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10}\/[^\s"'`<>\\]{1,400})/gi;
/** Shopify appends the shop to the addresses of apps' scripts. These addresses may look like pages: `/inject.jsx?shop=a.myshopify.com`. */
const namesShop = /[?&]shop=[\w-]{1,60}\.myshopify\.com/i;
const looksLoaded = /\.jsp?\b|\/js\b|script|sdk|widget|loader|pixel|\/tag|gtm|embed|snippet|bundle|\/chat/i;
/** The start of an assignment of an address. The target is the variable of an element, or the new element itself. */
const toElement = /(?:([\w$.]{1,80})|createElement\(["']script["']\))\.src\s{0,3}=\s{0,3}$/;
const assignment = /([\w$.]{1,80})\s{0,4}=(?![=>])\s{0,4}/g;
/** The creation of an element: `document.createElement("script")`, `z.s=d.createElement(s)`. */
const creation =
  /^(?:[\w$.]{1,40}\s{0,4}=\s{0,4}){0,2}(?:[\w$]{1,40}\.){0,3}createElement\(\s{0,4}(["']?)([\w$]{1,40})\1\s{0,4}\)/;
const maxChecks = 50;
const maxSnippetChars = 3000;
/** Compiled galleries can show a video. They build its address with this call: `"https://…/embed/".concat(id, "?")`. */
const isFrameOfGallery = (text: string, url: string, end: number): boolean =>
  url.endsWith('/embed/') && text.startsWith('.concat(', end + 1);
const isOtherFile = /\.(?:css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|json|xml)(?:[?#]|$)/i;

/** Loaders that write markup escape it, so that the parser of the page does not read it as markup. */
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

const starts = ['%3c', '%3C', '%2f%2f', '%2F%2F', '%2F%2f', '%2f%2F', '\\x', '\\X', '\\u00', '\\U00'];

function decoded(text: string): string {
  const plain = text.replaceAll('\\/', '/');
  // Searching for each spelling is faster than one expression for all.
  if (!starts.some((start) => plain.includes(start))) return plain;
  return plain.replace(escaped, (written, code: string) => escapes[code.toLowerCase()] ?? written);
}

/** Whether the settings object around offset `at` switches itself off before that offset: `{enabled: false, src: "…"}`. */
function isInOffSettings(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const own = before.slice(Math.max(before.lastIndexOf('{'), before.lastIndexOf('}')) + 1);
  return switchedOff.test(own);
}

const isAssigned = (text: string, at: number): boolean =>
  /\.src\s{0,3}=\s{0,3}$/.test(text.slice(Math.max(0, at - 12), at));

/** Whether the function around `before` gets the tag of a script as its parameter `name`: `(function(d,s){…})(document,"script")`. */
function isTagOfScript(name: string, before: string, after: string): boolean {
  const parameters = [...before.matchAll(/\bfunction\s{0,4}[\w$]{0,40}\(([\w$,\s]{0,120})\)/g)]
    .map(([, list = '']) => list.split(',').map((one) => one.trim()))
    .findLast((list) => list.includes(name));
  const at = parameters?.indexOf(name) ?? -1;
  if (at === -1) return false;
  return [...after.matchAll(/\}\s{0,4}\)?\s{0,4}\(([^(){}]{1,300})\)/g)].some(([, list = '']) =>
    /^\s*["']script["']\s*$/.test(list.split(',')[at] ?? ''),
  );
}

/** Whether offset `at` is the address of an element that the code has created as a script: `s.src = "https://v2.zopim.com/?1"`. */
function isScriptElement(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - maxSnippetChars), at);
  const target = toElement.exec(before.slice(-100));
  if (!target) return false;
  const name = target[1];
  if (name === undefined) return true;
  const last = [...before.matchAll(assignment)].findLast(([, variable]) => variable === name);
  const tag = last && creation.exec(before.slice(last.index + last[0].length, last.index + last[0].length + 300));
  if (!tag) return false;
  if (tag[1]) return tag[2] === 'script';
  return isTagOfScript(tag[2] as string, before, text.slice(at, at + maxSnippetChars));
}

/** The start of a script element in a text: `"<script src='https://…`. */
const markupBefore = /<script\b[^<>]{0,200}\bsrc\s{0,3}=\s{0,3}\\{0,3}$/i;
/** Calls and properties that make elements of a text. */
const writer =
  /\.write(?:ln)?\(|(?:inner|outer|adjacent)HTML|__html|createContextualFragment|parseFromString|srcdoc|\.(?:html|append|prepend|before|after|appendTo|prependTo|insertBefore|insertAfter|replaceWith)\(/i;
const maxWriterChars = 2000;

const isInMarkup = (text: string, at: number): boolean => markupBefore.test(text.slice(Math.max(0, at - 260), at));

/** Whether code near offset `at` makes elements of a text. Without such code, the text may be an article about a script. */
const isWritten = (text: string, at: number): boolean =>
  writer.test(text.slice(Math.max(0, at - maxWriterChars), at + maxWriterChars));

/** Themes print URLs of scripts that a map or a video may need later. */
const namedForLater = /["']\w{2,40}Script["']\s{0,4}:\s{0,4}$/;
/** Consent managers list the scripts that they keep from running: `blockedScripts: ["https://…"]`, `blackList: {"1": […]}`. */
const blockedName =
  /(?<!un|not?|non)(?:blocked\w{0,30}|block_?list\w{0,20}|(?:black|deny)_?list\w{0,20})["']?\s{0,4}[:=]\s{0,4}(?:new Set\(\s{0,4})?$/i;
/** Consent managers also list the addresses of each service: `services: {klaviyo: {urls: […]}}`. */
const servicesName = /\b(?:services|vendors)["']?\s{0,4}[:=]\s{0,4}$/i;
const addressesName = /\b(?:urls|hosts|domains|patterns)["']?\s{0,4}:\s{0,4}$/i;
/** Any of these names. Most pages have none of them. */
const anyListName = /blocked|block_?list|black_?list|deny_?list|services|vendors/i;
const pathsOfRequireJs = /\bpaths["']?\s{0,4}:\s{0,4}$/;
const maxOpenBrackets = 40;
const maxListChars = 20_000;

type List = 'blocked' | 'services' | 'addresses' | 'other';

/** An open bracket of the text. */
interface Bracket {
  at: number;
  isList: boolean;
  list: List | undefined;
}

/** The lists and settings objects around an offset. Offsets must ascend, so that the time is linear. */
class OpenBrackets {
  private readonly text: string;
  private readonly open: Bracket[] = [];
  private read: number;

  /** No bracket before offset `from` is read. */
  constructor(text: string, from: number) {
    this.text = text;
    this.read = from;
  }

  moveTo(at: number): void {
    if (at <= this.read) return;
    for (let i = this.read; i < at; i++) {
      const code = this.text.charCodeAt(i);
      // `[` and `{`, `]` and `}`
      if (code === 91 || code === 123) this.push({ at: i, isList: code === 91, list: undefined });
      else if (code === 93 || code === 125) this.close(code === 93);
    }
    this.read = at;
  }

  /** Whether one of the brackets belongs to a list of scripts that do not run. */
  nameBlocked(): boolean {
    const near = this.open.filter(({ at }) => this.read - at <= maxListChars);
    const lists = near.map((bracket) => this.listOf(bracket));
    return lists.includes('blocked') || (lists.at(-1) === 'addresses' && lists.includes('services'));
  }

  /** If too many brackets are open, the outermost one is forgotten. */
  private push(bracket: Bracket): void {
    if (this.open.length >= maxOpenBrackets) this.open.shift();
    this.open.push(bracket);
  }

  /** A bracket in a string may have no counterpart. The nearest open bracket of the same kind is therefore closed. */
  private close(isList: boolean): void {
    const last = this.open.findLastIndex((bracket) => bracket.isList === isList);
    if (last !== -1) this.open.length = last;
  }

  private listOf(bracket: Bracket): List {
    bracket.list ??= this.readList(bracket.at);
    return bracket.list;
  }

  private readList(at: number): List {
    const before = this.text.slice(Math.max(0, at - 80), at);
    if (blockedName.test(before)) return 'blocked';
    if (servicesName.test(before)) return 'services';
    return addressesName.test(before) ? 'addresses' : 'other';
  }
}

/** Finds URLs that code only names. RequireJS loads a path only when code asks for it. Offsets must ascend, so that the time is linear. */
class LaterUrls {
  private readonly text: string;
  private read = 0;
  private open = -1;
  private close = -1;
  private brackets: OpenBrackets | undefined;
  private isRead = false;

  constructor(text: string) {
    this.text = text;
  }

  has(at: number): boolean {
    const { text, read } = this;
    const part = text.slice(read, at);
    if (part.includes('{')) this.open = read + part.lastIndexOf('{');
    if (part.includes('}')) this.close = read + part.lastIndexOf('}');
    this.read = at;
    if (namedForLater.test(text.slice(Math.max(0, at - 60), at))) return true;
    if (this.isBlocked(at)) return true;
    return this.open > this.close && pathsOfRequireJs.test(text.slice(Math.max(0, this.open - 30), this.open));
  }

  /** At the first address, this looks for names of lists. Only brackets after such a name are read. Many texts have no address. */
  private isBlocked(at: number): boolean {
    const from = this.isRead ? -1 : this.text.search(anyListName);
    if (from !== -1) this.brackets = new OpenBrackets(this.text, from);
    this.isRead = true;
    this.brackets?.moveTo(at);
    return this.brackets?.nameBlocked() ?? false;
  }
}

/** An address in the code. `at` is the start of its expression. `end` is the end of the text of its last part. */
interface CodeUrl {
  url: string;
  at: number;
  end: number;
}

/**
 * Joins the strings of an expression. The first string begins at offset `at` and ends at `end`: `"//a." + "example/b.js"`, and
 * `["//a.", "example/b.js"].join("")`. At most {@link maxParts} strings and {@link maxUrlChars} characters are read.
 */
function joinedUrl(text: string, at: number, end: number): CodeUrl | undefined {
  const isList = text[at - 1] === '[';
  let url = text.slice(at + 1, end);
  let to = end + 1;
  for (let parts = 1; parts < maxParts && url.length < maxUrlChars; parts++) {
    nextPart.lastIndex = to;
    const [part, sign, ...strings] = nextPart.exec(text) ?? [];
    if (part === undefined || (sign === ',') !== isList) break;
    url += strings.find((string) => string !== undefined) ?? '';
    to += part.length;
  }
  joinedWithNothing.lastIndex = to;
  if (to === end + 1 || (isList && !joinedWithNothing.test(text))) return undefined;
  const whole = wholeUrl.exec(url)?.[0];
  return whole === undefined ? undefined : { url: whole, at: isList ? at - 1 : at, end: to - 1 };
}

/** Yields the addresses in quotes, in their order. */
function* codeUrls(text: string): Generator<CodeUrl> {
  let read = 0;
  let joins = 0;
  for (const { 0: match, 1: url, index } of text.matchAll(quotedUrl)) {
    if (index < read) continue;
    const end = index + match.length;
    const isContinued = match.length > 1 && /["'`]/.test(text[end] ?? '') && ++joins <= maxJoins;
    const joined = isContinued ? joinedUrl(text, index, end) : undefined;
    if (joined) read = joined.end;
    if (joined) yield joined;
    else if (url) yield { url, at: index, end };
  }
}

/** The place of Shopify's list of apps' scripts. Outside of it, an address with the shop may be a link or a call. */
function appList(text: string): { from: number; to: number } {
  const from = text.indexOf('function asyncLoad()');
  return { from: from === -1 ? text.length : from, to: from === -1 ? 0 : text.indexOf(']', from) };
}

/** HeadJS loads a list of files. JTL-Shop 4 renames it: `jtl.load(["templates/Evo/js/slick.js?v=1"])`. Source: http://headjs.com/ */
const listedFiles = /\b(?:jtl|head)\.load\(\s{0,20}\[([^[\]]{1,8000})\]/g;
const listedFile = /["']([\w./:-]{3,300}\.js)\b/g;

/**
 * Returns URLs of scripts inside of inline scripts. Escapes are decoded first: Shopify lists the scripts of installed apps in `asyncLoad`
 * as JSON with `\/`, and other loaders escape the markup that they write.
 */
export function loaderUrls(inline: string): string[] {
  const text = decoded(inline.slice(0, maxInlineChars));
  const found: string[] = [];
  const later = new LaterUrls(text);
  const apps = appList(text);
  const isOfApp = (url: string, at: number): boolean => at > apps.from && at < apps.to && namesShop.test(url);
  const spans: CodeUrl[] = [];
  let checks = 0;
  let markupChecks = 0;
  for (const code of codeUrls(text)) {
    const { url, at, end } = code;
    if (found.length >= maxUrls) break;
    if (isOtherFile.test(url) || isFrameOfGallery(text, url, end)) continue;
    const isNamed = looksLoaded.test(url) || isOfApp(url, at);
    if (!isNamed && (!isAssigned(text, at) || ++checks > maxChecks || !isScriptElement(text, at))) continue;
    if (isInOffSettings(text, at) || later.has(at)) continue;
    if (isInMarkup(text, at) && ++markupChecks <= maxChecks && !isWritten(text, at)) continue;
    found.push(url.slice(0, maxUrlChars));
    spans.push(code);
  }
  let span = 0;
  for (const { 1: url, index } of text.matchAll(continuedUrl)) {
    if (found.length >= maxUrls) break;
    while (spans[span] && (spans[span] as CodeUrl).end < index) span++;
    const isFound = (spans[span]?.at ?? text.length) < index;
    if (url && !isFound && looksLoaded.test(url) && !isOtherFile.test(url))
      found.push(`//${url.startsWith('.') ? 'www' : ''}${url}`);
  }
  if (text.includes('.load([')) {
    const files = [...text.matchAll(listedFiles)].flatMap(([, list = '']) => [...list.matchAll(listedFile)]);
    for (const [, url = ''] of files) if (found.length < maxUrls) found.push(url);
  }
  return found;
}

/** Returns URLs of scripts in blocks of settings. */
export function settingUrls(blocks: readonly string[]): string[] {
  return loaderUrls(blocks.join('\n')).filter((url) => /\.js\b/.test(url));
}

/** `https://cdn.shopify.com/proxy/<hash>/host.example/a.js?sp-cache-control=…` */
const shopifyProxy = /^(?:https?:)?\/\/cdn\.shopify\.com\/proxy\/[0-9a-f]{32,80}\/(\S{4,600})$/;

/** Removes duplicates. The first source of a URL counts. A script behind the proxy of Shopify is also returned with its own address. */
export function uniqueScriptUrls(sources: Readonly<Record<ScriptUrl['source'], readonly string[]>>): ScriptUrl[] {
  const seen = new Map<string, ScriptUrl>();
  for (const source of ['element', 'loader', 'gated', 'hint'] as const) {
    for (const raw of sources[source]) {
      const url = raw.trim().slice(0, maxUrlChars);
      const proxied = shopifyProxy.exec(url)?.[1];
      for (const one of proxied ? [url, `https://${proxied}`] : [url])
        if (one && !seen.has(one) && seen.size < maxUrls * 2) seen.set(one, { url: one, source });
    }
  }
  return [...seen.values()];
}
