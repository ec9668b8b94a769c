/**
 * Returns comma-separated values by RFC 4180. A part of a text that a spreadsheet could run as a formula gets an apostrophe.
 *
 * - A formula begins with = + - @ or a compatible form of one, such as a full-width one. White space and invisible characters before it are
 *   ignored.
 * - It can also begin after a character at which some spreadsheets split a cell: a semicolon, a tab or a line break. Quotation marks are
 *   ignored there: a spreadsheet that splits at semicolons reads ;"" as the beginning of a quoted cell.
 * - Numbers, and texts that are a plain negative number, stay unchanged.
 *
 * packages/cli has the same rule for its files. It is published and imports none of our libraries, so a test compares the two.
 */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

const begins =
  '[=+\\-@\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20\\u207a-\\u207c\\u208a-\\u208c\\u2212\\u2a75\\u2a76\\ufb29]';
const skipped = '(?:(?![\\t\\r\\n])[\\s\\p{C}\\p{Z}\\p{M}\\p{Default_Ignorable_Code_Point}\\u2800"])*';
const formula = new RegExp(`(?:^|(?<=[;\\t\\r\\n]))(?=${skipped}${begins})|^(?=[\\t\\r])`, 'gu');
const plainNumber = /^-\d+(?:\.\d+)?$/;

/** Returns the text with an apostrophe before each part that a spreadsheet could run as a formula. */
export const withoutFormulas = (text: string): string => (plainNumber.test(text) ? text : text.replace(formula, "'"));

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = withoutFormulas(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
