/**
 * Selects the part of a page that is examined: the whole page, or its beginning and its end. Sites print their settings and the scripts of
 * their services there. The part between them is repetitive.
 *
 * - Bounds: {@link maxPageChars} characters.
 * - Both parts are cut at a tag. Neither part therefore continues a script, a style sheet or a comment of the other.
 */
export const maxPageChars = 2_000_000;
const maxTailChars = 500_000;
const maxHeadChars = maxPageChars - maxTailChars - 20;

/** The starts and ends of elements and comments whose text has no tags. */
const raw = [
  ['<script', '</script'],
  ['<style', '</style'],
  ['<textarea', '</textarea'],
  ['<!--', '-->'],
] as const;

export function excerptOf(html: string): string {
  if (html.length <= maxPageChars) return html;
  return headOf(html, maxHeadChars) + tailOf(html, html.length - maxTailChars);
}

// Converting all letters to lower case would move the offsets: "İ" becomes two characters.
const lastBefore = (html: string, text: string, at: number): number =>
  Math.max(html.lastIndexOf(text, at), html.lastIndexOf(text.toUpperCase(), at));

const isInScript = (html: string, at: number): boolean =>
  lastBefore(html, '<script', at) > lastBefore(html, '</script', at);

/** Returns the end tag of the script, style sheet, text field or comment around offset `at`. */
const endOfOpen = (html: string, at: number): string | undefined =>
  raw
    .map(([start, end]) => ({ opened: lastBefore(html, start, at), closed: lastBefore(html, end, at), end }))
    .filter(({ opened, closed }) => opened > closed)
    // A start tag inside of a script is text, even after that script has ended.
    .filter(({ opened, end }) => end === '</script' || !isInScript(html, opened))
    .sort((one, other) => one.opened - other.opened)[0]?.end;

/** Returns the part up to its last tag. An element or comment that is open there is closed. */
function headOf(html: string, to: number): string {
  const part = html.slice(0, to);
  const end = endOfOpen(html, to);
  if (end) return `${part}${end === '-->' ? end : `${end}>`}`;
  const cut = part.lastIndexOf('<');
  return cut > part.lastIndexOf('>') ? part.slice(0, cut) : part;
}

/** Returns the part from its first tag on, without the rest of an element or comment that was open before. */
function tailOf(html: string, from: number): string {
  const end = endOfOpen(html, from);
  const ends = end === undefined ? [from] : [html.indexOf(end, from), html.indexOf(end.toUpperCase(), from)];
  const start = ends.filter((at) => at !== -1).sort((one, other) => one - other)[0] ?? -1;
  const tag = start === -1 ? -1 : html.indexOf('<', start + (end === '-->' ? end.length : 0));
  return tag === -1 ? '' : html.slice(tag);
}
