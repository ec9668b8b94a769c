import type { Screen } from './terminal.ts';

/** Controls may have separated words. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** What nobody sees, or what changes the order of other text. */
const invisible =
  /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
/** Letters that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Text of the service without what could change what the terminal shows. */
export function plain(text: string): string {
  return text.replace(breaks, ' ').replace(invisible, '').trim();
}

/** A plain text that does not change the order of the columns beside it. */
const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text);

/** A look at the width of a character: East Asian wide characters and emoji take two columns. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
const mark = /\p{M}/u;

export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += mark.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

const gap = 2;
const minColumn = 6;

/** Rows under headings, fitted to the screen: the widest column is cut first. Without rows `empty`, if it is given. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, bold }: Pick<Screen, 'columns' | 'bold'>,
  empty?: string,
): string {
  if (rows.length === 0 && empty !== undefined) return `${empty}\n`;
  const cells = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))));
  const total = () => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (columns !== undefined && total() > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= minColumn) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const lines = cells.map((row) =>
    row
      .map((cell, column) => {
        const shown = cut(cell, widths[column] ?? 0);
        return column === row.length - 1
          ? isolated(shown)
          : isolated(shown) + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(shown)) + gap);
      })
      .join('')
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  return `${[bold(head), ...body].join('\n')}\n`;
}

export function pairs(values: readonly (readonly [string, string])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `${name.padEnd(width)}  ${isolated(plain(value))}\n`).join('');
}

/** A number with its noun: 1 row, 2 rows. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
