import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodePage, observeStore } from '@shopscope/fingerprint';

/**
 * Returns the inventory handles in the saved pages of a folder that data/inventory does not have. Each line has the number of pages and a
 * handle. The most frequent handle comes first.
 */
export function unknownHandlesIn(folder: string): string {
  const counts = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => /\.html(?:\.gz)?$/.test(name))) {
    const bytes = readFileSync(join(folder, file));
    const html = decodePage(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, undefined);
    const { unknownHandles } = observeStore({ url: '', status: 200, headers: {}, html });
    for (const handle of unknownHandles) counts.set(handle, (counts.get(handle) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([handle, pages]) => `${pages}\t${handle}\n`)
    .join('');
}
