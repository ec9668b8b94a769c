/**
 * Where a text stops being JSON: the offset of the first character or token that cannot stand there.
 *
 * V8 gives no position for an unexpected token, and its message then repeats the caller's text. So the position of these is
 * found here: one pass, linear in the text, whose stack holds one character per open bracket.
 */
const blank = /[ \t\n\r]*/y;
/** A string, or another value without brackets. Only these cost a regular expression: a body may be all brackets. */
const scalar =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const signs = '[]{},:';

/** What may stand at each place: `s` a string, `v` another value without brackets, the rest themselves. */
const allowed = {
  value: 'sv[{',
  firstEntry: 'sv[{]',
  name: 's',
  firstName: 's}',
  colon: ':',
  next: ',]}',
} as const;
type Place = keyof typeof allowed;

const afterBracket: Record<string, Place> = {
  '[': 'firstEntry',
  '{': 'firstName',
  ':': 'value',
  ']': 'next',
  '}': 'next',
};
const openerOf: Record<string, string> = { ']': '[', '}': '{' };

/** The length of `text` when it only ends too early. */
export function jsonFaultOffset(text: string): number {
  const open: string[] = [];
  let place = 'value' as Place;
  let at = 0;
  for (;;) {
    at = endOf(blank, text, at);
    if (at >= text.length) return at;
    const first = text.charAt(at);
    const isSign = signs.includes(first);
    const kind = isSign ? first : first === '"' ? 's' : 'v';
    const end = isSign ? at + 1 : endOf(scalar, text, at);
    if (end === at || !allowed[place].includes(kind)) return at;
    if (openerOf[kind] !== undefined && open.pop() !== openerOf[kind]) return at;
    if (kind === ',' && open.length === 0) return at;
    if (kind === '[' || kind === '{') open.push(kind);
    if (kind === 's') place = place === 'name' || place === 'firstName' ? 'colon' : 'next';
    else if (kind === ',') place = open.at(-1) === '[' ? 'value' : 'name';
    else place = afterBracket[kind] ?? 'next';
    at = end;
  }
}

/** Where a match that begins at `at` ends; `at` itself when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (pattern === blank && code > 32) return at;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** "line 2, column 5", from 1 and in UTF-16 code units, as editors count. */
export function lineAndColumn(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return `line ${line}, column ${offset - start + 1}`;
}
