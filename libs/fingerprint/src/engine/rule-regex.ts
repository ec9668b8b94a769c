import { RE2JS } from 're2js';
import type { Pattern } from './rule.ts';

/**
 * The regular expression of a pattern. Two engines can run it:
 *
 * - RE2JS takes linear time for any text, and about 100 ns per character.
 * - V8 is many times faster, and it backtracks. It runs an expression only on a text that is so short that no text of this length can take
 *   more than {@link maxSteps}. The bound follows from the source of the expression: see {@link nativeForm}.
 *
 * Both find the same matches, except that only RE2JS takes `ſ` and the sign of Kelvin for an `s` and a `k`.
 */
const maxSteps = 400_000;

export interface RegexMatch {
  start: number;
  end: number;
  /** The first is the whole match. */
  groups: readonly (string | null | undefined)[];
  /** The offset at which a group starts that has matched. */
  startOf(group: number): number;
}

export class RuleRegex {
  private readonly pattern: Pattern;
  private readonly form: NativeForm | undefined;
  /** The longest text that V8 may search. */
  private readonly nativeChars: number;
  private native: RegExp | undefined;
  private linear: RE2JS | undefined;

  constructor(pattern: Pattern) {
    this.pattern = pattern;
    this.form = nativeForm(pattern.regex);
    this.nativeChars = this.form ? longestText(this.form) : -1;
  }

  test(text: string): boolean {
    return (this.nativeFor(text) ?? this.inLinearTime()).test(text);
  }

  /** From left to right, without overlaps. */
  *matches(text: string): Generator<RegexMatch> {
    const native = this.nativeFor(text);
    if (native) {
      for (const match of text.matchAll(native))
        yield {
          start: match.index,
          end: match.index + match[0].length,
          groups: match,
          startOf: (group) => match.indices?.[group]?.[0] ?? 0,
        };
      return;
    }
    const matcher = this.inLinearTime().matcher(text);
    while (matcher.find())
      yield {
        start: matcher.start(),
        end: matcher.end(),
        groups: Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group)),
        startOf: (group) => matcher.start(group),
      };
  }

  /** The expression for V8, when it is quick on any text as long as this one. */
  private nativeFor({ length }: string): RegExp | undefined {
    const { form, pattern } = this;
    if (!form || length > this.nativeChars) return undefined;
    this.native ??= new RegExp(form.source, pattern.caseSensitive ? 'dg' : 'dgi');
    // The expression is global, so that it starts where the search before has ended.
    this.native.lastIndex = 0;
    return this.native;
  }

  private inLinearTime(): RE2JS {
    const { regex, caseSensitive } = this.pattern;
    this.linear ??= RE2JS.compile(regex, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    return this.linear;
  }
}

export interface NativeForm {
  /** The expression in the syntax of V8. */
  source: string;
  /** In how many ways the expression can match from one place, when each loop counts as one way. */
  ways: number;
  /** Repetitions without a bound. */
  loops: number;
}

/**
 * The longest text on which V8 takes at most {@link maxSteps}. A match starts at any place, and each loop ends at any place behind the one
 * before. In `n` characters these are about `n ** (loops + 1) / (loops + 1)!` combinations.
 */
export function longestText({ ways, loops }: NativeForm): number {
  let product = maxSteps / ways;
  for (let place = 2; place <= loops + 1; place++) product *= place;
  return Math.floor(product ** (1 / (loops + 1)));
}

/** An escape, a class, the start of a group, a quantifier, or one character. */
const tokens = /\\[\s\S]|\[\^?(?:\\[\s\S]|[^\\\]])*\]|\((?:\?:)?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g;
const quantifier = /^(?:([*+])|(\?)|\{(\d+)(?:,(\d*))?\})\??$/;
const sameInBoth = /^\\(?:[dDwWbBnrtf]|[^a-zA-Z0-9])$/;
/** `\s` of RE2. V8 takes more characters for blanks. */
const blanks = '\\t\\n\\f\\r ';

/**
 * The expression, which is in the syntax of RE2, for V8.
 *
 * Each quantifier and each alternation of the result is passed at most once in a match, because no group repeats. So the ways multiply.
 * Undefined: a group repeats, or the syntax is not known here.
 */
export function nativeForm(regex: string): NativeForm | undefined {
  let source = '';
  let ways = 1;
  let loops = 0;
  /** The number of branches of each open group, and of the whole expression. */
  const branches = [1];
  let previous = '';
  for (const [token] of regex.matchAll(tokens)) {
    const [, endless, optional, least, most = least] = quantifier.exec(token) ?? [];
    if (endless !== undefined || least !== undefined) {
      if (previous === ')') return undefined;
      if (endless !== undefined || most === '') loops++;
      else ways *= Number(most) - Number(least) + 1;
    } else if (optional !== undefined) ways *= 2;
    else if (token.startsWith('(')) branches.push(1);
    else if (token === '|') branches.push((branches.pop() as number) + 1);
    else if (token === ')') ways *= branches.pop() ?? 1;
    const native = nativeToken(token);
    // What follows is syntax that is not known here: `(?i)`, `(?P<name>`.
    if (native === undefined || (previous === '(' && optional !== undefined)) return undefined;
    source += native;
    previous = token;
  }
  return { source, ways: ways * (branches[0] ?? 1), loops };
}

function nativeToken(token: string): string | undefined {
  if (token === '.') return '[^\\n]';
  if (token === '\\s') return `[${blanks}]`;
  if (token === '\\S') return `[^${blanks}]`;
  if (token.startsWith('\\')) return sameInBoth.test(token) ? token : undefined;
  if (!token.startsWith('[')) return token;
  const escapes = token.match(/\\[\s\S]/g) ?? [];
  const isKnown = escapes.every((one) => one === '\\s' || sameInBoth.test(one));
  return isKnown && !/^\[\^?\]|\[:/.test(token) && token.length > 1 ? token.replaceAll('\\s', blanks) : undefined;
}
