import { escaped, isolated } from '@shopscope/text';

/**
 * Rows as lines with aligned columns, without trailing blanks. Cells can have any text: what could control the terminal is
 * visible, and text from right to left changes no other column.
 */
export function table(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(escaped));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => inOrder(cell) + ' '.repeat((widths[column] as number) - width(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** A change from one name to another keeps its order. */
const inOrder = (cell: string): string => cell.split(' → ').map(isolated).join(' → ');

const graphemes = new Intl.Segmenter();

/** The width of a text in terminal cells. Wide characters have two cells. */
function width(text: string): number {
  let cells = 0;
  for (const { segment } of graphemes.segment(text)) cells += wide.test(segment) ? 2 : 1;
  return cells;
}

const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
