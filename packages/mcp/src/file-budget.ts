import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BudgetStore } from './budget.ts';

/**
 * Units in files of one directory: one file for each key and day, one line for each addition. Appending is atomic, so several
 * processes share the files. Files of earlier days are deleted when a new one begins.
 */
export function fileBudget(directory: string): BudgetStore {
  return {
    async add({ keyId, day }, units) {
      const name = `mcp-units-${keyId}-${day}`;
      const file = join(directory, name);
      if (units !== 0) {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await appendFile(file, `${units}\n`, { mode: 0o600 });
      }
      const lines = await readFile(file, 'utf8').catch(() => '');
      if (lines === `${units}\n`) await forgetEarlier(directory, `mcp-units-${keyId}-`, name);
      return lines.split('\n').reduce((sum, line) => sum + Number(line), 0);
    },
  };
}

async function forgetEarlier(directory: string, prefix: string, name: string): Promise<void> {
  for (const other of await readdir(directory)) {
    if (other.startsWith(prefix) && other < name) await rm(join(directory, other), { force: true });
  }
}
