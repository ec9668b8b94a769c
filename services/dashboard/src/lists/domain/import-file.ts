import { canonicalizeDomain } from '@shopscope/domain-name';
import { invalidField } from '@shopscope/errors';
import { type Encoding, ListError, readList } from '@shopscope/lists';

/** The file or the text of an import, as a table. A list of lines has one column. */
export interface ImportFile {
  /** The names of the columns; empty if the file has no header. */
  header: readonly string[];
  columns: number;
  rows: readonly ImportRow[];
  /** Null if the file had only ASCII characters. */
  encoding: Encoding | null;
  guess: Mapping;
}

export interface ImportRow {
  /** Counted from 1. */
  line: number;
  cells: readonly string[];
}

/** Which columns an import reads, counted from 0. If `externalId` is null, the import reads no external ids. */
export interface Mapping {
  domain: number;
  externalId: number | null;
}

export const maxImportLines = 10_000;
export const maxImportBytes = 1024 * 1024;
const maxColumns = 100;
const sampledRows = 20;

/** Names of columns with the caller's own ids, without spaces, - and _. If several columns match, the import reads the one whose name is first here. */
const idNames = [
  ...['externalid', 'crmid', 'customerid', 'accountid', 'companyid', 'recordid', 'storeid', 'shopid', 'leadid'],
  ...['id', 'reference', 'ref', 'customernumber', 'kundennummer', 'key'],
];

/**
 * Reads the bytes of a file or of a pasted text: lines, or a table with or without a header.
 *
 * - If the list has only one line, it may have several domains; each of its cells must then be a domain.
 * - Bounds: {@link maxImportBytes}, {@link maxImportLines} lines with text, {@link maxColumns} columns.
 * - Throws `invalid_request` for the field `domains` if the bytes do not contain a list or exceed a bound.
 */
export async function readImportFile(bytes: Uint8Array): Promise<ImportFile> {
  if (bytes.length > maxImportBytes) throw invalidField('domains', 'An import can have at most 1 MiB.');
  const list = readList(once(bytes), { shape: 'any' });
  let rows: ImportRow[] = [];
  try {
    for await (const { line, input, cells = [input] } of list) {
      if (rows.length === maxImportLines) throw tooManyLines(line);
      rows.push({ line, cells });
    }
  } catch (error) {
    throw error instanceof ListError ? invalidField('domains', error.message) : error;
  }
  if (rows.length === 1 && !list.header) rows = rows.flatMap(domainsOfLine);
  if (rows.length === 0) throw invalidField('domains', 'Enter at least one domain, one per line.');
  const header = list.header ?? [];
  const columns = Math.max(header.length, ...rows.map(({ cells }) => cells.length));
  if (columns > maxColumns) throw invalidField('domains', `A line can have at most ${maxColumns} columns.`);
  const domain = list.header ? (list.column ?? 0) : columnWithDomains(rows, columns);
  return {
    header,
    columns,
    rows,
    encoding: list.encoding ?? null,
    guess: { domain, externalId: idColumn(header, domain) },
  };
}

/** The mapping, if the file has its columns. */
export function parseMapping({ columns }: ImportFile, { domain, externalId }: Mapping): Mapping {
  const isColumn = (column: number) => Number.isInteger(column) && column >= 0 && column < columns;
  if (!isColumn(domain)) throw invalidField('domain_column', 'Choose a column of the file.');
  if (externalId !== null && (!isColumn(externalId) || externalId === domain)) {
    throw invalidField('id_column', 'Choose another column of the file.');
  }
  return { domain, externalId };
}

const isDomain = (cell: string) => canonicalizeDomain(cell.trim()).ok;

/** The column with the most domains in the first rows. */
function columnWithDomains(rows: readonly ImportRow[], columns: number): number {
  const sample = rows.slice(0, sampledRows);
  const counts = Array.from({ length: columns }, (_, column) =>
    sample.reduce((sum, { cells }) => sum + (isDomain(cells[column] ?? '') ? 1 : 0), 0),
  );
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

function idColumn(header: readonly string[], domain: number): number | null {
  const names = header.map((name) => name.toLowerCase().replace(/[\s_-]+/g, ''));
  const at = idNames.map((name) => names.indexOf(name)).find((column) => column >= 0 && column !== domain);
  return at ?? null;
}

/** The cells of a line that is a list itself, such as `a.example, b.example`. Any other line is returned unchanged. */
function domainsOfLine(row: ImportRow): ImportRow[] {
  const cells = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return cells.length > 1 && cells.length <= maxImportLines && cells.every(isDomain)
    ? cells.map((cell) => ({ line: row.line, cells: [cell] }))
    : [row];
}

function tooManyLines(line: number) {
  const [most, at] = [maxImportLines, line].map((count) => count.toLocaleString('en'));
  return invalidField('domains', `An import can have at most ${most} lines with text. Split it before line ${at}.`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
