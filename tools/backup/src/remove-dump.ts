import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestName } from './manifest.ts';

/**
 * Removes a dump. Its manifest goes first: what a killed process leaves of the directory counts as unfinished, and not as a dump that
 * lost files. A directory that cannot be removed itself, because it is the root of a volume, ends empty.
 */
export async function removeDump(directory: string): Promise<void> {
  await rm(join(directory, manifestName), { force: true });
  for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY') throw error;
  });
}
