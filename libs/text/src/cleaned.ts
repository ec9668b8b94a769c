import { leadingMarks, replaceUnsafe, spaces, withoutStackedMarks } from './characters.ts';
import { cut } from './cut.ts';

/** Printable ASCII with single spaces. Nothing of it is changed. */
const isClean = /^(?:[!-~]+ )*[!-~]*$/;
/** Code units of the text that are looked at, per code point of the result. It bounds the work on a text of any length. */
const readPerCodePoint = 10;
/** A step can make another one necessary: what stands beside a removed character may compose. Three steps were enough so far. */
const maxSteps = 8;

/**
 * One line of at most `maxLength` code points in NFC, from a text that nobody checked. It may be empty.
 *
 * - Line breaks and other white space become one space. Other unsafe characters and stacked marks are removed.
 * - The same rules as in {@link parseText}: what this returns is accepted there, unless it is empty.
 */
export function cleaned(text: string, maxLength: number): string {
  const start = text.slice(0, readPerCodePoint * maxLength);
  if (isClean.test(start)) return start.slice(0, maxLength).trim();
  const line = settled(start);
  const kept = cut(line, maxLength);
  // A cut can leave a joiner without its letter.
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

/** A control character may have separated words. */
const isBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;
