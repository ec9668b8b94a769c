/**
 * Separates the code of inline scripts from its comments, string literals and regular expressions. A name in a comment or in a text is
 * therefore not mistaken for a use of that name.
 *
 * - Time: one pass. Every character is read a bounded number of times, for any text.
 * - A template (`…`) counts as one string, including its expressions.
 * - A string does not end on its line -> the rest of the line counts as code.
 */
export interface ScriptText {
  /** The code without its comments. Strings remain. */
  code: string;
  /** The start and end of each string literal and regular expression in `code`, without quotes or slashes. Ascending. */
  strings: number[];
}

const newline = 10;
const slash = 47;
const star = 42;
const backslash = 92;
const doubleQuote = 34;
const singleQuote = 39;
const backtick = 96;

/** The start of a string, of a comment or of a regular expression. */
const special = /["'`/<]/g;
/** The characters that end a part of a string, by the quote of the string. */
const partEnds = new Map([
  [doubleQuote, /["\\\n]/g],
  [singleQuote, /['\\\n]/g],
  [backtick, /[`\\]/g],
]);

/** After one of these characters, a slash starts a regular expression. After any other character, it divides. */
const beforeRegex = new Set(Array.from('(,=:[!&|?{};+-*%~^<>\n', (symbol) => symbol.charCodeAt(0)));
const maxRegexChars = 1000;
const maxFailedRegexes = 100;

class Reader {
  readonly parts: string[] = [];
  readonly strings: number[] = [];
  /** The length of the parts so far. */
  private length = 0;
  private from = 0;
  private failedRegexes = 0;
  private templates = true;

  /** Reads one script. No state of it remains for the next script. */
  read(text: string): void {
    this.from = 0;
    this.templates = true;
    let previous = newline;
    let from = 0;
    for (let at = indexOf(special, text, 0); at !== -1; at = indexOf(special, text, from)) {
      const code = text.charCodeAt(at);
      if (code === slash) from = this.slash(text, at, lastVisible(text, from, at) ?? previous);
      else if (partEnds.has(code)) from = this.literal(text, at, code);
      else from = text.startsWith('<!--', at) ? this.comment(text, at, lineEnd(text, at)) : at + 1;
      previous = code;
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
    else this.strings.push(this.length - this.from + at + 1, this.length - this.from + end - 1);
    return end === -1 ? at + 1 : end;
  }

  private literal(text: string, at: number, quote: number): number {
    if (quote === backtick && !this.templates) return at + 1;
    const part = partEnds.get(quote) as RegExp;
    for (let i = indexOf(part, text, at + 1); i !== -1; i = indexOf(part, text, i + 2)) {
      const code = text.charCodeAt(i);
      if (code === backslash) continue;
      if (code !== quote) return i;
      const offset = this.length - this.from;
      this.strings.push(offset + at + 1, offset + i);
      return i + 1;
    }
    if (quote === backtick) this.templates = false;
    return quote === backtick ? at + 1 : text.length;
  }
}

/** The offset of the next match of `form` at or after `from`, or -1. A match has one character. */
function indexOf(form: RegExp, text: string, from: number): number {
  form.lastIndex = from;
  return form.test(text) ? form.lastIndex - 1 : -1;
}

/** The last character between `from` and `to` that is not a blank. */
function lastVisible(text: string, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) if (text.charCodeAt(at) > 32) return text.charCodeAt(at);
  return undefined;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Returns the offset after the regular expression at `at`, or -1. */
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

/** Settings that switch off the thing that they configure. */
export const switchedOff =
  /["']?\b(?:is_?)?(?:enabled?|active|isEnabled|isActive)["']?\s{0,4}:\s{0,4}["']?(?:false|0|!1|no|off|null)\b/i;
