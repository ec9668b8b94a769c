import { lengthOf } from './characters.ts';

const graphemes = new Intl.Segmenter();

/** Returns the beginning of the text: at most `maxLength` code points. No character that a reader sees is cut in two. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A code point has at most two code units. This slice therefore has more than `maxLength` code points unless it is the whole text.
  const start = text.slice(0, 2 * maxLength + 2);
  if (lengthOf(start) <= maxLength) return text;
  let kept = '';
  let length = 0;
  for (const { segment } of graphemes.segment(start)) {
    length += lengthOf(segment);
    if (length > maxLength) break;
    kept += segment;
  }
  // The first visible character alone can have more code points than `maxLength`.
  return kept === '' ? Array.from(start).slice(0, maxLength).join('') : kept;
}

/** Works as {@link cut}, with an ellipsis in place of the removed text. */
export function shortened(text: string, maxLength: number): string {
  const whole = cut(text, maxLength);
  return whole === text ? text : `${cut(text, maxLength - 1).trimEnd()}…`;
}
