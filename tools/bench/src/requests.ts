import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import { domainOf } from './corpus.ts';
import type { BenchSettings } from './settings.ts';

const domainsPerBatch = 100;
const batchesPerConnection = 4;

/** One look-up of every store of the corpus. */
export const lookUps = ({ stores }: BenchSettings): Request[] =>
  Array.from({ length: stores }, (_, n) => ({ method: 'GET' as const, path: `/v1/stores/${domainOf(n)}` }));

/** Batches of a hundred stores from all parts of the corpus. */
export const enrichBatches = (
  { stores, enrichConnections }: BenchSettings,
  headers: Record<string, string>,
): Request[] =>
  Array.from({ length: batchesPerConnection * enrichConnections }, (_, n) => ({
    method: 'POST' as const,
    path: '/v1/stores/enrich',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      domains: Array.from({ length: domainsPerBatch }, (_, i) => domainOf((n * 97 + i * 19) % stores)),
    }),
  }));

/** Saves the response to a request in a file, for references that send the same bytes. Resolves to the file. */
export async function saveResponse(
  name: string,
  { path = '', method, body }: Request,
  to: { url: string; headers: Record<string, string>; folder: string },
): Promise<string> {
  const headers = { ...to.headers, 'content-type': 'application/json' };
  const response = await fetch(to.url + path, { method: method ?? 'GET', headers, body: (body as string) ?? null });
  if (response.status !== 200) throw new Error(`${name}: ${await response.text()}`);
  const file = join(to.folder, name);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return file;
}
