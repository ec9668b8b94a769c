import { createReadStream } from 'node:fs';
import type { components } from '@shopscope/client';
import { readList } from '@shopscope/lists';
import type { Call } from './command.ts';
import { limitOf, take } from './signal-rows.ts';
import { table } from './table.ts';

/** The stores of a list or of a watchlist, in the terminal. */

type Schemas = components['schemas'];
/** The bound of the service for one request. */
const maxStoresPerCall = 2_000;

export const fileOptions = {
  '--column <NAME>': 'the file is a table, and this column has the domains (default: domain, website, url …)',
};
export const fileNotes =
  'add and remove send the domains of a file in requests of 2,000. Each request is done as a whole or not at all.';

export async function showStores(
  { options, print, screen }: Call,
  noun: string,
  read: (query: { limit: number }) => AsyncIterable<Schemas['MemberStore']>,
): Promise<undefined> {
  const { rows, limit } = limitOf(options.limit);
  const data = await take(read({ limit }), rows);
  const cells = data.map((store) => [store.domain, store.external_id ?? '–', store.added_at]);
  await print({ data }, () => table(['DOMAIN', 'EXTERNAL ID', 'ADDED'], cells, screen, `The ${noun} has no stores.`));
}

/** Sends the domains of a file, one request at a time. Prints how many inputs had each result, after `printed`. */
export async function sendFile(
  { terminal, options, print }: Call,
  file: string,
  send: (domains: string[]) => Promise<Schemas['StoresAdded'] | Schemas['StoresRemoved']>,
  printed: Readonly<Record<string, string>>,
): Promise<undefined> {
  const { column } = options;
  const shape = column !== undefined || /\.(?:csv|tsv)$/i.test(file) ? 'table' : 'lines';
  const rows = readList(file === '-' ? terminal.stdin : createReadStream(file), { shape, column });
  const counts: Record<string, number> = {};
  let domains: string[] = [];
  const flush = async () => {
    for (const { result } of (await send(domains)).results) counts[result] = (counts[result] ?? 0) + 1;
    domains = [];
  };
  for await (const { input } of rows) {
    if (input === '') continue;
    domains.push(input);
    if (domains.length === maxStoresPerCall) await flush();
  }
  if (domains.length > 0) await flush();
  const shown = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  await print({ ...printed, ...counts }, () => `${shown.join(', ') || 'The file has no domains.'}\n`);
}
