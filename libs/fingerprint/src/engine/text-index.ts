import { RE2JS } from 're2js';
import { addressInCode, type OwnUrlTest, pathStart } from '../page/own-urls.ts';
import { isInString, switchedOff } from '../page/script-text.ts';
import { LiteralScanner } from './aho-corasick.ts';
import { plainLiteral, quickCheck, requiredLiterals } from './required-literals.ts';
import type { Pattern } from './rule.ts';
import { acceptedVersion, fileVersion } from './version.ts';

/**
 * Searches the patterns of one channel behind one literal scan. A regular expression runs in a linear-time engine, only in a window around
 * its literal, and a bounded number of times. A hostile text therefore costs a constant per pattern.
 */
const maxWindowsPerPattern = 8;
const windowChars = 400;
const maxLinesPerPattern = 40;
const maxLineChars = 1100;
/** Checks of identifiers are cheap, and a global may occur often before its assignment. */
const maxGlobalChecks = 60;

export interface Match {
  /** The version template with its groups filled in. Empty if there is no template. */
  version: string;
  /** Whether nothing of the matched element runs. */
  isSetting?: boolean;
  /** Whether the matched element is empty. A script then has to fill it. */
  isPlaceholder?: boolean;
  /** The address of the matched element. Set only for technologies whose addresses are bound to their hosts. */
  address?: string;
  /** The offset of the pattern's literal in the text. Set for texts only. */
  at?: number;
}

export type OnMatch = (pattern: Pattern, slug: string, match: Match) => void;

interface Indexed {
  slug: string;
  pattern: Pattern;
  plain: string | undefined;
  /** Whether the pattern is code. The name of such a technology inside of a string is only a mention. */
  isCode: boolean;
  /** See {@link BoundPattern}. */
  isBound: boolean;
  isScriptText: boolean;
  /** See {@link quickCheck}. It is created on first use, like the regular expression. */
  mayMatch: ((text: string) => boolean) | undefined;
  regex: RE2JS | undefined;
}

const isScriptText = ({ channel }: Pattern): boolean => channel === 'inline' || channel === 'init' || channel === 'js';
const isFile = ({ channel }: Pattern): boolean => channel === 'script' || channel === 'asset';
/**
 * A regular expression that starts with a method call, or with a name. The name is followed by an assignment, a call, a member, or nothing.
 */
const codeShaped =
  /^(?:\\\))?\\\.(?:[\w$]+|\(\?:[\w$|]+\))\\\(|^(?:\\b)?(?:(?:var|new) ?(?:\\s\+)?)?[\w$]*(?:\\\$|[\w$]|\(\?:(?:[\w$|]|\\\$)+\))[\w$]*(?:\(\?:[\w$|]+\)\??)?(?:\\\.(?:\\w\+|[\w$]+|\(\?:[\w$|]+\))(?:\\w\*)?)*(?:\\b)?(?:\\s(?:\*|\{0,\d{1,2}\}))?(?:=|\\\(|\\\[|$)/;

const isIdentifier = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;

const emptyValue = '(?:false|null|undefined|void 0|!1|0|""|\'\')\\s{0,4}(?:[;,})\\n]|$)';
const setsNothing = new RegExp(`^\\s{0,4}=\\s{0,4}${emptyValue}`);
const settingAfter = new RegExp(`^[\\w.$-]{0,60}["'\\]]{0,2}\\s{0,4}[:=]\\s{0,4}(?:${emptyValue}|\\{([^{}]{0,200}))`);

/** Whether the name at `at` is set to an empty value, or to settings that switch it off: `x = {enabled: false}`. */
function isSwitchedOff(text: string, at: number): boolean {
  const setting = settingAfter.exec(text.slice(at, at + 300));
  return setting !== null && (setting[1] === undefined || switchedOff.test(setting[1]));
}

/**
 * Whether `path` at `at` is set or used as a global: `root =`, `root.x`, `window.root =`. A member of a local variable does not count. A
 * test of whether the global exists does not count either: `typeof root`, `if (window.root)`.
 */
function isGlobalUse(text: string, at: number, path: string, isMention: (at: number) => boolean): boolean {
  if (!text.startsWith(path, at)) return false;
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  if (isIdentifier(before)) return false;
  const end = at + path.length;
  if (isIdentifier(text.charCodeAt(end))) return false;
  const prefix = text.slice(Math.max(0, at - 20), at);
  const isMember = /(?:window|self|globalThis)\[["']$/.test(prefix);
  const onWindow = isMember || /(?:window|self|globalThis)\.$/.test(prefix);
  if (!onWindow && (before === 46 || before === 34 || before === 39 || before === 45 || before === 47)) return false;
  if (/typeof\s{1,4}(?:window\.)?$/.test(prefix)) return false;
  const rest = text.slice(isMember ? end + 2 : end, end + 26);
  if (setsNothing.test(rest)) return false;
  const after = rest.trimStart();
  const isUse =
    /^=(?![=>])/.test(after) ||
    (onWindow && /^[([]/.test(after)) ||
    (/^\.[\w$]/.test(after) && (onWindow || !/^\.(?:js|com|min|css|net|io)/.test(text.slice(end, end + 5))));
  return isUse && (isMember || !isMention(at));
}

/** Whether the code that ends at `end` with `=` is not an assignment: `name === undefined`, `name => x`. */
const isComparison = (text: string, end: number): boolean =>
  text.charCodeAt(end - 1) === 61 && (text.charCodeAt(end) === 61 || text.charCodeAt(end) === 62);

export function fillVersion(template: string, groups: (string | null | undefined)[]): string {
  const filled = template
    .replace(/\\(\d)\?([^:]*):(.*)$/, (_, group: string, yes: string, no: string) => (groups[Number(group)] ? yes : no))
    .replace(/\\(\d)/g, (_, group: string) => groups[Number(group)] ?? '');
  return filled.trim().slice(0, 40);
}

const maxRefusedMatches = 8;

/**
 * Searches `text`, which the caller has bounded. Returns the version, which may be empty. Returns undefined if there is no match, or if
 * none of the first {@link maxRefusedMatches} is accepted.
 */
export function searchBounded(
  regex: RE2JS,
  text: string,
  pattern: Pattern,
  slug: string,
  isAccepted?: (start: number, end: number) => boolean,
): string | undefined {
  if (!regex.test(text)) return undefined;
  if (!pattern.version && !isAccepted) return '';
  const matcher = regex.matcher(text);
  for (let tries = 0; ; tries++) {
    if (tries >= maxRefusedMatches || !matcher.find()) return undefined;
    if (!isAccepted || isAccepted(matcher.start(), matcher.end())) break;
  }
  if (!pattern.version) return '';
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group));
  const version = fillVersion(pattern.version, groups);
  const group = groups.findIndex((value, index) => index > 0 && value?.startsWith(version.slice(0, 1)));
  if (version === '' || group === -1) return '';
  return acceptedVersion(version, matcher.start(group), text, slug, pattern.channel);
}

export const compileRegex = (pattern: Pattern): RE2JS =>
  RE2JS.compile(pattern.regex, pattern.caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);

/** Returns the line at `at` in a text with one value per line, and the offset where it begins. */
export function lineAt(text: string, at: number): { line: string; from: number } {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return { line: text.slice(from, end === -1 ? text.length : end), from };
}

/** The number of characters that regular expressions may still read for one page. */
export interface RegexBudget {
  chars: number;
}

/**
 * A pattern of a technology. If `isBound` is set, a match in the path of an address counts only on the page's own hosts, because such a
 * path shows what runs on that host. A match in the host shows the vendor's own host.
 */
export interface BoundPattern {
  slug: string;
  pattern: Pattern;
  isBound?: boolean;
}

/** Facts about the page that the text comes from. */
export interface SearchContext {
  /** The string literals of a text of scripts; see {@link ScriptText}. */
  strings?: readonly number[];
  isOwnUrl?: OwnUrlTest;
}

export class TextIndex {
  private readonly entries: Indexed[] = [];
  private readonly scanner: LiteralScanner;
  private readonly literals: string[];
  private readonly byLiteral: number[][];
  /** The word that equals the text of a literal, or -1. */
  private readonly wordOf: Int32Array;
  private readonly lines: boolean;
  private readonly wordCount: number;

  /**
   * - `lines`: the text is a list with one value per line, and a pattern matches within one value.
   * - `words`: further literals, which are found in the same pass. Only their presence is reported.
   */
  constructor(patterns: readonly BoundPattern[], { lines, words = [] }: { lines: boolean; words?: readonly string[] }) {
    this.lines = lines;
    this.wordCount = words.length;
    const ids = new Map<string, number[]>();
    for (const { slug, pattern, isBound = false } of patterns) {
      const isGlobal = pattern.channel === 'js';
      const required = isGlobal ? [pattern.key.toLowerCase()] : requiredLiterals(pattern.regex);
      if (required.length === 0) continue;
      const plain = isGlobal || pattern.version ? undefined : plainLiteral(pattern.regex);
      const isCode = isGlobal || pattern.unquoted === true || (isScriptText(pattern) && codeShaped.test(pattern.regex));
      const indexed = { slug, pattern, plain, isCode, isBound, isScriptText: isScriptText(pattern) };
      const entry = this.entries.push({ ...indexed, mayMatch: undefined, regex: undefined }) - 1;
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

  /** Calls `onMatch` once per pattern that matches `text`. Returns an array with 1 for each word that occurs. */
  search(text: string, budget: RegexBudget, onMatch: OnMatch, context: SearchContext = {}): Uint8Array {
    const occurring = new Uint8Array(this.wordCount);
    if (text === '') return occurring;
    // The number of attempts so far. 255 means that the pattern is decided.
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
        const found = this.match(entry, text, at, budget, context);
        const version = found !== undefined && entry.isScriptText && isSwitchedOff(text, at) ? undefined : found;
        checks[id] = version !== undefined || done + 1 >= this.triesOf(entry) ? 255 : done + 1;
        if (version !== undefined) onMatch(entry.pattern, entry.slug, { version, at });
      }
    });
    return occurring;
  }

  private triesOf({ pattern, plain }: Indexed): number {
    if (pattern.channel === 'js') return maxGlobalChecks;
    if (plain !== undefined) return 200;
    return this.lines ? maxLinesPerPattern : maxWindowsPerPattern;
  }

  /** Returns the version (may be empty) if the pattern matches near `at`. */
  private match(
    entry: Indexed,
    text: string,
    at: number,
    budget: RegexBudget,
    { strings = [], isOwnUrl }: SearchContext,
  ): string | undefined {
    const { pattern, plain, slug } = entry;
    const isMention = (start: number) => entry.isCode && isInString(strings, start);
    const isCall = (start: number, end: number): boolean =>
      !isComparison(text, end) && (pattern.unquoted ? !isInString(strings, end - 1) : !isMention(start));
    if (pattern.channel === 'js') return isGlobalUse(text, at, pattern.key, isMention) ? '' : undefined;
    if (plain !== undefined) {
      if (pattern.caseSensitive && !text.startsWith(plain, at)) return undefined;
      if (entry.isCode && !isCall(at, at + plain.length)) return undefined;
      if (entry.isBound && isOwnUrl && this.isForeign(text, at, isOwnUrl)) return undefined;
      return isFile(pattern) ? fileVersion(text.slice(...this.windowAround(text, at)), slug) : '';
    }
    const [from, to] = this.windowAround(text, at);
    budget.chars -= to - from;
    if (budget.chars < 0) return undefined;
    const window = text.slice(from, to);
    entry.mayMatch ??= quickCheck(pattern.regex);
    if (!entry.mayMatch(window)) return undefined;
    entry.regex ??= compileRegex(pattern);
    // A match at any place of the page's own address is accepted.
    const mayBeForeign = entry.isBound && isOwnUrl && !(this.lines && isOwnUrl(lineAt(text, at).line));
    const isAccepted =
      entry.isCode || mayBeForeign
        ? (start: number, end: number) =>
            (!entry.isCode || isCall(from + start, from + end)) &&
            !(mayBeForeign && this.isForeign(text, from + start, isOwnUrl))
        : undefined;
    const version = searchBounded(entry.regex, window, pattern, slug, isAccepted);
    return version === '' && isFile(pattern) ? fileVersion(window, slug) : version;
  }

  /** Whether the match at `start` is in the path of an address of another site. */
  private isForeign(text: string, start: number, isOwnUrl: OwnUrlTest): boolean {
    if (!this.lines) return !isOwnUrl(addressInCode(text, start));
    const url = lineAt(text, start);
    return start - url.from >= pathStart(url.line) && !isOwnUrl(url.line);
  }

  /** The start and end of the text that a pattern may read: the line, or some characters around `at`. */
  private windowAround(text: string, at: number): [from: number, to: number] {
    const reach = this.lines ? maxLineChars : windowChars;
    const from = Math.max(0, at - reach);
    const to = Math.min(text.length, at + reach);
    if (!this.lines) return [from, to];
    const start = text.lastIndexOf('\n', at);
    const end = text.indexOf('\n', at);
    return [Math.max(from, start + 1), end === -1 ? to : Math.min(to, end)];
  }
}
