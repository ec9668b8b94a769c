/**
 * Finds code that makes a test depend on the speed of the machine: measured time, pauses, and waits with a bound below
 * a minute.
 *
 * - It reads the text of a test file. A call at the beginning of a string is the text of a program, so it is not found.
 * - A bound that is not a literal counts as long enough. `vi.waitFor` and `vi.waitUntil` wait for one second without a
 *   bound.
 */
export interface RealTime {
  line: number;
  what: string;
}

const minWaitMs = 60_000;
const defaultOfViMs = 1_000;

const rules: readonly [what: string, pattern: RegExp][] = [
  ['measures time', /\bperformance\.now\(|\bhrtime\b/g],
  ['measures time', /\bexpect\([^;\n]*(?:Date\.now\(\)[^)\n]* - |- (?:Date\.now|systemClock\.monotonicMs)\(\))/g],
  [
    'pauses',
    /(?<!['"`.\w])setTimeout\(|\bsetTimeout\b[^;\n]*from 'node:timers\/promises'|\bawait systemClock\.sleep\(/g,
  ],
];
const waits = /\b(?:waitUntil|vi\.waitFor|vi\.waitUntil|expect(?:\s*\/\/[^\n]*)*\s*\.poll)\(/g;
/** The last argument: a number, or an object with a time limit. */
const numberBound = /,\s*([\d_]+)\s*,?\s*$/;
const objectBound = /\{[^{}]*\btimeout(?:Ms)?: ([\d_]+)[^{}]*\}\s*,?\s*$/;
const anyBound = /,\s*(?:\w+|\{[^{}]*\btimeout\b[^{}]*\})\s*,?\s*$/;

export function findRealTime(text: string): RealTime[] {
  const lineOf = (index: number) => text.slice(0, index).split('\n').length;
  const found = rules.flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ line: lineOf(index), what })),
  );
  for (const { 0: call, index } of text.matchAll(waits)) {
    const boundMs = boundOf(call, argumentsAt(text, index + call.length));
    if (boundMs < minWaitMs) found.push({ line: lineOf(index), what: `waits at most ${boundMs} ms` });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** The text up to the parenthesis that closes the call. */
function argumentsAt(text: string, start: number): string {
  let open = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') open++;
    if (text[at] === ')' && --open === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

function boundOf(call: string, args: string): number {
  const [, literal] = objectBound.exec(args) ?? numberBound.exec(args) ?? [];
  if (literal) return Number(literal.replaceAll('_', ''));
  return call.startsWith('vi.') && !anyBound.test(args) ? defaultOfViMs : minWaitMs;
}
