import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RE2JS } from 're2js';
import { alternatives, planSelector } from '../src/engine/selector-literals.ts';
import { once } from '../src/once.ts';
import { slugOf } from '../src/slug.ts';
import { wordSet } from '../src/words.ts';
import { dataOf } from './data/read.ts';
import { type Review, reviews as reviewTable, selection } from './data/tables/imported.ts';

/**
 * Compiles the JSON files of the pinned `wappalyzer` package to the rule file. No code of the package runs.
 *
 * - Output: one line per technology. It has only the fields that rules match on, and slugs instead of names.
 * - Omitted: evidence that needs a browser (DNS, certificates, requests, visible text), patterns that the linear-time engine refuses, and
 *   patterns that match almost any text.
 */
/** The tables of `data/imported`. They are read on first use, after they have been validated. */
const chosen = once(() => ({ ...dataOf(selection), reviews: dataOf(reviewTable) }));

type Texts = string | string[];
interface Imported {
  cats: number[];
  website?: string;
  scriptSrc?: Texts;
  scripts?: Texts;
  html?: Texts;
  url?: Texts;
  meta?: Record<string, Texts>;
  headers?: Record<string, Texts>;
  cookies?: Record<string, Texts>;
  js?: Record<string, Texts>;
  dom?: Texts | Record<string, Record<string, unknown>>;
  implies?: Texts;
  requires?: Texts;
  requiresCategory?: number | number[];
  excludes?: Texts;
}

const list = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const readImported = once((): { technologies: Map<string, Imported>; categories: Map<number, string> } => {
  const root = dirname(createRequire(import.meta.url).resolve('wappalyzer/package.json'));
  const technologies = new Map<string, Imported>();
  const files = readdirSync(join(root, 'technologies')).filter((file) => file.endsWith('.json'));
  for (const file of files.sort()) {
    const content = JSON.parse(readFileSync(join(root, 'technologies', file), 'utf8')) as Record<string, Imported>;
    for (const [name, technology] of Object.entries(content)) technologies.set(name, technology);
  }
  const raw = JSON.parse(readFileSync(join(root, 'categories.json'), 'utf8')) as Record<string, { name: string }>;
  return { technologies, categories: new Map(Object.entries(raw).map(([id, { name }]) => [Number(id), name])) };
});

/** The members are channel, key, regex, version, weight and attribute. All are strings, so that every row has the same shape. */
type Row = [channel: string, key: string, regex: string, version: string, weight: string, attribute: string];

/** Whether the pattern has at least three literal characters in a row. Shorter patterns match almost any text. */
const isSpecificEnough = (regex: string): boolean =>
  /(?:[a-z0-9_/@-]|\\[./-]){3}/i.test(regex.replace(/\\[bBdDwWsS]/g, ' ').replace(/\[[^\]]*\]/g, ' '));

function rowOf(channel: string, key: string, tagged: string, notes: string[], attribute = ''): Row | undefined {
  const [source = '', ...tags] = String(tagged).split('\\;');
  const version = tags.find((tag) => tag.startsWith('version:'))?.slice(8) ?? '';
  const weight = tags.find((tag) => tag.startsWith('confidence:'))?.slice(11) ?? '100';
  const regex = source.replace(/\(\?![^()]*(?:\([^()]*\))?[^()]*\)/g, '');
  try {
    RE2JS.compile(regex, RE2JS.CASE_INSENSITIVE);
  } catch {
    notes.push(`left out, not linear: ${channel} ${regex}`);
    return undefined;
  }
  if (
    ['script', 'html', 'comment', 'asset', 'image', 'inline', 'init', 'url'].includes(channel) &&
    !isSpecificEnough(regex)
  ) {
    notes.push(`left out, says too little: ${channel} ${regex}`);
    return undefined;
  }
  return [channel, key, regex, version, weight, attribute];
}

/** Maps a tag (`<link … href="X"` and the like) to the channel whose addresses are searched for X. */
const addressOf: Readonly<Record<string, string>> = {
  link: 'asset',
  iframe: 'asset',
  form: 'asset',
  img: 'image',
  script: 'script',
};
const element =
  /^<(link|img|iframe|form|script)(?: |\\s\+)?(?:\[\^>\][*+]\??)?(?:\\s\+| )?(?:(?:href|src|action)=(?:\(\?:"\|'\)|\["'\]|['"]\]?\??|\[\^>\]\+)?)?(?:\[\^[^\]]{1,4}\][*+]\??)*([^"'<>]+?)(?:\["'\]|"|\[\^>\][*+]\/?>)*$/;

/** Translates a markup pattern to a pattern of an address or a comment. Otherwise it stays a pattern of the markup text. */
function markupRow(tagged: string, notes: string[]): Row | undefined {
  const [source = '', ...tags] = tagged.split('\\;');
  const written = (regex: string): string => [regex, ...tags].join('\\;');
  if (/^(?:\(\?:)?<!--/.test(source)) return rowOf('comment', '', tagged, notes);
  const [, tag = '', rest = ''] = element.exec(source) ?? [];
  const channel = addressOf[tag];
  if (!channel) return rowOf('html', '', tagged, notes);
  // The name of a library's file must match exactly.
  const anchored = /^\w[\w-]*(?:\(\?:[^()]*\)\??)*\\\.css$/.test(rest) ? `(?:^|/)${rest}` : rest;
  return rowOf(channel, '', written(anchored), notes);
}

/** The selector without links to other sites and without pictures of payment methods. */
function evidentSelector(selector: string): string {
  return alternatives(selector)
    .filter((one) => {
      const subject = one.split(/[\s>+~]+(?![^[]*\])/).at(-1) ?? '';
      const isLink =
        /^a(?=\[href|\.[\w-]+\[href|\[title)/.test(subject) ||
        /(?:^|[\s>])a\[href[^\]]*\](?:\[[^\]]*\])*\s*>\s*img$/.test(one);
      return !isLink && !/\[aria-labelledby='pi-|^img\[alt/.test(subject);
    })
    .join(', ');
}

/** Selectors with the conditions on their elements. */
type Selectors = [selector: string, condition?: Record<string, unknown>][];

const selectorsOf = ({ dom = [] }: Imported): Selectors =>
  typeof dom === 'string' || Array.isArray(dom) ? list(dom).map((selector) => [selector]) : Object.entries(dom);

function domRows(selectors: Selectors, notes: string[]): (Row | undefined)[] {
  return selectors.flatMap(([whole, condition]) => {
    const selector = evidentSelector(whole);
    if (selector === '') return [];
    if (!condition) return [rowOf('dom', selector, '', notes)];
    // Such a link is judged by its address alone.
    if (/^a(?:$|\[)/.test(selector.trim()) && 'attributes' in condition) return [];
    return Object.entries(condition).flatMap(([what, value]) => {
      if (what === 'exists')
        return [rowOf('dom', selector, '', notes) && rowOf('dom', selector, `\\;${tagsOf(value)}`, notes)];
      // The text of buttons and titles is ordinary prose. It is evidence only with a specific selector.
      if (what === 'text' && /^[.#[]/.test(selector)) return [rowOf('dom', selector, String(value), notes, 'text')];
      if (what !== 'attributes') return [];
      return Object.entries(value as Record<string, string>).map(([attribute, pattern]) =>
        attributeRow(selector, attribute, pattern, notes),
      );
    });
  });
}

/** The engine skips a selector that has no word which the page must have. A plain text of the attribute is such a word. */
function attributeRow(selector: string, attribute: string, tagged: string, notes: string[]): Row | undefined {
  const [source = '', ...tags] = tagged.split('\\;');
  const isPlain = /^(?:[\w/-]|\\[./-])+$/.test(source);
  if (!isPlain || planSelector(selector).every(({ literal }) => literal !== ''))
    return rowOf('dom', selector, tagged, notes, attribute);
  const contained = `${selector}[${attribute}*='${source.replaceAll('\\', '')}']`;
  return rowOf('dom', contained, ['', ...tags].join('\\;'), notes);
}

const tagsOf = (value: unknown): string => String(value ?? '').replace(/^.*?\\;/, '') || 'version:';

const tooWide = wordSet('a body button div html iframe img input link script span title');

function usableSelector([, selector, regex]: Row): boolean {
  if (/body > \*|:has|:not\(/.test(selector)) return false;
  return !tooWide.has(selector.trim()) || isSpecificEnough(regex);
}

function usableGlobal(path: string): boolean {
  const [root = ''] = path.split('.');
  if (!/^[A-Za-z_$][\w$]*$/.test(root) || chosen().genericGlobals.includes(root)) return false;
  return path.includes('.') ? root.length >= 2 : root.length >= 4;
}

/** The imported data has `https?//.+`, which matches no address. The name that follows belongs to the host. */
const withHost = (regex: string): string => regex.replace(/^\^https\?\/\/\.\+/, '^https?://[^/?#]+');

type Reviewed = 'script' | 'html' | 'dom' | 'inline' | 'js';

/** The patterns after review: a reviewer may have replaced imported ones. */
function reviewed(
  name: string,
  channel: Reviewed,
  values: string[],
  notes: string[],
): { kept: string[]; rows: (Row | undefined)[] } {
  const decisions = chosen().reviews.filter((one) => one.technology === name && one.channel === channel);
  const decisionOn = (value: string) => decisions.find(({ pattern }) => pattern === '*' || pattern === value);
  const used = new Set(values.map(decisionOn).filter((decision) => decision !== undefined));
  return {
    kept: values.filter((value) => decisionOn(value)?.keep ?? decisionOn(value) === undefined),
    rows: [...used].flatMap(({ instead = [] }) =>
      instead
        .flatMap((patterns) => Object.entries(patterns))
        .map(([to, pattern]) => (to === 'dom' ? rowOf('dom', pattern, '', notes) : rowOf(to, '', pattern, notes))),
    ),
  };
}

function rowsOf(name: string, technology: Imported, notes: string[]): Row[] {
  const named = (channel: string, values: Record<string, Texts> | undefined) =>
    Object.entries(values ?? {}).flatMap(([key, texts]) =>
      list(texts).map((text) =>
        rowOf(channel, channel === 'header' || channel === 'meta' ? key.toLowerCase() : key, text, notes),
      ),
    );
  const selectors = selectorsOf(technology);
  const script = reviewed(name, 'script', list(technology.scriptSrc), notes);
  const inline = reviewed(name, 'inline', list(technology.scripts), notes);
  const html = reviewed(name, 'html', list(technology.html), notes);
  // The value of a global is unknown, because the page's code does not run. Its presence is known.
  const js = reviewed(name, 'js', Object.keys(technology.js ?? {}), notes);
  const element = reviewed(
    name,
    'dom',
    selectors.map(([selector]) => selector),
    notes,
  );
  const keptDom = selectors.filter(([selector]) => element.kept.includes(selector));
  return [
    ...script.kept.map((text) => rowOf('script', '', text, notes)),
    ...inline.kept.map((text) => rowOf('inline', '', text, notes)),
    ...html.kept.map((text) => markupRow(text, notes)),
    ...list(technology.url).map((text) => rowOf('url', '', withHost(text), notes)),
    ...named('meta', technology.meta),
    ...named('header', technology.headers),
    ...named('cookie', technology.cookies),
    ...js.kept.filter(usableGlobal).map((path) => rowOf('js', path, '', notes)),
    ...domRows(keptDom, notes).filter((row) => row !== undefined && usableSelector(row)),
    ...[script, inline, html, js, element].flatMap(({ rows }) => rows),
  ].filter((row) => row !== undefined);
}

/** The patterns of a technology that can be reviewed. */
function patternsOf(technology: Imported): Record<Review['channel'], string[]> {
  const { scriptSrc, html, scripts, js, implies } = technology;
  return {
    script: list(scriptSrc),
    html: list(html),
    inline: list(scripts),
    js: Object.keys(js ?? {}),
    dom: selectorsOf(technology).map(([selector]) => selector),
    implies: list(implies).map((text) => text.split('\\;')[0] ?? ''),
  };
}

/** Returns whether the imported data has a technology or category of this name, and whether it has the pattern of a review. */
export function importedNames(): { hasName: (name: string) => boolean; hasReviewed: (review: Review) => boolean } {
  const { technologies, categories } = readImported();
  const names = new Set([...technologies.keys(), ...categories.values()]);
  return {
    hasName: (name) => names.has(name),
    hasReviewed: ({ technology, channel, pattern }) => {
      const imported = technologies.get(technology);
      const patterns = imported ? patternsOf(imported)[channel] : [];
      return pattern === '*' ? patterns.length > 0 : patterns.includes(pattern);
    },
  };
}

/** The names of the Ecommerce category. */
export function importedPlatforms(): string[] {
  const { technologies, categories } = readImported();
  return [...technologies].flatMap(([name, { cats }]) =>
    cats.some((id) => categories.get(id) === 'Ecommerce') ? [name] : [],
  );
}

export interface CompiledTechnology {
  /** No trace is left after the review. The slug stays in the vocabulary. */
  retired?: true;
  /** Many sites without a store use the platform. */
  use?: 'mixed';
  slug: string;
  name: string;
  kind: string;
  category: string;
  website: string;
  implies: string[];
  requires: string[];
  requiresCategory: string[];
  excludes: string[];
  patterns: Row[];
}

export interface CompiledTechnologies {
  kept: readonly CompiledTechnology[];
  /** The text of the rule file. */
  text: string;
  /** Notes on the omitted patterns with the reasons. */
  notes: readonly string[];
}

/** Several checks need the result. It is compiled on first use. */
export const compileTechnologies = once((): CompiledTechnologies => {
  const { technologies, categories } = readImported();
  const notes: string[] = [];
  const namesOf = (technology: Imported) => technology.cats.map((id) => categories.get(id) ?? 'Miscellaneous');
  const isKept = (category: string) => !chosen().droppedCategories.includes(category);
  const isKnown = ([name, technology]: [string, Imported]): boolean =>
    !chosen().droppedTechnologies.includes(name) && namesOf(technology).some(isKept);
  const known = new Map([...technologies].filter(isKnown));
  const isDropped = (name: string, implied: string): boolean => {
    const [other = ''] = implied.split('\\;');
    const service = technologies.get(other);
    if (service && namesOf(service).some((category) => chosen().unimpliedCategories.includes(category))) return true;
    return chosen().reviews.some(
      ({ technology, channel, pattern }) => technology === name && channel === 'implies' && pattern === other,
    );
  };
  const slugs = (names: Texts | undefined) =>
    list(names)
      .map((name) => name.split('\\;')[0] ?? '')
      .filter((name) => known.has(name))
      .map(slugOf)
      .sort();

  const compiled = [...known].map(([name, technology]): CompiledTechnology => {
    const names = namesOf(technology).filter(isKept);
    const first = chosen().categoryOrder.find((category) => names.includes(category)) ?? names[0] ?? 'Miscellaneous';
    const patterns =
      chosen().rewrittenPlatforms.includes(name) || chosen().retiredTechnologies.includes(name)
        ? []
        : rowsOf(name, technology, notes).filter(
            ([channel]) => channel !== 'script' || !chosen().looseScripts.includes(name),
          );
    const isPart = first === 'Ecommerce' && chosen().notPlatforms.includes(name);
    return {
      slug: slugOf(name),
      name,
      kind: isPart
        ? 'app'
        : (chosen().kindOfCategory[first] ?? (names.includes('WordPress plugins') ? 'app' : 'service')),
      category: slugOf(first),
      website: websiteOf(technology.website),
      implies: slugs(list(technology.implies).filter((implied) => !isDropped(name, implied))),
      requires: slugs(technology.requires),
      requiresCategory: list(technology.requiresCategory)
        .map((id) => slugOf(categories.get(id) ?? ''))
        .sort(),
      excludes: slugs(technology.excludes),
      patterns,
      ...(chosen().retiredTechnologies.includes(name) && { retired: true }),
      ...(chosen().mixedPlatforms.includes(name) && { use: 'mixed' as const }),
    };
  });
  const implied = new Set(compiled.flatMap(({ implies }) => implies));
  const rewritten = new Set(chosen().rewrittenPlatforms.map(slugOf));
  const kept = compiled
    .filter(({ name }) => !chosen().renamedTechnologies.includes(name))
    .filter((one) => one.patterns.length > 0 || one.retired || implied.has(one.slug) || rewritten.has(one.slug))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  notes.push(`${kept.length} of ${technologies.size} technologies kept`);
  return { kept, text: `[\n${kept.map((technology) => JSON.stringify(technology)).join(',\n')}\n]\n`, notes };
});

const websiteOf = (website = ''): string => URL.parse(website)?.href ?? 'https://www.wappalyzer.com/';
