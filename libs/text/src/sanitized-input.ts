import { escaped } from './escaped.ts';

/**
 * Makes a caller's input safe to repeat in an error message. The text is cut to a bounded length. Characters that a
 * terminal or log viewer could execute or hide are escaped: control, format and private-use characters, line separators,
 * lone surrogates.
 */
const maxTextLength = 60;
const maxNameLength = 100;
const plainName = /^[\w.-]+$/;

/** Returns `text` with unsafe characters escaped, cut to at most `max` characters. */
export function sanitized(text: string, max: number): string {
  // The text is first cut by code units, to bound the work.
  const start = Array.from(text.slice(0, max * 2)).slice(0, max);
  const isCut = start.join('').length < text.length;
  return escaped(start.join('')) + (isCut ? '…' : '');
}

/** Returns the sanitized text in quotes. */
export function quoted(text: string, max = maxTextLength): string {
  return `"${sanitized(text, max).replaceAll('"', '\\"')}"`;
}

/** Returns a name that the caller chose, in quotes unless it is a plain word. */
export function sanitizedName(name: string): string {
  return plainName.test(name) && name.length <= maxNameLength ? name : quoted(name, maxNameLength);
}

/** Describes a JSON value by its text, or by its kind if it is an array or an object. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return 'nothing';
}

/** Returns for example "8 characters" or "1 entry". */
export function pluralized(count: number, unit: { one: string; many: string }): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? unit.one : unit.many}`;
}
