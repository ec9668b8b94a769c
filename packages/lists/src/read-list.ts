import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { decodeText, type Encoding } from './decode-text.ts';
import { linesOf, maxRowLength } from './lines.ts';
import { ListError } from './list-error.ts';
import { hasRecord, separatorLine, shapeOf, typeLine } from './separator.ts';

export interface ListRow {
  /** The number of the line in which the row begins. It counts from 1. */
  line: number;
  /** The cell with the domain, without blanks around it. */
  input: string;
  /** The cell with the id, without blanks around it. Undefined without an `idColumn`. */
  id?: string;
  /** All cells, in the order of the header. Undefined if the list has one domain per line. */
  cells?: readonly string[];
}

export interface List extends AsyncIterable<ListRow> {
  /** Known after the first row was read. Undefined if the list has no header. */
  header: readonly string[] | undefined;
  /** The index of the cell with the domain in each row, from 0. Known after the first row was read. */
  column: number | undefined;
  /** Known after the first character beyond ASCII was read. */
  encoding: Encoding | undefined;
}

export interface ListOptions {
  /**
   * - `lines`: one domain per line. A first line `sep=;` makes it a table.
   * - `table`: a header, then rows.
   * - `any`: the first lines decide whether it is a table with a header, a table without one, or lines. If a table has
   *   no known header, its first column is read.
   */
  shape: 'lines' | 'table' | 'any';
  /**
   * The name of the column with the domains, in any case and with any blanks. Default: the first of {@link columnNames}
   * that the header has.
   */
  column?: string | undefined;
  /** The name of a column with ids, as `column` is read. */
  idColumn?: string | undefined;
}

/** Names of columns with domains, in the order of their precedence. */
export const columnNames = [
  ...['domain', 'domains', 'domain name', 'company domain', 'host', 'hostname'],
  ...['website', 'web site', 'webseite', 'website url', 'url', 'urls', 'store url', 'shop url', 'homepage'],
  ...['site', 'store', 'stores', 'shop'],
];

/** Lines from which the separator of a list of shape `any` is found. */
const sampledLines = 20;

/**
 * Reads a list in constant memory. Accepts what spreadsheets and shells write.
 *
 * - Encoding: see {@link decodeText}. Separator: comma, semicolon, tab, bar, or the one in a line `sep=;`. Quoted cells
 *   may contain line breaks.
 * - Blank rows are skipped.
 * - Throws ListError if the column is missing or occurs twice, a quote is never closed, a row is longer than a million
 *   characters, or bytes are not text.
 */
export function readList(bytes: AsyncIterable<Uint8Array>, { shape, column, idColumn }: ListOptions): List {
  const list: List = {
    header: undefined,
    column: undefined,
    encoding: undefined,
    async *[Symbol.asyncIterator]() {
      const text = decodeText(bytes, (encoding) => {
        list.encoding = encoding;
      });
      const { head, whole } = await takeHead(text, enoughOf[shape]);
      const stated = separatorLine.exec(head);
      const begin = (stated ?? typeLine.exec(head))?.[0] ?? '';
      if (shape === 'lines' && begin === '') return yield* lineRows(whole(''));
      const found = shapeOf(head.slice(begin.length), (header) => columnIn(header, column) !== undefined);
      const separator = stated?.[1] ?? found.separator;
      const rows =
        shape === 'any' && begin === '' && found.tableRows === 0
          ? lineRows(whole(''))
          : tableRows(whole(begin), { separator, firstLine: begin === '' ? 1 : 2, isLoose: shape === 'any' });
      let at: number | undefined;
      let idAt: number | undefined;
      for await (const row of rows) {
        const cells = row.cells ?? [row.input];
        if (at === undefined) {
          const named = columnIn(cells, column);
          if (named === undefined && (shape !== 'any' || column !== undefined)) throw noColumn(cells, column);
          idAt = idColumn === undefined ? undefined : columnIn(cells, idColumn, 'no_id_column');
          if (idColumn !== undefined && idAt === undefined) throw noColumn(cells, idColumn, 'no_id_column');
          at = named ?? 0;
          list.column = at;
          if (named !== undefined) {
            list.header = cells;
            continue;
          }
        }
        const cell = (cells[at] ?? '').trim();
        // No domain has these characters, so a separator after the domain is cut off.
        const input = shape === 'any' ? (cell.split(/[,;\t]/, 1)[0] as string).trim() : cell;
        yield idAt === undefined ? { ...row, input } : { ...row, input, id: (cells[idAt] ?? '').trim() };
      }
    },
  };
  return list;
}

const hasLine = (text: string) => /\n|\r[\s\S]/.test(text) || text.length > 100;
const hasSample = (text: string) => text.split('\n').length > sampledLines;
const hasHeader = (text: string) => hasRecord(text.replace(typeLine, ''));
const enoughOf: Record<ListOptions['shape'], (head: string) => boolean> = {
  lines: (head) => (typeLine.test(head) ? hasHeader(head) : hasLine(head)),
  table: hasHeader,
  any: hasSample,
};

interface Head {
  head: string;
  /** Yields the text after the given beginning. */
  whole(begin: string): AsyncGenerator<string, void, undefined>;
}

/** Reads until `isEnough` is true, at most as much as the longest row. */
async function takeHead(
  text: AsyncGenerator<string, void, undefined>,
  isEnough: (head: string) => boolean,
): Promise<Head> {
  let head = '';
  while (!isEnough(head) && head.length < maxRowLength) {
    const { value, done } = await text.next();
    if (done) break;
    head += value;
  }
  return {
    head,
    async *whole(begin) {
      yield head.slice(begin.length);
      yield* text;
    },
  };
}

async function* lineRows(text: AsyncIterable<string>): AsyncGenerator<ListRow, void, undefined> {
  for await (const { line, text: row } of linesOf(text)) {
    // PowerShell quotes every cell, even in a table with one column. No domain has a quote.
    const input = row
      .trim()
      .replace(/^"([^"]*)"$/, '$1')
      .trim();
    if (input !== '') yield { line, input };
  }
}

/** Yields the rows of a table. `isLoose`: rows may have more cells than the first one. */
async function* tableRows(
  text: AsyncIterable<string>,
  { separator, firstLine, isLoose }: { separator: string; firstLine: number; isLoose: boolean },
): AsyncGenerator<ListRow, void, undefined> {
  let next = firstLine;
  // csv-parse counts a quoted CR LF as two lines.
  let pairs = 0;
  let width: number | undefined;
  const onRecord = (cells: string[], { lines }: { lines: number }): ListRow | null => {
    const breaks = matchesIn(cells, /\r\n|\n|\r/g);
    pairs += matchesIn(cells, /\r\n/g);
    const last = lines - pairs + firstLine - 1;
    next = last + 1;
    const isFilled = (cell: string) => cell.trim() !== '';
    if (!cells.some(isFilled)) return null;
    width ??= cells.length;
    // Spreadsheets write empty cells after the last column.
    if (!isLoose && cells.splice(width).some(isFilled)) {
      throw new ListError(`A row has more cells than the header (line ${last - breaks}).`);
    }
    return { line: last - breaks, input: '', cells };
  };
  const records = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowLength,
    relax_column_count: true,
    on_record: onRecord as never,
  });
  // Its failures reach the reader of the records.
  pipeline(Readable.from(text), records, () => undefined);
  try {
    yield* records as AsyncIterable<ListRow>;
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('CSV_')) throw error;
    throw unreadableRow(error as CsvError, next);
  }
}

const matchesIn = (cells: readonly string[], pattern: RegExp) =>
  cells.reduce((sum, cell) => sum + cell.split(pattern).length - 1, 0);

function unreadableRow(error: CsvError, line: number): ListError {
  const problems: Partial<Record<CsvError['code'], string>> = {
    CSV_QUOTE_NOT_CLOSED: 'A quote is opened and never closed',
    CSV_MAX_RECORD_SIZE: `A row is longer than ${maxRowLength.toLocaleString('en')} characters`,
  };
  return new ListError(`${problems[error.code] ?? error.message} (line ${line}).`, 'unreadable', { cause: error });
}

const plainName = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Databases and exports write names with _ or - in place of blanks. */
const knownName = (name: string) => plainName(name.replace(/[_-]/g, ' '));

/**
 * Returns the index of the column with the domains or the ids. A name in the same case takes precedence over a name in another
 * case. Throws ListError if two columns have the requested name.
 */
function columnIn(
  header: readonly string[],
  column: string | undefined,
  reason: ListError['reason'] = 'no_column',
): number | undefined {
  const names = header.map(column === undefined ? knownName : plainName);
  for (const wanted of column === undefined ? columnNames : [column]) {
    const exact = header.indexOf(wanted);
    if (exact >= 0) return exact;
    const at = names.indexOf(plainName(wanted));
    if (at < 0) continue;
    if (column !== undefined && names.indexOf(plainName(wanted), at + 1) >= 0) {
      throw new ListError(`Two columns are called ${JSON.stringify(wanted)}.`, reason);
    }
    return at;
  }
  return undefined;
}

function noColumn(
  header: readonly string[],
  column: string | undefined,
  reason: ListError['reason'] = 'no_column',
): ListError {
  const has = header
    .map((name) => name.trim())
    .join(', ')
    .slice(0, 500);
  const missing =
    column === undefined ? 'column of domains, such as domain, website or url' : `column ${JSON.stringify(column)}`;
  return new ListError(`There is no ${missing}: the file has ${has}.`, reason);
}
