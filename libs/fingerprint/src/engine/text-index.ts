import { RE2JS } from 're2js';
import { LiteralScanner } from './aho-corasick.ts';
import { plainLiteral, requiredLiterals } from './required-literals.ts';
import type { Pattern } from './rule.ts';

/**
 * The patterns of one channel, behind one literal scan. A regular expression runs only where its literal occurs, in a
 * window around the literal, a bounded number of times, in a linear-time engine. So hostile text costs a constant per
 * pattern.
 */
const maxWindowsPerPattern = 8;
const windowChars = 400;
const maxLinesPerPattern = 40;
const maxLineChars = 1100;
/** Identifier checks are cheap, and a global may occur often before its assignment. */
const maxGlobalChecks = 60;

export interface Match {
  /** Offset of the literal that led to the match. */
  at: number;
  /** The version template with its groups filled in; empty without a template. */
  version: string;
}

export type OnMatch = (pattern: Pattern, slug: string, match: Match) => void;

interface Indexed {
  slug: string;
  pattern: Pattern;
  plain: string | undefined;
  regex: RE2JS | undefined;
}

const isIdentifier = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;

/**
 * Whether `path` at `at` is set or used as a global: `root =`, `root.x`, `window.root`. A member of a local does not
 * count.
 */
function isGlobalUse(text: string, at: number, path: string): boolean {
  if (!text.startsWith(path, at)) return false;
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  if (isIdentifier(before)) return false;
  const end = at + path.length;
  if (isIdentifier(text.charCodeAt(end))) return false;
  const onWindow = /(?:window|self|globalThis)(?:\.|\[["'])$/.test(text.slice(Math.max(0, at - 13), at));
  if (onWindow) return true;
  if (before === 46 || before === 34 || before === 39 || before === 45 || before === 47) return false;
  const after = text.slice(end, end + 4).trimStart();
  if (/^=(?![=>])/.test(after)) return true;
  return (
    after.startsWith('.') &&
    isIdentifier(after.charCodeAt(1)) &&
    !/^\.(?:js|com|min|css|net|io)/.test(text.slice(end, end + 5))
  );
}

export function fillVersion(template: string, groups: (string | null | undefined)[]): string {
  const filled = template
    .replace(/\\(\d)\?([^:]*):(.*)$/, (_, group: string, yes: string, no: string) => (groups[Number(group)] ? yes : no))
    .replace(/\\(\d)/g, (_, group: string) => groups[Number(group)] ?? '');
  return filled.trim().slice(0, 40);
}

/** Searches `text`, which the caller has bounded. Undefined: no match. */
export function searchBounded(regex: RE2JS, text: string, pattern: Pattern): string | undefined {
  const matcher = regex.matcher(text);
  if (!matcher.find()) return undefined;
  if (!pattern.version) return '';
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group));
  return fillVersion(pattern.version, groups);
}

export const compileRegex = (pattern: Pattern): RE2JS =>
  RE2JS.compile(pattern.regex, pattern.caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);

/** Number of characters that regular expressions may still read for one page. */
export interface RegexBudget {
  chars: number;
}

export class TextIndex {
  private readonly entries: Indexed[] = [];
  private readonly scanner: LiteralScanner;
  private readonly literals: string[];
  private readonly byLiteral: number[][];
  /** The word with the text of a literal, or -1. */
  private readonly wordOf: Int32Array;
  private readonly lines: boolean;
  private readonly wordCount: number;

  /**
   * - `lines`: the text is a list with one value per line, and a pattern matches within one value.
   * - `words`: further literals, found in the same pass. Only their presence is reported.
   */
  constructor(
    patterns: readonly { slug: string; pattern: Pattern }[],
    { lines, words = [] }: { lines: boolean; words?: readonly string[] },
  ) {
    this.lines = lines;
    this.wordCount = words.length;
    const ids = new Map<string, number[]>();
    for (const { slug, pattern } of patterns) {
      const isGlobal = pattern.channel === 'js';
      const required = isGlobal ? [pattern.key.toLowerCase()] : requiredLiterals(pattern.regex);
      if (required.length === 0) continue;
      const plain = isGlobal || pattern.version ? undefined : plainLiteral(pattern.regex);
      const entry = this.entries.push({ slug, pattern, plain, regex: undefined }) - 1;
      for (const literal of new Set(required)) {
        const list = ids.get(literal);
        if (list) list.push(entry);
        else ids.set(literal, [entry]);
      }
    }
    for (const word of words) if (!ids.has(word)) ids.set(word, []);
    this.literals = [...ids.keys()];
    this.byLiteral = [...ids.values()];
    const wordIds = new Map(words.map((word, id) => [word, id]));
    this.wordOf = Int32Array.from(this.literals, (literal) => wordIds.get(literal) ?? -1);
    this.scanner = new LiteralScanner(this.literals);
  }

  /** Calls `onMatch` once per pattern that matches `text`. Returns which words occur (1). */
  search(text: string, budget: RegexBudget, onMatch: OnMatch): Uint8Array {
    const occurring = new Uint8Array(this.wordCount);
    // Number of attempts so far; 255: decided.
    const checks = new Uint8Array(this.entries.length);
    this.scanner.scan(text, (literal, end) => {
      const word = this.wordOf[literal] as number;
      if (word !== -1) occurring[word] = 1;
      const entries = this.byLiteral[literal] as number[];
      for (let i = 0; i < entries.length; i++) {
        const id = entries[i] as number;
        const done = checks[id] as number;
        if (done === 255) continue;
        const entry = this.entries[id] as Indexed;
        const at = end - (this.literals[literal] as string).length;
        const version = this.check(entry, text, at, budget);
        checks[id] = version !== undefined || done + 1 >= this.triesOf(entry) ? 255 : done + 1;
        if (version !== undefined) onMatch(entry.pattern, entry.slug, { at, version });
      }
    });
    return occurring;
  }

  private triesOf({ pattern, plain }: Indexed): number {
    if (pattern.channel === 'js') return maxGlobalChecks;
    if (plain !== undefined) return 200;
    return this.lines ? maxLinesPerPattern : maxWindowsPerPattern;
  }

  /** The version (may be empty) if the pattern matches near `at`. */
  private check(entry: Indexed, text: string, at: number, budget: RegexBudget): string | undefined {
    const { pattern, plain } = entry;
    if (pattern.channel === 'js') {
      return isGlobalUse(text, at, pattern.key) ? '' : undefined;
    }
    if (plain !== undefined) return !pattern.caseSensitive || text.startsWith(plain, at) ? '' : undefined;
    const window = this.windowAround(text, at);
    budget.chars -= window.length;
    if (budget.chars < 0) return undefined;
    entry.regex ??= compileRegex(pattern);
    return searchBounded(entry.regex, window, pattern);
  }

  private windowAround(text: string, at: number): string {
    const reach = this.lines ? maxLineChars : windowChars;
    const before = text.slice(Math.max(0, at - reach), at);
    const after = text.slice(at, at + reach);
    if (!this.lines) return before + after;
    const end = after.indexOf('\n');
    return before.slice(before.lastIndexOf('\n') + 1) + (end === -1 ? after : after.slice(0, end));
  }
}
