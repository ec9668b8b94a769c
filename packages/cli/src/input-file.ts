import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { type List, ListError, type ListOptions, readList } from '@shopscope/lists';
import { UsageError } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** The file of domains that a person names. `-` is the standard input. */

/** Reads a table if a column is named or the name of the file says so, else lines. */
export function readInput(
  { stdin }: Pick<Terminal, 'stdin'>,
  file: string,
  { column, idColumn }: Pick<ListOptions, 'column' | 'idColumn'>,
): List {
  const isTable = column !== undefined || idColumn !== undefined || /\.(?:csv|tsv)$/i.test(file);
  const shape = isTable ? 'table' : 'lines';
  return readList(file === '-' ? stdin : createReadStream(file), { shape, column, idColumn });
}

/** False for a pipe, for example `<(command)` of a shell. Throws UsageError for what cannot be read. */
export async function isRegularFile(file: string): Promise<boolean> {
  try {
    await access(file, constants.R_OK);
    const stats = await stat(file);
    if (!stats.isDirectory()) return stats.isFile();
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
  throw new UsageError(`${file} is a directory.`);
}

const advice: Partial<Record<ListError['reason'], string>> = {
  no_column: ' Give --column.',
  no_id_column: ' Give another --id-column.',
};

/** Returns the fault of a file as UsageError, with what to do. Another error stays as it is. */
export const faultOf = (error: unknown): unknown =>
  error instanceof ListError ? new UsageError(error.message + (advice[error.reason] ?? '')) : error;
