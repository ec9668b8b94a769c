import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { UsageError } from '../exit-codes.ts';

/** One row of the input. */
export interface Row {
  input: string;
  /** All cells, in the order of the header. Undefined in a list of domains. */
  cells?: readonly string[];
}

export interface Rows extends AsyncIterable<Row> {
  /** Known once the first row was read. Undefined for a list of domains. */
  header: readonly string[] | undefined;
}

const maxRecordBytes = 1_000_000;

/** A list of domains, one a line. Blank lines are no rows. */
export function listRows(stream: Readable): Rows {
  // Taken at once: readline loses lines that come before its iterator is taken.
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  return {
    header: undefined,
    async *[Symbol.asyncIterator]() {
      for await (const line of { [Symbol.asyncIterator]: () => lines }) {
        const input = line.trim();
        if (input !== '') yield { input };
      }
    },
  };
}

/** A CSV file with a header, whose `column` has the domains. Blank lines are no rows. */
export function csvRows(stream: Readable, column: string): Rows {
  const options = { bom: true, skip_empty_lines: true, relax_column_count_less: true, max_record_size: maxRecordBytes };
  const records = stream.pipe(parse(options));
  stream.on('error', (error) => records.destroy(error));
  const rows: Rows = {
    header: undefined,
    async *[Symbol.asyncIterator]() {
      let at = -1;
      try {
        for await (const cells of records as AsyncIterable<string[]>) {
          if (rows.header) {
            yield { input: (cells[at] ?? '').trim(), cells };
            continue;
          }
          rows.header = cells;
          at = cells.indexOf(column);
          if (at < 0) {
            throw new UsageError(
              `There is no column ${JSON.stringify(column)}: the file has ${cells.join(', ')}. Give --column.`,
            );
          }
        }
      } catch (error) {
        if (!String((error as { code?: unknown }).code).startsWith('CSV_')) throw error;
        throw new UsageError(`The input is not valid CSV: ${(error as Error).message}`);
      }
    },
  };
  return rows;
}
