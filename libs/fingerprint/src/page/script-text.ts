/**
 * Separates the code of inline scripts from its comments and string literals, so that a name in a comment or in a text
 * is not taken for a use of that name.
 *
 * - Time: one pass; every character is read a bounded number of times, for any text.
 * - Templates (`…`) count as one string, also their expressions.
 * - A string without an end on its line -> the rest of the line counts as code.
 */
export interface ScriptText {
  /** The code without its comments. Strings remain. */
  code: string;
  /** Start and end in `code` of each string literal, without its quotes. Ascending. */
  strings: number[];
}

const newline = 10;
const slash = 47;
const star = 42;
const backslash = 92;
const doubleQuote = 34;
const singleQuote = 39;
const backtick = 96;
const less = 60;

/** A slash after one of these starts a regular expression; after another character it divides. */
const beforeRegex = new Set(Array.from('(,=:[!&|?{};+-*%~^<>\n', (symbol) => symbol.charCodeAt(0)));
const maxRegexChars = 1000;
const maxFailedRegexes = 100;

class Reader {
  readonly parts: string[] = [];
  readonly strings: number[] = [];
  /** Length of the parts so far. */
  private length = 0;
  private from = 0;
  private failedRegexes = 0;
  private templates = true;

  /** Reads one script, from which no state remains for the next. */
  read(text: string): void {
    this.from = 0;
    this.templates = true;
    let previous = newline;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      let next = at + 1;
      if (code === doubleQuote || code === singleQuote || code === backtick) next = this.literal(text, at, code);
      else if (code === slash) next = this.slash(text, at, previous);
      else if (code === less && text.startsWith('<!--', at)) next = this.comment(text, at, lineEnd(text, at));
      if (code > 32) previous = code;
      at = next;
    }
    this.keep(text, text.length);
    this.parts.push('\n');
    this.length++;
  }

  private keep(text: string, until: number): void {
    if (until <= this.from) return;
    this.parts.push(text.slice(this.from, until));
    this.length += until - this.from;
    this.from = until;
  }

  private comment(text: string, at: number, end: number): number {
    this.keep(text, at);
    this.from = end;
    return end;
  }

  private slash(text: string, at: number, previous: number): number {
    const following = text.charCodeAt(at + 1);
    if (following === slash) return this.comment(text, at, lineEnd(text, at));
    if (following === star) {
      const end = text.indexOf('*/', at + 2);
      return this.comment(text, at, end === -1 ? text.length : end + 2);
    }
    if (!beforeRegex.has(previous) || this.failedRegexes >= maxFailedRegexes) return at + 1;
    const end = regexEnd(text, at);
    if (end === -1) this.failedRegexes++;
    return end === -1 ? at + 1 : end;
  }

  private literal(text: string, at: number, quote: number): number {
    if (quote === backtick && !this.templates) return at + 1;
    for (let i = at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === backslash) i++;
      else if (code === quote) {
        const offset = this.length - this.from;
        this.strings.push(offset + at + 1, offset + i);
        return i + 1;
      } else if (code === newline && quote !== backtick) return i;
    }
    if (quote === backtick) this.templates = false;
    return quote === backtick ? at + 1 : text.length;
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** The offset after the regular expression at `at`, or -1. */
function regexEnd(text: string, at: number): number {
  let inClass = false;
  const limit = Math.min(text.length, at + maxRegexChars);
  for (let i = at + 1; i < limit; i++) {
    const symbol = text[i];
    if (symbol === '\\') i++;
    else if (symbol === '\n') return -1;
    else if (symbol === '[') inClass = true;
    else if (symbol === ']') inClass = false;
    else if (symbol === '/' && !inClass) return i + 1;
  }
  return -1;
}

export function readScripts(scripts: readonly string[]): ScriptText {
  const reader = new Reader();
  for (const script of scripts) reader.read(script);
  return { code: reader.parts.join(''), strings: reader.strings };
}

/** Whether the character at `at` belongs to a string literal. */
export function isInString(strings: readonly number[], at: number): boolean {
  let low = 0;
  let high = strings.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((strings[middle * 2 + 1] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low * 2 < strings.length && (strings[low * 2] as number) <= at;
}

/** Settings that say of what they configure that it is off. */
export const switchedOff =
  /["']?\b(?:is_?)?(?:enabled?|active|isEnabled|isActive)["']?\s{0,4}:\s{0,4}["']?(?:false|0|!1|no|off|null)\b/i;
