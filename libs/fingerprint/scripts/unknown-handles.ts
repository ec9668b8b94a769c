import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodePage } from '../src/decode-page.ts';
import { observeStore } from '../src/observe-store.ts';

/**
 * Counts the handles of inventories that data/inventory does not have, over a folder of saved pages
 * (`*.html`, `*.html.gz`). The commonest ones come first: add them to the table.
 */
const [folder] = process.argv.slice(2);
if (!folder) {
  process.stderr.write('npm run unknown-handles -w @shopscope/fingerprint -- FOLDER\n');
  process.exit(2);
}
const counts = new Map<string, number>();
for (const file of readdirSync(folder).filter((name) => /\.html(?:\.gz)?$/.test(name))) {
  const bytes = readFileSync(resolve(folder, file));
  const html = decodePage(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, undefined);
  const { unknownHandles } = observeStore({ url: '', status: 200, headers: {}, html });
  for (const handle of unknownHandles) counts.set(handle, (counts.get(handle) ?? 0) + 1);
}
for (const [handle, pages] of [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
  process.stdout.write(`${pages}\t${handle}\n`);
