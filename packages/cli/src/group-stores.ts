import { ApiError, type components, createBatches, maxStoresPerCall } from '@shopscope/client';
import type { Call } from './command.ts';
import { InterruptedError, UsageError } from './exit-codes.ts';
import { faultOf, isRegularFile, readInput } from './input-file.ts';
import { limitOf, take } from './signal-rows.ts';
import { table } from './table.ts';
import { write } from './terminal.ts';

/** The stores of a list or of a watchlist, in the terminal. */

type Schemas = components['schemas'];
type StoreInput = NonNullable<Schemas['StoresAdd']['stores']>[number];

export const fileOptions = {
  '--column <NAME>': 'the file is a table, and this column has the domains (default: domain, website, url …)',
  '--id-column <NAME>': 'with add: the file is a table, and this column has your own ids of the stores (external_id)',
};
export const fileNotes =
  'add and remove send the stores of a file in requests of at most 2,000. Each request is done as a whole or not at all. A run that ended ' +
  'early continues when it is repeated.';

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

interface Sent {
  /** What is printed before the counts, as JSON. */
  printed: Readonly<Record<string, string>>;
  add?(stores: Schemas['StoresAdd']): Promise<Schemas['StoresAdded']>;
  remove?(domains: string[]): Promise<Schemas['StoresRemoved']>;
}

/**
 * Sends the stores of a file, one request at a time. Prints how many inputs had each result, also when a later request fails. A repeated
 * run leaves the stores of the earlier requests as they are.
 */
export async function sendFile(call: Call, file: string, { printed, add, remove }: Sent): Promise<undefined> {
  const { terminal, options, print } = call;
  const { column, idColumn } = options;
  if (!add && idColumn !== undefined) throw new UsageError('--id-column belongs to add.');
  if (file !== '-') await isRegularFile(file);
  const rows = readInput(terminal, file, { column, idColumn });
  const lines: number[] = [];
  async function* stores(): AsyncGenerator<StoreInput, void, undefined> {
    for await (const { line, input, id } of rows) {
      if (input === '') continue;
      lines.push(line);
      // A row without an id leaves the id that the store has.
      yield id ? { domain: input, external_id: id } : { domain: input };
    }
  }
  const counts: Record<string, number> = {};
  const printCounts = () => {
    const shown = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
    return print({ ...printed, ...counts }, () => `${shown.join(', ') || 'The file has no domains.'}\n`);
  };
  let doneLine = 0;
  try {
    for await (const { items } of createBatches(stores(), maxStoresPerCall)) {
      const domains = items.map(({ domain }) => domain);
      const sent = await (remove ? remove(domains) : add?.(idColumn === undefined ? { domains } : { stores: items }));
      for (const { result } of sent?.results ?? []) counts[result] = (counts[result] ?? 0) + 1;
      doneLine = lines.splice(0, items.length).at(-1) ?? doneLine;
    }
  } catch (error) {
    if (doneLine > 0) await printCounts();
    const done = doneLine > 0 ? `The file is done up to line ${doneLine}. ` : '';
    const goesOn = `${done}Run the same command again to continue: what is done stays as it is.`;
    if (terminal.interrupted.aborted) throw new InterruptedError(goesOn);
    if (doneLine > 0) await write(terminal.stderr, `${goesOn}\n`);
    throw namedFault(error, file, lines);
  }
  await printCounts();
}

/** Says which line of the file a request was refused for. `lines`: those of the request, and perhaps of later ones. */
function namedFault(error: unknown, file: string, lines: readonly number[]): unknown {
  if (!(error instanceof ApiError)) return faultOf(error);
  const [, place, problem] = /^(?:stores|domains)\[(\d+)\](?:\.|: )(.*)$/s.exec(error.message) ?? [];
  const line = place === undefined ? undefined : lines[Number(place)];
  if (line === undefined) return error;
  return new UsageError(`Line ${line} of ${file === '-' ? 'the input' : file} is refused: ${problem}`);
}
