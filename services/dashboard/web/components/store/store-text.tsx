import { notKnown } from './store-words.ts';

/** Control characters, and characters that change the direction of the text around them. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** More combining marks in a row than a written language needs would cover other lines. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu;

export const shownLength = 200;

/** A text of a foreign page in one line, with a bounded length. */
export function shownText(text: string, max = shownLength): string {
  // The bound comes first: a name can have 100,000 characters.
  const line = text
    .slice(0, max * 4)
    .replaceAll(unsafe, ' ')
    .replaceAll(stackedMarks, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > max || text.length > max * 4 ? `${characters.slice(0, max).join('')}…` : line;
}

/**
 * A text of a foreign page, which can contain anything. It is the only way in which pages show such texts.
 *
 * - Its direction affects nothing outside of it.
 * - A long word breaks, and a long text ends with an ellipsis.
 * - An empty text is "not known".
 */
export function StoreText({ text, max }: { text: string; max?: number }) {
  const shown = shownText(text, max);
  if (shown === '') return <span className="text-quiet">{notKnown}</span>;
  return <bdi className="[overflow-wrap:anywhere]">{shown}</bdi>;
}
