import { replaceAllUnsafe, replaceUnsafe } from './characters.ts';

const visible = (character: string) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`;

/** Returns one line for a terminal or a log. Unsafe characters and line breaks are visible, for example as \u{202e}. */
export const escaped = (text: string): string => replaceUnsafe(text, visible);

/** Works as {@link escaped}, for a text of several lines. */
export const escapedLines = (text: string): string => text.split('\n').map(escaped).join('\n');

/** Returns a JSON document with the same content, whose text has no unsafe characters. */
export function escapedJson(json: string): string {
  // Most documents are ASCII. For them this test takes a tenth of the time.
  if (!beyondAscii.test(json)) return json;
  return replaceAllUnsafe(json, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join(''),
  );
}

const beyondAscii = /[^\0-~]/;
const hex = (unit: number) => unit.toString(16).padStart(4, '0');
