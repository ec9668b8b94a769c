import type { z } from 'zod';
import type { Path } from './source.ts';

/** What a check beyond the schema found, and where in the data. */
export interface Finding {
  path: Path;
  message: string;
}

/** The files of a table. */
export interface Parts {
  /** The name of the file of a row, without its ending. */
  partOf: (index: number) => string;
}

/** One table: where people edit it, what is valid, and what the package reads. */
export interface Table<Data> {
  /** The file or folder in `data/`. */
  source: string;
  /** The file in `src/data/`, without `.rules.json`. None: only checks read the table. */
  output?: string;
  schema: z.ZodType<Data>;
  /** What a schema cannot say, such as unique names. Called with valid data only. */
  check?: (data: Data, parts: Parts) => Finding[];
  /** The value of the output, by default the data. Lists have one entry per line there. */
  compile?: (data: Data) => unknown;
}

/** A table among others, whose type of data is its own matter. */
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
      return [{ path: [index, member], message: `${value} is there twice` }];
    }),
  );
}

/** Findings for rows that are not sorted within their file, so that each row has one place and changes of two people seldom meet. */
export function unsorted<Row>(
  rows: readonly Row[],
  member: string,
  keyOf: (row: Row) => string,
  { partOf }: Parts,
): Finding[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    return before !== undefined && partOf(index - 1) === partOf(index) && keyOf(before) > keyOf(row)
      ? [{ path: [index, member], message: `${keyOf(row)} stands behind ${keyOf(before)}; rows are sorted` }]
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
