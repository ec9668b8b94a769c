// Writes a .br and a .gz file beside each asset of the built web application. The server sends them as they are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../gen/web/client/assets');
for (const name of readdirSync(folder)) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const bytes = readFileSync(join(folder, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}
