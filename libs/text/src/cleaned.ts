import { leadingMarks, replaceUnsafe, spaces, withoutStackedMarks } from './characters.ts';
import { cut } from './cut.ts';

/** Printable ASCII with single spaces. Such text needs no change. */
const isClean = /^(?:[!-~]+ )*[!-~]*$/;
/** The number of code units that are read per code point of the result. It bounds the work for a text of any length. */
const readPerCodePoint = 10;
/** A step can require another one: the characters beside a removed one may compose. Three steps were enough so far. */
const maxSteps = 8;

/**
 * Returns one line of at most `maxLength` code points in NFC, from an unchecked text. The line may be empty.
 *
 * - Line breaks and other white space become one space. Other unsafe characters and stacked marks are removed.
 * - The rules are those of {@link parseText}, which accepts every result that is not empty.
 */
export function cleaned(text: string, maxLength: number): string {
  const start = text.slice(0, readPerCodePoint * maxLength);
  if (isClean.test(start)) return start.slice(0, maxLength).trim();
  const line = settled(start);
  const kept = cut(line, maxLength);
  // The cut can leave a joiner without its letter.
  return kept === line ? line : settled(kept);
}

function settled(text: string): string {
  let now = text;
  for (let step = 0; step < maxSteps; step++) {
    const next = withoutStackedMarks(
      replaceUnsafe(now.normalize('NFC').replace(/\s+/g, ' '), (character) => (isBreak.test(character) ? ' ' : '')),
    )
      .replace(spaces, ' ')
      .trim()
      .replace(leadingMarks, '')
      .trim();
    if (next === now) break;
    now = next;
  }
  return now;
}

/** Characters that become a space, because they may have separated words. */
const isBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;
