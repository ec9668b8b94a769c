import type { z } from 'zod';
import type { Path } from './source.ts';

/** A problem that a check beyond the schema found, and its place in the data. */
export interface Finding {
  path: Path;
  message: string;
}

/** The files of a table. */
export interface Parts {
  /** Returns the name of the file that has the row, without its extension. */
  partOf: (index: number) => string;
}

/** One table: the file that people edit, the rules for valid data, and the output that the package reads. */
export interface Table<Data> {
  /** The file or folder in `data/`. */
  source: string;
  /** The file in `src/data/`, without `.rules.json`. If it is missing, only checks read the table. */
  output?: string;
  schema: z.ZodType<Data>;
  /** Checks rules that a schema cannot express, such as unique names. It is called with valid data only. */
  check?: (data: Data, parts: Parts) => Finding[];
  /** Returns the value of the output. Default: the data. In the output, lists have one entry per line. */
  compile?: (data: Data) => unknown;
}

/** A table whose type of data is not known here. */
// biome-ignore lint/suspicious/noExplicitAny: each table passes data of its own type to its own functions.
export type AnyTable = Table<any>;

/** Findings for values that occur twice. */
export function duplicates<Row>(
  rows: readonly Row[],
  member: string,
  valuesOf: (row: Row) => readonly (string | number)[],
): Finding[] {
  const first = new Map<string | number, number>();
  return rows.flatMap((row, index) =>
    valuesOf(row).flatMap((value) => {
      if (!first.has(value)) {
        first.set(value, index);
        return [];
      }
      return [{ path: [index, member], message: `${value} occurs twice` }];
    }),
  );
}

/** Findings for rows that are not sorted within their file. Each row has one place, so that changes by two people seldom conflict. */
export function unsorted<Row>(
  rows: readonly Row[],
  member: string,
  keyOf: (row: Row) => string,
  { partOf }: Parts,
): Finding[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    return before !== undefined && partOf(index - 1) === partOf(index) && keyOf(before) > keyOf(row)
      ? [{ path: [index, member], message: `${keyOf(row)} must be before ${keyOf(before)}; rows are sorted` }]
      : [];
  });
}

/** Findings for rows whose keys occur twice or are not sorted. */
export const uniqueAndSorted = <Row>(
  rows: readonly Row[],
  member: string,
  keyOf: (row: Row) => string,
  parts: Parts,
): Finding[] => [...duplicates(rows, member, (row) => [keyOf(row)]), ...unsorted(rows, member, keyOf, parts)];
