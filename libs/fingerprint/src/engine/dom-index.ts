import { compile, is } from 'css-select';
import type { Element } from 'domhandler';
import type { RE2JS } from 're2js';
import type { PageDocument } from '../page/document.ts';
import { textOf } from '../page/document.ts';
import type { Pattern } from './rule.ts';
import { planSelector, type SelectorPlan } from './selector-literals.ts';
import { compileRegex, type OnMatch, type RegexBudget, searchBounded } from './text-index.ts';

/**
 * Matches CSS selectors against the parsed page.
 *
 * - A selector runs only when a word that it requires occurs in the markup.
 * - It runs only on elements with the id, class or tag of its subject.
 * - Bounds: a budget of element checks per page.
 */
const maxElementChecks = 400_000;
const maxConditionChecks = 200;

interface Indexed {
  slug: string;
  pattern: Pattern;
  plan: SelectorPlan;
  matches: ((element: Element) => boolean) | undefined;
  regex: RE2JS | undefined;
}

export class DomIndex {
  private readonly entries: Indexed[] = [];
  /** Lower-case words that the markup must contain for a selector to match, and the selectors of each word. */
  readonly words: readonly string[];
  private readonly byWord: number[][];

  /** Throws on an invalid selector. */
  constructor(patterns: readonly { slug: string; pattern: Pattern }[]) {
    const ids = new Map<string, number[]>();
    for (const { slug, pattern } of patterns) {
      for (const plan of planSelector(pattern.key)) {
        if (plan.literal === '') continue;
        const entry = this.entries.push({ slug, pattern, plan, matches: undefined, regex: undefined }) - 1;
        const list = ids.get(plan.literal);
        if (list) list.push(entry);
        else ids.set(plan.literal, [entry]);
      }
    }
    this.words = [...ids.keys()];
    this.byWord = [...ids.values()];
  }

  /** `occurring`: which of {@link words} the markup contains. */
  search(occurring: Uint8Array, document: PageDocument, budget: RegexBudget, onMatch: OnMatch): void {
    let checks = maxElementChecks;
    for (let word = 0; word < occurring.length; word++) {
      if (occurring[word] === 0) continue;
      for (const entry of this.byWord[word] ?? []) {
        if (checks <= 0) return;
        checks -= this.try(this.entries[entry] as Indexed, document, budget, onMatch);
      }
    }
  }

  /** Returns the number of checked elements. */
  private try(entry: Indexed, document: PageDocument, budget: RegexBudget, onMatch: OnMatch): number {
    const { pattern, plan, slug } = entry;
    const { id, className, tag } = plan.subject;
    const candidates = id
      ? document.byId(id)
      : className
        ? document.byClass(className)
        : tag
          ? document.byTag(tag)
          : document.elements;
    if (candidates.length === 0) return 1;
    entry.matches ??= matcherOf(plan.selector);
    const { matches } = entry;
    let conditions = 0;
    for (let i = 0; i < candidates.length; i++) {
      const element = candidates[i] as Element;
      if (!matches(element)) continue;
      const version = this.condition(entry, element, budget);
      if (version !== undefined) {
        onMatch(pattern, slug, { at: 0, version });
        return i + 1;
      }
      if (++conditions >= maxConditionChecks) return i + 1;
    }
    return candidates.length;
  }

  private condition(entry: Indexed, element: Element, budget: RegexBudget): string | undefined {
    const { pattern } = entry;
    if (!pattern.attribute) return '';
    const value =
      pattern.attribute === 'text' ? textOf(element, 500) : element.attribs[pattern.attribute]?.slice(0, 1000);
    if (value === undefined) return undefined;
    if (pattern.regex === '') return '';
    budget.chars -= value.length;
    if (budget.chars < 0) return undefined;
    entry.regex ??= compileRegex(pattern);
    return searchBounded(entry.regex, value, pattern);
  }
}

function matcherOf(selector: string): (element: Element) => boolean {
  const compiled = compile(selector, { cacheResults: false });
  return (element) => is(element, compiled);
}
