import { parse } from 'csv-parse/sync';

export const separators = [',', ';', '\t', '|'] as const;

/** The line `sep=;`. It sets the separator in Excel, and Excel does not show it. */
export const separatorLine = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/i;

/** The line that Windows PowerShell 5 writes above a table. */
export const typeLine = /^#TYPE [^\r\n]*(?:\r\n|\n|\r|$)/;

export interface Shape {
  separator: string;
  /** The number of records of the sample with more than one cell. */
  tableRows: number;
  firstRecord: readonly string[];
}

/**
 * Finds the separator of a table from its first records. The order of precedence is: the separator with which
 * `hasColumn` finds the column of the domains in the first record, the one that divides most records, the one that
 * makes most cells of the first record.
 */
export function shapeOf(sample: string, hasColumn: (header: readonly string[]) => boolean): Shape {
  const records = recordsOf(sample);
  const shapes = separators.map((separator) => ({
    separator,
    tableRows: records.filter(({ cells }) => (cells.get(separator) ?? 0) > 1).length,
    firstRecord: cellsOf(records[0]?.text ?? '', separator),
  }));
  const rank = ({ firstRecord, tableRows }: Shape) => [Number(hasColumn(firstRecord)), tableRows, firstRecord.length];
  return shapes.reduce((best, shape) => (isAbove(rank(shape), rank(best)) ? shape : best));
}

const isAbove = (one: readonly number[], other: readonly number[]): boolean => {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] as number) > (other[at] as number);
};

/**
 * Returns the records of a text, and the number of cells that each separator makes of them. A record ends at a line
 * break outside quotes.
 */
function recordsOf(text: string): { text: string; cells: Map<string, number> }[] {
  const records: { text: string; cells: Map<string, number> }[] = [];
  let start = 0;
  let isQuoted = false;
  let cells = new Map<string, number>();
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character === undefined || (!isQuoted && (character === '\n' || character === '\r'))) {
      if (text.slice(start, at).trim() !== '') records.push({ text: text.slice(start, at), cells });
      start = at + 1;
      cells = new Map();
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(character as never))
      cells.set(character, (cells.get(character) ?? 1) + 1);
  }
  return records;
}

/** Whether a text has a line break outside quotes after its first blank lines. */
export const hasRecord = (text: string): boolean => /^\s*(?=\S)(?:[^"\r\n]|"[^"]*")*(?:\n|\r[\s\S])/.test(text);

/** Returns the cells of one record. If a quote is never closed, the record is one cell. */
function cellsOf(record: string, delimiter: string): string[] {
  try {
    return (parse(record, { delimiter, relax_quotes: true }) as string[][])[0] ?? [];
  } catch {
    return [record];
  }
}
