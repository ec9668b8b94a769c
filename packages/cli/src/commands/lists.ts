import { createReadStream } from 'node:fs';
import type { Client, components } from '@shopscope/client';
import { readList } from '@shopscope/lists';
import type { Call, Command } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { limitOf, take } from '../signal-rows.ts';
import { pairs, table } from '../table.ts';

type List = components['schemas']['List'];

const usageText =
  'Usage: shopscope lists [ID | create NAME | rename ID NAME | delete ID | add ID FILE | remove ID FILE]';
/** The bound of the service for one request. */
const maxStoresPerCall = 2_000;
/** The number of words behind each verb. */
const operands: Readonly<Record<string, number>> = { create: 1, rename: 2, delete: 1, add: 2, remove: 2 };

export default {
  summary: 'Lists of stores: all of them, the stores of one, or a change. Free.',
  usage: '[ID | create NAME | rename ID NAME | delete ID | add ID FILE|- | remove ID FILE|-]',
  options: {
    '--column <NAME>': 'the file is a table, and this column has the domains (default: domain, website, url …)',
    '--limit <N>': 'rows (default 50)',
  },
  notes:
    'add and remove send the domains of a file in requests of 2,000. Each request is done as a whole or not at all.',
  examples: ['lists', 'lists create Prospects', 'lists add lst_01k… domains.txt', 'lists lst_01k…'],
  positionals: '[ID] [ID] [NAME]',
  completes: Object.keys(operands),
  async run(call) {
    const [verb, ...words] = call.positionals;
    const isChange = verb !== undefined && Object.hasOwn(operands, verb);
    if (words.length !== (isChange ? operands[verb] : 0)) throw new UsageError(usageText);
    const client = await call.client();
    const [first = '', second = ''] = words;
    if (verb === undefined) return showLists(call, client);
    switch (verb) {
      case 'create':
        return showList(call, await client.createList({ name: first }, { signal: call.terminal.interrupted }));
      case 'rename':
        return showList(call, await client.updateList(first, { name: second }, { signal: call.terminal.interrupted }));
      case 'delete':
        await client.deleteList(first, { signal: call.terminal.interrupted });
        return void (await call.print({ deleted: first }, () => `Deleted ${first}.\n`));
      case 'add':
      case 'remove':
        return sendFile(call, client, { verb, listId: first, file: second });
      default:
        return showStores(call, client, verb);
    }
  },
} satisfies Command;

async function showLists({ terminal, options, print, screen }: Call, client: Client): Promise<undefined> {
  const { rows, limit } = limitOf(options.limit);
  const data = await take(client.listLists({ limit }, { signal: terminal.interrupted }), rows);
  const cells = data.map((list) => [list.id, list.name, String(list.store_count), list.updated_at]);
  await print({ data }, () => table(['LIST', 'NAME', 'STORES', 'UPDATED'], cells, screen, 'There is no list.'));
}

async function showList({ print }: Call, list: List): Promise<undefined> {
  await print(list, () =>
    pairs([
      ['List', list.id],
      ['Name', list.name],
      ['Stores', String(list.store_count)],
      ['Created', list.created_at],
      ['Updated', list.updated_at],
    ]),
  );
}

async function showStores({ terminal, options, print, screen }: Call, client: Client, id: string): Promise<undefined> {
  const { rows, limit } = limitOf(options.limit);
  const data = await take(client.listListStores(id, { limit }, { signal: terminal.interrupted }), rows);
  const cells = data.map((store) => [store.domain, store.external_id ?? '–', store.added_at]);
  await print({ data }, () => table(['DOMAIN', 'EXTERNAL ID', 'ADDED'], cells, screen, 'The list has no stores.'));
}

/** Sends the domains of a file, one request at a time. Prints how many inputs had each result. */
async function sendFile(
  { terminal, options, print }: Call,
  client: Client,
  { verb, listId, file }: { verb: 'add' | 'remove'; listId: string; file: string },
): Promise<undefined> {
  const { column } = options;
  const shape = column !== undefined || /\.(?:csv|tsv)$/i.test(file) ? 'table' : 'lines';
  const rows = readList(file === '-' ? terminal.stdin : createReadStream(file), { shape, column });
  const counts: Record<string, number> = {};
  const send = async (domains: string[]) => {
    const options = { signal: terminal.interrupted };
    const { results } =
      verb === 'add'
        ? await client.addListStores(listId, { domains }, options)
        : await client.removeListStores(listId, { domains }, options);
    for (const { result } of results) counts[result] = (counts[result] ?? 0) + 1;
  };
  let domains: string[] = [];
  for await (const { input } of rows) {
    if (input === '') continue;
    domains.push(input);
    if (domains.length < maxStoresPerCall) continue;
    await send(domains);
    domains = [];
  }
  if (domains.length > 0) await send(domains);
  const shown = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  await print({ list_id: listId, ...counts }, () => `${shown.join(', ') || 'The file has no domains.'}\n`);
}
