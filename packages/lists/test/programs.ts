/** Writes tables as programs do, in bytes. */

type Table = readonly (readonly string[])[];

const quoted = (separator: string) => (cell: string) =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
const text = (table: Table, separator: string, end: string) =>
  table.map((row) => row.map(quoted(separator)).join(separator) + end).join('');

/** The characters of Windows-1252 from 0x80 to 0x9f; those from 0xa0 on are those of Latin-1. */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
export const windows1252 = (content: string) =>
  Buffer.from(
    [...content].map((character) =>
      upper.includes(character) ? 0x80 + upper.indexOf(character) : character.charCodeAt(0),
    ),
  );

export const programs = {
  'Excel, CSV of a German machine': (table: Table) => windows1252(text(table, ';', '\r\n')),
  'Excel, CSV UTF-8': (table: Table) => Buffer.from(`\uFEFF${text(table, ';', '\r\n')}`),
  'Excel, CSV of an American machine': (table: Table) => windows1252(text(table, ',', '\r\n')),
  'Excel, Unicode text': (table: Table) => Buffer.from(`\uFEFF${text(table, '\t', '\r\n')}`, 'utf16le'),
  'PowerShell 5, >': (table: Table) =>
    Buffer.from(
      `\uFEFF${table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`,
      'utf16le',
    ),
  'LibreOffice, tabs': (table: Table) => Buffer.from(text(table, '\t', '\n')),
  'a list with sep=;': (table: Table) => Buffer.from(`sep=;\r\n${text(table, ';', '\r\n')}`),
  'UTF-16, big-endian': (table: Table) => Buffer.from(`\uFEFF${text(table, ',', '\n')}`, 'utf16le').swap16(),
  'an old Mac': (table: Table) => Buffer.from(text(table, ',', '\r')),
} satisfies Record<string, (table: Table) => Buffer>;

/** Bytes in chunks of `size`. */
export async function* chunked(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
