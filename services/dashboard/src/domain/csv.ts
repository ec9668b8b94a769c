/**
 * Comma-separated values by RFC 4180. A text that a spreadsheet could run as a formula gets an apostrophe before it: = + - @ at its
 * begin, or behind a character at which some spreadsheets split a cell.
 */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(/^(?=[=+\-@\t\r])|(?<=[;\t\r\n]\s*)(?=[=+\-@])/g, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
