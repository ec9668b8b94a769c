/**
 * What a caller sent, as an error message may repeat it: cut to a bounded length, with every character escaped that a
 * terminal or a log viewer might act on or not show (control, format and private-use characters, line separators, lone
 * surrogates).
 */
const maxTextLength = 60;
const maxNameLength = 100;
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu;
const plainName = /^[\w.-]+$/;

const escaped = (char: string) => `\\u{${(char.codePointAt(0) as number).toString(16)}}`;

/** `text` with unsafe characters escaped, cut between characters to about `max` of them. */
export function harmless(text: string, max: number): string {
  // Cut first by code units, so that the work is bounded too.
  const start = Array.from(text.slice(0, max * 2)).slice(0, max);
  const isCut = start.join('').length < text.length;
  return start.join('').replace(unsafe, escaped) + (isCut ? '…' : '');
}

/** A text in quotes. */
export function quoted(text: string, max = maxTextLength): string {
  return `"${harmless(text, max).replaceAll('"', '\\"')}"`;
}

/** A name that the caller chose, in quotes unless it is a plain word. */
export function shownName(name: string): string {
  return plainName.test(name) && name.length <= maxNameLength ? name : quoted(name, maxNameLength);
}

/** A JSON value: its text when that is short, its kind in any case. */
export function shownValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return 'nothing';
}

/** "8 characters", "1 entry". */
export function counted(count: number, unit: { one: string; many: string }): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? unit.one : unit.many}`;
}
