import type { Element } from 'domhandler';
import type { RE2JS } from 're2js';
import type { PageDocument } from '../page/document.ts';
import { isInNoscript, textOf } from '../page/document.ts';
import { addressAttributes, isLoadingLink } from '../page/evidence.ts';
import { hostOfUrl, type OwnUrlTest } from '../page/own-urls.ts';
import type { Pattern } from './rule.ts';
import { planSelector, type SelectorPlan } from './selector-literals.ts';
import { type ElementMatcher, matcherOf } from './selector-matcher.ts';
import { type BoundPattern, compileRegex, type OnMatch, type RegexBudget, searchBounded } from './text-index.ts';

/**
 * Matches CSS selectors against the parsed page.
 *
 * - A selector runs only if a word that it requires occurs in the markup.
 * - It runs only on elements with the id, class or tag of its subject.
 * - A link that loads nothing matches no selector by its address. Examples are a resource hint and a canonical address.
 * - Meta tags, blocks of data, templates and elements in `noscript` are reported as settings, because nothing of them runs.
 * - Bounds: a budget of element checks per page.
 */
const maxElementChecks = 400_000;
const maxConditionChecks = 200;

interface Indexed {
  slug: string;
  pattern: Pattern;
  plan: SelectorPlan;
  /** See {@link BoundPattern}. */
  isBound: boolean;
  matches: ElementMatcher | undefined;
  regex: RE2JS | undefined;
}

export class DomIndex {
  private readonly entries: Indexed[] = [];
  /** Lower-case words. A selector can match only if the markup contains its word. */
  readonly words: readonly string[];
  private readonly byWord: number[][];

  /** Throws on an invalid selector. */
  constructor(patterns: readonly BoundPattern[]) {
    const ids = new Map<string, number[]>();
    for (const { slug, pattern, isBound = false } of patterns) {
      for (const plan of planSelector(pattern.key)) {
        if (plan.literal === '') continue;
        const entry = this.entries.push({ slug, pattern, plan, isBound, matches: undefined, regex: undefined }) - 1;
        const list = ids.get(plan.literal);
        if (list) list.push(entry);
        else ids.set(plan.literal, [entry]);
      }
    }
    this.words = [...ids.keys()];
    this.byWord = [...ids.values()];
  }

  /** `occurring` marks the {@link words} that the markup contains. */
  search(
    occurring: Uint8Array,
    document: PageDocument,
    budget: RegexBudget,
    onMatch: OnMatch,
    isOwnUrl: OwnUrlTest,
  ): void {
    let checks = maxElementChecks;
    for (let word = 0; word < occurring.length; word++) {
      if (occurring[word] === 0) continue;
      for (const entry of this.byWord[word] ?? []) {
        if (checks <= 0) return;
        checks -= this.try(this.entries[entry] as Indexed, document, budget, onMatch, isOwnUrl);
      }
    }
  }

  /** Returns the number of checked elements. */
  private try(
    entry: Indexed,
    document: PageDocument,
    budget: RegexBudget,
    onMatch: OnMatch,
    isOwnUrl: OwnUrlTest,
  ): number {
    const { pattern, plan, slug } = entry;
    const candidates = document.bySubject(plan.subject);
    if (candidates.length === 0) return 1;
    entry.matches ??= matcherOf(plan.selector);
    const { matches } = entry;
    const byAddress = pattern.attribute === 'href' || plan.selector.includes('[href');
    let conditions = 0;
    for (let i = 0; i < candidates.length; i++) {
      const element = candidates[i] as Element;
      if (!matches(element) || (byAddress && element.name === 'link' && !isLoadingLink(element))) continue;
      const version = this.condition(entry, element, budget);
      if (version !== undefined) {
        const address = entry.isBound && readsAddress(entry) ? addressOf(element) : '';
        if (address !== '' && !isOwnUrl(address) && !namesHost(entry, address)) continue;
        onMatch(pattern, slug, {
          version,
          isSetting: isSetting(element),
          isPlaceholder: isPlaceholder(element),
          address,
        });
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
    return searchBounded(entry.regex, value, pattern, entry.slug);
  }
}

const addressSelectors = /\[(?:src|href|action|data-src)[*^$~|]?=["']?([^"'\]]+)/g;

const readsAddress = ({ pattern, plan }: Indexed): boolean =>
  plan.selector.search(addressSelectors) !== -1 || ['src', 'href', 'action'].includes(pattern.attribute ?? '');

function addressOf({ attribs }: Element): string {
  for (const name of addressAttributes) if (attribs[name]) return attribs[name];
  return attribs.action ?? '';
}

/** Whether the host of the address contains the text that the selector or the condition requires. The host then belongs to the vendor. */
function namesHost({ pattern, plan, regex }: Indexed, address: string): boolean {
  const host = hostOfUrl(address);
  const asked = [...plan.selector.matchAll(addressSelectors)].map(([, text = '']) =>
    text.replace(/^(?:https?:)?\/\//, ''),
  );
  if (asked.some((text) => host.includes((text.split('/', 1)[0] ?? '').replace(/^\./, '')) && /\w\.\w/.test(text)))
    return true;
  return pattern.regex !== '' && regex?.test(host) === true;
}

/** Whether nothing of the element runs: it is a meta tag, a block of data, a template, or part of `noscript`. */
function isSetting(element: Element): boolean {
  const { name, attribs } = element;
  if (name === 'meta') return true;
  if (name === 'script' && /(?:^|\/)json|template|handlebars|plain|html/i.test(attribs.type ?? '')) return true;
  return isInNoscript(element);
}

const containers: ReadonlySet<string> = new Set(['div', 'span', 'section', 'p', 'a', 'li', 'button']);

/** Whether the element has no text, pictures or settings. Elements of sections and blocks are excluded: Shopify prints them. */
const isPlaceholder = (element: Element): boolean =>
  !/\bshopify-(?:section|block|app-block)\b/.test(element.attribs.class ?? '') &&
  (containers.has(element.name) || element.name.includes('-')) &&
  element.children.every((child) => !('children' in child) || containers.has((child as Element).name)) &&
  textOf(element, 20) === '';
