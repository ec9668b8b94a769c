import { LiteralScanner } from '../engine/aho-corasick.ts';
import { scriptText } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { isInString } from '../page/script-text.ts';
import { knownHandles } from '../rules/tables.ts';
import { words } from '../words.ts';
import type { ItemCollector } from './item.ts';

/**
 * Finds the API host of the platform behind a separate front end. The front end's configuration in the page names the host:
 * `{"shopifyDomain":"tea.myshopify.com"}`, `{"endpoint":"https://tea.myshopify.com/api/2024-07/graphql.json"}`.
 *
 * - Only pages that an application renders are read. Links and pictures of a store elsewhere are not configuration.
 * - Handles: `api-host:HOST` for the host and its parent domains, `api-name:WORD` for each word of the member's name.
 * - Bounds: characters of the code and of each block of data; numbers of blocks, members and globals.
 */
const maxCodeChars = 400_000;
const maxBlockChars = 200_000;
const maxBlocks = 20;
const maxMembers = 400;

const roots = words('__next __nuxt ___gatsby __NEXT_DATA__ __NUXT_DATA__ root app app-root svelte q-app');
/** Globals from which applications read their settings and their first state. */
const state = /__(?:CONFIG|ENV|INITIAL|PRELOADED|APOLLO|RUNTIME|NUXT|remix)\w{0,30}\s{0,4}=/y;
const global = 'window.';
const maxGlobals = 200;

function hasState(inline: string): boolean {
  let at = inline.indexOf(`${global}__`);
  for (let tries = 0; at !== -1 && tries < maxGlobals; tries++, at = inline.indexOf(`${global}__`, at + 1)) {
    state.lastIndex = at + global.length;
    if (state.test(inline)) return true;
  }
  return false;
}

const build = /\/(?:_next|_nuxt|_astro|_app\/immutable|page-data)\//;

function isApplication({ document, scripts, inline, inlineWords }: PageEvidence): boolean {
  if (document.byId('__NEXT_DATA__').length > 0 || document.byId('__NUXT_DATA__').length > 0) return true;
  if (scripts.some(({ url }) => build.test(url))) return true;
  return (
    roots.some((id) => document.byId(id).length > 0) ||
    (inlineWords.has('window.__') && hasState(inline.slice(0, maxCodeChars)))
  );
}

const value = String.raw`((?:https?:|wss?:)?(?:\\{0,2}\/){2})?((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12})(?::\d{2,5})?((?:\\{0,2}\/[\w.@-]{0,60}){0,6})`;
/** A member of a JSON object. Code inside of a JSON string has escaped quotes and does not match, because it is a text of the page. */
const inData = new RegExp(String.raw`[{,]\s{0,40}"([a-z_$][\w$-]{1,60})"\s{0,4}:\s{0,4}"${value}["?]`, 'gi');
/** Next.js sends its data as JSON in strings. */
const inFlight = new RegExp(String.raw`[{,]\\"([a-z_$][\w$-]{1,60})\\":\\"${value}\\"`, 'gi');
const inCode = new RegExp(
  String.raw`(?<![\w$])["']?([a-z_$][\w$-]{1,60})["']?\s{0,4}[:=]\s{0,4}["'${'`'}]${value}["'${'`'}?]`,
  'gi',
);
const names =
  /domain|host|endpoint|url|uri|api|graphql|backend|store|shop|base|server|gateway|origin|client|proxy|checkout|commerce/i;
const otherNames =
  /href|src|link|image|img|logo|icon|avatar|picture|video|media|canonical|share|social|seller|vendor|author|privacy|terms|referrer/i;
/** A member with such a name has an address that the application calls. With another name, the address may be a link. */
const calledNames = /domain|endpoint|api|graphql|backend|host/i;
const apiPath =
  /^\/(?:api|graphql|rest|store-api|shop-api|admin-api|v\d|oauth|mobify|storefront|checkout|wp-json|occ|ccstore)(?:[/.]|$)|\/graphql(?:\.json)?\/?$/i;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 3);

/** A page is read only if it contains one of these texts. Most applications have none of them. */
const known = new LiteralScanner([
  'wp-json/wc/',
  ...[...knownHandles].flatMap((handle) => /^api-(?:host|name):(.+)$/.exec(handle)?.[1] ?? []),
]);

function namesKnown(text: string): boolean {
  let isKnown = false;
  known.scan(text, () => {
    isKnown = true;
  });
  return isKnown;
}

export function addApiHosts(page: PageEvidence, to: ItemCollector): void {
  if (!isApplication(page)) return;
  const { document, inline, inlineStrings, inlineWords } = page;
  // A Buy Button sells for a shop within the page of another site.
  const code = inlineWords.has('ShopifyBuy') ? '' : inline.slice(0, maxCodeChars);
  const data = document
    .byTag('script')
    .filter(({ attribs }) => /json/i.test(attribs.type ?? '') && !/ld\+json/i.test(attribs.type ?? ''))
    .slice(0, maxBlocks)
    .map((script) => scriptText(script).slice(0, maxBlockChars))
    .join('\n');
  if (namesKnown(data)) for (const found of data.matchAll(inData).take(maxMembers)) addMember(found, page, to);
  if (!namesKnown(code)) return;
  for (const found of code.matchAll(inCode).take(maxMembers))
    if (!isInString(inlineStrings, found.index)) addMember(found, page, to);
  if (code.includes('__next_f'))
    for (const found of code.matchAll(inFlight).take(maxMembers)) addMember(found, page, to);
}

function addMember(
  [, name = '', scheme, host = '', path = '']: RegExpExecArray,
  { site }: PageEvidence,
  to: ItemCollector,
) {
  const address = path.replaceAll('\\', '');
  const isApi = apiPath.test(address);
  const isHost =
    /^\/?$/.test(address) && (calledNames.test(name) || (scheme === undefined && /shopify|store/i.test(name)));
  if (!names.test(name) || otherNames.test(name) || !(isApi || isHost)) return;
  const labels = host.toLowerCase().split('.');
  if (labels.join('.') !== site)
    for (let from = 0; from < labels.length - 1; from++) to.add([`api-host:${labels.slice(from).join('.')}`], 'inline');
  if (isApi || calledNames.test(name))
    for (const word of wordsOf(name).filter((word) => !host.includes(word))) to.add([`api-name:${word}`], 'inline');
  if (/wp-json\/wc\//.test(address)) to.add(['api-name:woocommerce'], 'inline');
}
