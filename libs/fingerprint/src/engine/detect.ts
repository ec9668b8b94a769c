import type { RE2JS } from 're2js';
import type { PageEvidence } from '../page/evidence.ts';
import type { Confidence } from '../types.ts';
import { DomIndex } from './dom-index.ts';
import type { Channel, Pattern, Rule } from './rule.ts';
import { compileRegex, type OnMatch, type RegexBudget, searchBounded, TextIndex } from './text-index.ts';

/**
 * Matches all rules, compiled once, against one page.
 *
 * - Deterministic; the only state is the cache of regular expressions that are compiled on first use.
 * - Bounds: a literal scan precedes every channel. All channels of a page share one budget of characters for regular
 *   expressions.
 */
const maxRegexChars = 3_000_000;
const maxPasses = 5;

/** Evidence of one family counts once. Two families are independent evidence. */
type Family = 'network' | 'inline' | 'markup' | 'meta' | 'header' | 'cookie' | 'address' | 'implied';

const families: Record<Channel, Family> = {
  script: 'network',
  asset: 'markup',
  image: 'markup',
  html: 'markup',
  dom: 'markup',
  inline: 'inline',
  js: 'inline',
  meta: 'meta',
  header: 'header',
  cookie: 'cookie',
  url: 'address',
  anchor: 'markup',
};

export interface Detection {
  rule: Rule;
  weight: number;
  families: Set<Family>;
  active: boolean;
  version: string;
}

/** high: two independent families of evidence. medium: one. low: only weak traces, or implied by another technology. */
export function confidenceOf({ weight, families }: Detection): Confidence {
  if (weight < 50) return 'low';
  return [...families].filter((family) => family !== 'implied').length >= 2 ? 'high' : 'medium';
}

interface Named {
  slug: string;
  pattern: Pattern;
  regex?: RE2JS;
}

export class Engine {
  private readonly rules: Map<string, Rule>;
  private readonly texts: Record<'script' | 'asset' | 'image' | 'anchor' | 'inline' | 'html', TextIndex>;
  private readonly dom: DomIndex;
  private readonly named: Record<'meta' | 'header' | 'cookie', Map<string, Named[]>>;
  private readonly cookiePrefixes: Named[];
  private readonly addresses: Named[];

  constructor(rules: readonly Rule[]) {
    this.rules = new Map(rules.map((rule) => [rule.slug, rule]));
    const of = (...channels: Channel[]): Named[] =>
      rules.flatMap(({ slug, patterns }) =>
        patterns.filter(({ channel }) => channels.includes(channel)).map((pattern) => ({ slug, pattern })),
      );
    this.dom = new DomIndex(of('dom'));
    this.texts = {
      script: new TextIndex(of('script'), { lines: true }),
      asset: new TextIndex(of('asset'), { lines: true }),
      image: new TextIndex(of('image'), { lines: true }),
      anchor: new TextIndex(of('anchor'), { lines: true }),
      inline: new TextIndex(of('inline', 'js'), { lines: false }),
      html: new TextIndex(of('html'), { lines: false, words: this.dom.words }),
    };
    const isPrefix = ({ pattern }: Named) => /[*-]$|_$/.test(pattern.key);
    this.named = {
      meta: Map.groupBy(of('meta'), ({ pattern }) => pattern.key),
      header: Map.groupBy(of('header'), ({ pattern }) => pattern.key),
      cookie: Map.groupBy(
        of('cookie').filter((one) => !isPrefix(one)),
        ({ pattern }) => pattern.key,
      ),
    };
    this.cookiePrefixes = of('cookie').filter(isPrefix);
    this.addresses = of('url');
  }

  /** Every detected technology by slug, after requirements, exclusions and implications. */
  detect(evidence: PageEvidence): Map<string, Detection> {
    const found = new Map<string, Detection>();
    const budget: RegexBudget = { chars: maxRegexChars };
    this.searchTexts(evidence, budget, found);
    this.searchNamed(evidence, budget, found);
    return this.settle(found);
  }

  private note(found: Map<string, Detection>, slug: string, pattern: Pattern, version: string, active: boolean): void {
    const rule = this.rules.get(slug);
    if (!rule) return;
    const detection = found.get(slug) ?? { rule, weight: 0, families: new Set<Family>(), active: false, version: '' };
    detection.weight = Math.min(300, detection.weight + pattern.weight);
    detection.families.add(families[pattern.channel]);
    detection.active ||= active;
    if (version && version.length > detection.version.length) detection.version = version;
    found.set(slug, detection);
  }

  private searchTexts(evidence: PageEvidence, budget: RegexBudget, found: Map<string, Detection>): void {
    const list = (values: readonly string[]) => values.map((value) => value.replaceAll('\n', '')).join('\n');
    const loaded = evidence.scripts.filter(({ source }) => source !== 'hint');
    const hints = evidence.scripts.filter(({ source }) => source === 'hint');
    const noting =
      (active: boolean): OnMatch =>
      (pattern, slug, match) =>
        this.note(found, slug, pattern, match.version, active);
    const { script, asset, image, anchor, inline, html } = this.texts;
    script.search(list(loaded.map(({ url }) => url)), budget, noting(true));
    script.search(list(hints.map(({ url }) => url)), budget, (pattern, slug, match) => {
      // A resource hint beside the script itself adds no evidence.
      if (!found.get(slug)?.families.has('network')) this.note(found, slug, pattern, match.version, false);
    });
    asset.search(list(evidence.assets), budget, noting(true));
    image.search(list(evidence.images), budget, noting(true));
    anchor.search(list(evidence.anchors), budget, noting(true));
    inline.search(evidence.inline, budget, noting(false));
    const words = html.search(evidence.html, budget, noting(true));
    this.dom.search(words, evidence.document, budget, noting(true));
  }

  private searchNamed(evidence: PageEvidence, budget: RegexBudget, found: Map<string, Detection>): void {
    const test = (one: Named, value: string, active: boolean): void => {
      const { slug, pattern } = one;
      const text = value.slice(0, 2000);
      if (pattern.regex !== '') budget.chars -= text.length;
      if (budget.chars < 0) return;
      if (pattern.regex !== '') one.regex ??= compileRegex(pattern);
      const version = one.regex ? searchBounded(one.regex, text, pattern) : '';
      if (version !== undefined) this.note(found, slug, pattern, version, active);
    };
    for (const [name, values] of evidence.metas) {
      for (const one of this.named.meta.get(name) ?? [])
        for (const value of values) test(one, value, one.pattern.key === 'generator');
    }
    for (const [name, values] of evidence.headers) {
      for (const one of this.named.header.get(name) ?? []) for (const value of values) test(one, value, true);
    }
    for (const [name, value] of evidence.cookies) {
      for (const one of this.named.cookie.get(name) ?? []) test(one, value, true);
      for (const one of this.cookiePrefixes)
        if (name.startsWith(one.pattern.key.replace(/\*$/, ''))) test(one, value, true);
    }
    const address = evidence.url?.href.slice(0, 2000) ?? '';
    for (const one of this.addresses) test(one, address, false);
  }

  /** Removes technologies with a missing requirement or an exclusion and adds implied ones, until nothing changes. */
  private settle(found: Map<string, Detection>): Map<string, Detection> {
    for (let pass = 0; pass < maxPasses; pass++) {
      const before = found.size;
      this.imply(found);
      const categories = new Set([...found.values()].map(({ rule }) => rule.category));
      for (const [slug, { rule, families: kinds }] of found) {
        const lacks = rule.requires.length > 0 && !rule.requires.some((required) => found.has(required));
        const lacksCategory =
          rule.requiresCategory.length > 0 && !rule.requiresCategory.some((category) => categories.has(category));
        // A script of the vendor is evidence even when the platform of the store is unknown.
        if (lacks || (lacksCategory && !kinds.has('network'))) found.delete(slug);
      }
      if (found.size === before) break;
    }
    for (const { rule, weight } of [...found.values()]) {
      for (const excluded of rule.excludes) if ((found.get(excluded)?.weight ?? 0) < weight) found.delete(excluded);
    }
    return found;
  }

  private imply(found: Map<string, Detection>): void {
    for (const { rule, active, weight } of [...found.values()]) {
      if (weight < 50) continue;
      for (const slug of rule.implies) {
        const implied = this.rules.get(slug);
        if (implied && !found.has(slug)) {
          found.set(slug, { rule: implied, weight: 25, families: new Set<Family>(['implied']), active, version: '' });
        }
      }
    }
  }
}
