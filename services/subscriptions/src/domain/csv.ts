import type { Cell } from '@shopscope/store-search';

/**
 * A record of CSV (RFC 4180), with its line end.
 *
 * A spreadsheet takes a text that begins with one of {@link formulaStarts} for a formula, which may send data away. Such a text therefore
 * gets an apostrophe in front. Numbers stay numbers.
 */
export function csvRecord(cells: readonly Cell[]): string {
  const texts = cells.map(fieldOf);
  // An empty line is no record.
  return `${texts.length === 1 && texts[0] === '' ? '""' : texts.join(',')}\r\n`;
}

/** Also the full-width forms, which spreadsheets take for the same. */
const formulaStarts = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const needsQuotes = /[",\r\n]/;

function fieldOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = formulaStarts.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
