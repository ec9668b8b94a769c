import { decodedUri } from '../page/decoded-uri.ts';
import { siteOf } from '../page/own-urls.ts';

/**
 * Finds the addresses to which the code of a page leads: it assigns them to `location`, or calls `replace`, `assign` and `open` of the same
 * window with them. Nothing is executed. The reader understands strings, strings in a variable, parts of `location`, their escaped forms,
 * and sums of them. Of any other sum, only the start is read, if it has the whole host of another site. Other expressions give no address.
 *
 * - Bounds: {@link maxExpressions} places, {@link maxTerms} terms each. Regular expressions have bounded repetitions.
 */
const maxExpressions = 40;
const maxTerms = 12;

/** The `location` of the window or the document. Other objects may have a member of this name, and functions a variable. */
const own = String.raw`(?<![\w$.])(?<!\b(?:var|let|const)\s{1,5})(?:(?:window|document|self|top|parent|this|globalThis)\s{0,3}\.\s{0,3}){0,3}location\b`;
const indexed = String.raw`\[["']location["']\]`;
const address = String.raw`(?:\s{0,3}\.\s{0,3}(?:href|pathname)\b|\[["']href["']\])?`;
const set = new RegExp(String.raw`(?:${own}|${indexed})${address}\s{0,5}=(?![=>])\s{0,5}`, 'g');
const called = new RegExp(
  String.raw`(?:${own}|${indexed})(?:\.(?:replace|assign)|\[["'](?:replace|assign)["']\])\(\s{0,5}`,
  'g',
);
const opened = /\b(?:window\.)?open\(\s{0,5}(?=["'][^"'\n]{1,2048}["']\s{0,5},\s{0,5}["']_(?:self|top|parent)["'])/g;
/** Code that loads the page again. */
const reloaded = /\blocation\.reload\(/;

const literal = /^\s{0,10}(?:"((?:[^"\\\n]|\\.){0,2048})"|'((?:[^'\\\n]|\\.){0,2048})'|`((?:[^`\\\n$]|\\.){0,2048})`)/;
const escaped = /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,5})\}|(.))/gi;
const part =
  /^\s{0,10}(?:(?:window|document|self|top)\.)?(?:location(?:\.(href|protocol|host|hostname|origin|pathname|search|hash))?|document\.URL)(?![\w.[(])/;
const variable = /^\s{0,10}([A-Za-z_$][\w$]{0,40})(?![\w.[(])/;
const escaping = /^\s{0,10}(?:window\.)?((?:en|de)codeURI(?:Component)?|(?:un)?escape)\(/;
const plus = /^\s{0,10}\+/;

type Part = 'href' | 'protocol' | 'host' | 'hostname' | 'origin' | 'pathname' | 'search' | 'hash';

export function scriptedTargets(code: string, page: URL | undefined): { targets: string[]; reloads: boolean } {
  // Most scripts contain neither word, and a search for a word is faster than the expressions.
  if (!code.includes('location') && !code.includes('open(')) return { targets: [], reloads: false };
  const places = [set, called, opened].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => match.index + match[0].length),
  );
  const targets = places
    .sort((one, other) => one - other)
    .slice(0, maxExpressions)
    .flatMap((at) => expressionAt(code.slice(at, at + 4_096), code, page) ?? []);
  return { targets: targets.filter((target) => target !== ''), reloads: reloaded.test(code) || targets.includes('') };
}

/** Returns the value of the expression at the start of a text. '' stands for the address of the page itself. */
function expressionAt(expression: string, code: string, page: URL | undefined): string | undefined {
  let rest = expression;
  let value = '';
  for (let count = 0; count < maxTerms; count++) {
    const read = termOf(rest, code, page);
    if (!read) return foreignStart(value, page);
    value += read.text;
    rest = rest.slice(read.length);
    const next = plus.exec(rest);
    if (!next) return value.trim() === page?.href || (value === '' && count === 0) ? '' : value.trim();
    rest = rest.slice(next[0].length);
  }
  return undefined;
}

/** Returns the part of an address before a term that is not understood. A scan never follows it, because the host is another one. */
function foreignStart(value: string, page: URL | undefined): string | undefined {
  const host = /^\s{0,5}(?:https?:)?\/\/([^/?#\s@]{1,253})[/?#]/i.exec(value)?.[1]?.toLowerCase();
  return host !== undefined && page !== undefined && siteOf(host) !== siteOf(page.hostname) ? value.trim() : undefined;
}

function escapedOf(text: string, code: string, page: URL | undefined): { text: string; length: number } | undefined {
  const call = escaping.exec(text);
  if (!call) return undefined;
  const inner = simpleTermOf(text.slice(call[0].length), code, page);
  const end = inner && /^\s{0,5}\)/.exec(text.slice(call[0].length + inner.length));
  if (!inner || !end) return undefined;
  const isDecoded = call[1]?.startsWith('decode') || call[1] === 'unescape';
  return {
    text: isDecoded ? decodedUri(inner.text) : encodeURIComponent(inner.text.toWellFormed()),
    length: call[0].length + inner.length + end[0].length,
  };
}

const termOf = (text: string, code: string, page: URL | undefined): { text: string; length: number } | undefined =>
  escapedOf(text, code, page) ?? simpleTermOf(text, code, page);

function simpleTermOf(text: string, code: string, page: URL | undefined): { text: string; length: number } | undefined {
  const string = stringOf(text);
  if (string) return string;
  const own = part.exec(text);
  if (own) return { text: page ? page[(own[1] ?? 'href') as Part] : '', length: own[0].length };
  const known = variable.exec(text);
  const value = known && assignedOnce(known[1] as string, code);
  return known && typeof value === 'string' ? { text: value, length: known[0].length } : undefined;
}

function stringOf(text: string): { text: string; length: number } | undefined {
  const found = literal.exec(text) ?? undefined;
  return found && { text: unescaped(found[1] ?? found[2] ?? found[3] ?? ''), length: found[0].length };
}

/** Removes the backslashes before slashes. A server that writes addresses as JSON adds them. */
const unescaped = (text: string): string =>
  text.replace(escaped, (_, two?: string, four?: string, any?: string, other?: string) => {
    const code = two ?? four ?? any;
    return code === undefined ? (other ?? '') : String.fromCodePoint(Number.parseInt(code, 16));
  });

function assignedOnce(variableName: string, code: string): string | undefined {
  const pattern = new RegExp(
    String.raw`(?<![\w$.?&/])${variableName.replaceAll('$', String.raw`\$`)}\s{0,5}=(?![=>])\s{0,5}`,
    'g',
  );
  const [first, another] = [...code.matchAll(pattern)];
  if (!first || another) return undefined;
  return stringOf(code.slice(first.index + first[0].length, first.index + first[0].length + 2_100))?.text;
}
