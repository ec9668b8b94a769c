import { readFile, rename, writeFile } from 'node:fs/promises';
import { UsageError } from './exit-codes.ts';

/** The cursor that an earlier run stored. Undefined without a file, or with an empty one. */
export async function readCursor(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The file has the old cursor or the new one, whenever the process ends. */
export async function storeCursor(file: string, cursor: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, `${cursor}\n`);
    await rename(draft, file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
