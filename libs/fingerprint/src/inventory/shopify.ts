import { isObject, type Json, parsedJson } from '../json.ts';
import type { PageDocument } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { addHost } from './files.ts';
import type { ItemCollector } from './item.ts';

/**
 * Reads the apps that a Shopify page names: the list of web pixels, comments around app blocks, and the pixels of the earlier analytics
 * script. https://shopify.dev/docs/apps/build/marketing-analytics/pixels,
 * https://shopify.dev/docs/apps/build/online-store/theme-app-extensions
 */
const maxListChars = 60_000;
const maxPixels = 100;
const maxBlocks = 400;
const maxSettings = 20;
const maxSections = 1500;

/** Returns the JSON value that starts at `from`, with one pass over its brackets. Undefined if it is too long or no JSON. */
function jsonAt(text: string, from: number): unknown {
  const end = Math.min(text.length, from + maxListChars);
  let depth = 0;
  let quoted = false;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at++;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) depth++;
    else if ((code === 93 || code === 125) && --depth === 0) return parsedJson(text.slice(from, at + 1));
  }
  return undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 4000) : '');

/** Settings with identifiers of Google's tags. They may be JSON within a string: `"config":"{\\"pixel_id\\":\\"G-…`. */
const googleTagSettings = /\bgoogle_tag_ids\b|\bpixel_id\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"(?:G|GT|UA|AW)-/;

/** Adds the products of a pixel by the identifiers of Google's tags. A tag `GT-…` serves any product, and `MC-…` Merchant Center. */
function addGoogleTags(config: string, to: ItemCollector): void {
  if (/\b(?:G|UA)-[A-Z0-9]{4}/.test(config)) to.add(['shopify-pixel:google-analytics'], 'inline');
  if (/\bAW-\d{6}/.test(config)) to.add(['shopify-pixel:google-ads'], 'inline');
}

function addPixel(pixel: Json, to: ItemCollector): void {
  const client = typeof pixel.apiClientId === 'number' ? String(pixel.apiClientId) : textOf(pixel.apiClientId);
  const configuration = textOf(pixel.configuration);
  const settings = parsedJson(configuration);
  const handles = /^\d{1,20}$/.test(client) && pixel.type !== 'CUSTOM' ? [`shopify-client:${client}`] : [];
  if (isObject(settings)) {
    const kind = textOf(settings.pixel_type);
    if (kind) to.add([`shopify-pixel:${kind.slice(0, 60)}`], 'inline');
    if (googleTagSettings.test(configuration)) addGoogleTags(configuration, to);
    for (const value of Object.values(settings).slice(0, maxSettings)) addHost(textOf(value), '', 'inline', to);
    const keys = Object.keys(settings).sort().slice(0, 8).join('+').slice(0, 160);
    if (keys && handles.length > 0) handles.push(`shopify-settings:${keys}`);
  }
  // Pixels that Shopify made from the settings of earlier scripts have fixed names.
  const name = pixel.type === 'CUSTOM' ? textOf(pixel.name).slice(0, 60) : '';
  if (name.endsWith('(migrated)')) to.add([`shopify-pixel:${name}`], 'inline', false);
  if (handles.length > 0) to.add(handles, 'inline');
}

function addPixels(inline: string, to: ItemCollector): void {
  const at = /\bwebPixelsConfigList"?\s{0,4}:\s{0,4}\[/.exec(inline);
  if (!at) return;
  const list = jsonAt(inline, at.index + at[0].length - 1);
  if (!Array.isArray(list)) return;
  for (const pixel of list.slice(0, maxPixels)) if (isObject(pixel)) addPixel(pixel, to);
}

/** Reads `trekkie.load({"Facebook Pixel":{"pixelIds":["1"]}, …})`. Only a pixel with an identifier runs. */
function addTrekkie({ inline, inlineWords }: PageEvidence, to: ItemCollector): void {
  if (!inlineWords.has('trekkie')) return;
  for (const [, name = '', key = '', id = ''] of inline.matchAll(
    /"([A-Z][A-Za-z0-9 ]{3,30})":\s{0,40}\{\s{0,80}"(pixelIds|trackingId|conversionId|pixelId|tagId)":\s{0,40}(?:\[\s{0,80})?"([\w-]{4,40})"/g,
  )) {
    if (key === 'conversionId') addGoogleTags(/^\d{6,20}$/.test(id) ? `AW-${id}` : id, to);
    else if (!/^(?:AW|GT|MC|DC)-/.test(id)) to.add([`shopify-pixel:trekkie ${name}`], 'inline');
  }
}

const appBlock = /<!-- BEGIN app (?:block|snippet): shopify:\/\/apps\/([\w-]{2,80})\/(?:blocks|snippets)\//g;

/** Reads `<!-- BEGIN app block: shopify://apps/<app>/blocks/<block>/<id> -->`. */
function addBlocks(comments: string, to: ItemCollector): void {
  for (const [, app = ''] of comments.matchAll(appBlock).take(maxBlocks)) to.add([`shopify-app:${app}`], 'markup');
}

const maxNamedBlocks = 200;
const namedBlock = /shopify:(?:\\?\/){2}apps\\?\/([\w-]{2,80})\\?\/(?:blocks|snippets)\\?\//y;
const quoteBefore = /(?:["']|&quot;)$/;
const scheme = 'shopify:';

/** Settings of sections name their blocks as JSON in scripts and attributes: `"type":"shopify:\/\/apps\/<app>\/blocks\/…`. */
function addNamedBlocks({ html }: PageEvidence, to: ItemCollector): void {
  let found = 0;
  for (let at = html.indexOf(scheme); at !== -1; at = html.indexOf(scheme, at + scheme.length)) {
    namedBlock.lastIndex = at;
    const app = namedBlock.exec(html)?.[1];
    if (app === undefined || !quoteBefore.test(html.slice(Math.max(0, at - 6), at))) continue;
    to.add([`shopify-app:${app}`], 'markup');
    if (++found >= maxNamedBlocks) return;
  }
}

/**
 * Reads the element around an app block: `shopify-block-<id>__<app>_<block>_<random>`. The app's name may contain underscores. Its end is
 * not marked, so that each beginning is a handle. The first word alone begins the names of many apps. It counts only if the block has one
 * word, too. Blocks of themes have such ids without the class of an app block.
 */
function addBlockElements(document: PageDocument, to: ItemCollector): void {
  for (const { attribs } of document.byTag('div').slice(0, maxSections)) {
    if (!/\bshopify-app-block\b/.test(attribs.class ?? '')) continue;
    const words = /^shopify-block-\w{10,60}?__([a-z0-9_]{3,100})_[A-Za-z0-9]{6}(?:-\d{1,3})?$/
      .exec(attribs.id ?? '')?.[1]
      ?.split('_');
    const beginnings = words?.slice(1, 6).map((_, at) => words.slice(0, at + 1).join('-')) ?? [];
    const names = words?.length === 2 ? beginnings : beginnings.slice(1);
    if (names.length > 0)
      to.add(
        names.reverse().map((name) => `shopify-app:${name}`),
        'markup',
      );
  }
}

export function addShopify(page: PageEvidence, to: ItemCollector): void {
  const { document, inline } = page;
  addPixels(inline, to);
  addTrekkie(page, to);
  addBlocks(document.comments, to);
  addNamedBlocks(page, to);
  addBlockElements(document, to);
}
