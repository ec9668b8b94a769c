import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RE2JS } from 're2js';
import { slugOf } from '../src/slug.ts';
import {
  categoryOrder,
  droppedCategories,
  droppedTechnologies,
  genericGlobals,
  kindOfCategory,
  looseScripts,
  notPlatforms,
  rewrittenPlatforms,
} from './selection.ts';

/**
 * Compiles the JSON files of the pinned `wappalyzer` package to the rule file. No code of the package runs.
 *
 * - Output: one line per technology, only the fields that rules match on, slugs in place of names.
 * - Omitted: what is not visible without a browser (DNS, certificates, requests, visible text), patterns that the
 *   linear-time engine refuses, patterns that match almost any text.
 */
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

function readImported(): { technologies: Map<string, Imported>; categories: Map<number, string> } {
  const root = dirname(createRequire(import.meta.url).resolve('wappalyzer/package.json'));
  const technologies = new Map<string, Imported>();
  const files = readdirSync(join(root, 'technologies')).filter((file) => file.endsWith('.json'));
  for (const file of files.sort()) {
    const content = JSON.parse(readFileSync(join(root, 'technologies', file), 'utf8')) as Record<string, Imported>;
    for (const [name, technology] of Object.entries(content)) technologies.set(name, technology);
  }
  const raw = JSON.parse(readFileSync(join(root, 'categories.json'), 'utf8')) as Record<string, { name: string }>;
  return { technologies, categories: new Map(Object.entries(raw).map(([id, { name }]) => [Number(id), name])) };
}

/** channel, key, regex, version, weight, attribute. All are strings, so that every row has the same shape. */
type Row = [channel: string, key: string, regex: string, version: string, weight: string, attribute: string];

/** At least three literal characters in a row. Shorter patterns match almost any text. */
const saysSomething = (regex: string): boolean =>
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
  if (['script', 'html', 'inline', 'url'].includes(channel) && !saysSomething(regex)) {
    notes.push(`left out, says too little: ${channel} ${regex}`);
    return undefined;
  }
  return [channel, key, regex, version, weight, attribute];
}

function domRows(dom: Imported['dom'], notes: string[]): (Row | undefined)[] {
  if (dom === undefined) return [];
  if (typeof dom === 'string' || Array.isArray(dom))
    return list(dom).map((selector) => rowOf('dom', selector, '', notes));
  return Object.entries(dom).flatMap(([selector, condition]) =>
    Object.entries(condition).flatMap(([what, value]) => {
      if (what === 'exists')
        return [rowOf('dom', selector, '', notes) && rowOf('dom', selector, `\\;${tagsOf(value)}`, notes)];
      // The text of buttons and titles is ordinary prose. Only with a specific selector is it evidence.
      if (what === 'text' && /^[.#[]/.test(selector)) return [rowOf('dom', selector, String(value), notes, 'text')];
      if (what !== 'attributes') return [];
      return Object.entries(value as Record<string, string>).map(([attribute, pattern]) =>
        rowOf('dom', selector, pattern, notes, attribute),
      );
    }),
  );
}

const tagsOf = (value: unknown): string => String(value ?? '').replace(/^.*?\\;/, '') || 'version:';

const tooWide = new Set([
  'a',
  'body',
  'button',
  'div',
  'html',
  'iframe',
  'img',
  'input',
  'link',
  'script',
  'span',
  'title',
]);

function usableSelector([, selector, regex]: Row): boolean {
  if (/body > \*|:has|:not\(/.test(selector)) return false;
  return !tooWide.has(selector.trim()) || saysSomething(regex);
}

function usableGlobal(path: string): boolean {
  const [root = ''] = path.split('.');
  if (!/^[A-Za-z_$][\w$]*$/.test(root) || genericGlobals.has(root)) return false;
  return path.includes('.') ? root.length >= 2 : root.length >= 4;
}

function rowsOf(technology: Imported, notes: string[]): Row[] {
  const named = (channel: string, values: Record<string, Texts> | undefined) =>
    Object.entries(values ?? {}).flatMap(([key, texts]) =>
      list(texts).map((text) =>
        rowOf(channel, channel === 'header' || channel === 'meta' ? key.toLowerCase() : key, text, notes),
      ),
    );
  const texts = (channel: string, values: Texts | undefined) =>
    list(values).map((text) => rowOf(channel, '', text, notes));
  return [
    ...texts('script', technology.scriptSrc),
    ...texts('inline', technology.scripts),
    ...texts('html', technology.html),
    ...texts('url', technology.url),
    ...named('meta', technology.meta),
    ...named('header', technology.headers),
    ...named('cookie', technology.cookies),
    // The value of a global is unknown, because the page's code does not run. Its presence is known.
    ...Object.keys(technology.js ?? {})
      .filter(usableGlobal)
      .map((path) => rowOf('js', path, '', notes)),
    ...domRows(technology.dom, notes).filter((row) => row !== undefined && usableSelector(row)),
  ].filter((row) => row !== undefined);
}

export interface CompiledTechnology {
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

/** The text of the rule file, and notes on what was omitted and why. */
export function compileTechnologies(): { text: string; notes: string[] } {
  const { technologies, categories } = readImported();
  const notes: string[] = [];
  const namesOf = (technology: Imported) => technology.cats.map((id) => categories.get(id) ?? 'Miscellaneous');
  const known = new Set(
    [...technologies]
      .filter(([name, technology]) => {
        return (
          !droppedTechnologies.has(name) && namesOf(technology).some((category) => !droppedCategories.has(category))
        );
      })
      .map(([name]) => name),
  );
  const slugs = (names: Texts | undefined) =>
    list(names)
      .map((name) => name.split('\\;')[0] ?? '')
      .filter((name) => known.has(name))
      .map(slugOf)
      .sort();

  const compiled = [...technologies]
    .filter(([name]) => known.has(name))
    .map(([name, technology]): CompiledTechnology => {
      const names = namesOf(technology).filter((category) => !droppedCategories.has(category));
      const first = categoryOrder.find((category) => names.includes(category)) ?? names[0] ?? 'Miscellaneous';
      const isPart = first === 'Ecommerce' && notPlatforms.has(name);
      return {
        slug: slugOf(name),
        name,
        kind: isPart ? 'app' : (kindOfCategory[first] ?? (names.includes('WordPress plugins') ? 'app' : 'service')),
        category: slugOf(first),
        website: websiteOf(technology.website),
        implies: slugs(technology.implies),
        requires: slugs(technology.requires),
        requiresCategory: list(technology.requiresCategory)
          .map((id) => slugOf(categories.get(id) ?? ''))
          .sort(),
        excludes: slugs(technology.excludes),
        patterns: rewrittenPlatforms.has(name)
          ? []
          : rowsOf(technology, notes).filter(([channel]) => channel !== 'script' || !looseScripts.has(name)),
      };
    });
  const implied = new Set(compiled.flatMap(({ implies }) => implies));
  const rewritten = new Set([...rewrittenPlatforms].map(slugOf));
  const kept = compiled
    .filter(({ slug, patterns }) => patterns.length > 0 || implied.has(slug) || rewritten.has(slug))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  notes.push(`${kept.length} of ${technologies.size} technologies kept`);
  return { text: `[\n${kept.map((technology) => JSON.stringify(technology)).join(',\n')}\n]\n`, notes };
}

function websiteOf(website: string | undefined): string {
  try {
    return new URL(website ?? '').href;
  } catch {
    return 'https://www.wappalyzer.com/';
  }
}
