import type { Client, components } from '@shopscope/client';
import type { Call, Command } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { fileNotes, fileOptions, sendFile, showStores } from '../group-stores.ts';
import { limitOf, take } from '../signal-rows.ts';
import { pairs, table } from '../table.ts';

type List = components['schemas']['List'];

const usageText =
  'Usage: shopscope lists [ID | show ID | create NAME | rename ID NAME | delete ID | add ID FILE | remove ID FILE]';
/** The number of words behind each verb. */
const operands: Readonly<Record<string, number>> = { show: 1, create: 1, rename: 2, delete: 1, add: 2, remove: 2 };

export default {
  summary: 'Lists of stores: all of them, one, its stores, or a change. Free.',
  usage: '[ID | show ID | create NAME | rename ID NAME | delete ID | add ID FILE|- | remove ID FILE|-]',
  options: {
    ...fileOptions,
    '--limit <N>': 'rows (default 50)',
  },
  notes: `ID prints the stores of a list, and show ID its members. ${fileNotes}`,
  examples: ['lists', 'lists create Prospects', 'lists add lst_01k… domains.txt', 'lists lst_01k…'],
  positionals: '[ID] [ID] [NAME]',
  completes: Object.keys(operands),
  async run(call) {
    const [verb, ...words] = call.positionals;
    const isChange = verb !== undefined && Object.hasOwn(operands, verb);
    if (words.length !== (isChange ? operands[verb] : 0)) throw new UsageError(usageText);
    const client = await call.client();
    const [first = '', second = ''] = words;
    const signal = { signal: call.terminal.interrupted };
    if (verb === undefined) return showLists(call, client);
    switch (verb) {
      case 'show':
        return showList(call, await client.getList(first, signal));
      case 'create':
        return showList(call, await client.createList({ name: first }, signal));
      case 'rename':
        return showList(call, await client.updateList(first, { name: second }, signal));
      case 'delete':
        await client.deleteList(first, signal);
        return void (await call.print({ deleted: first }, () => `Deleted ${first}.\n`));
      case 'add':
        return sendFile(call, second, {
          printed: { list_id: first },
          add: (stores) => client.addListStores(first, stores, signal),
        });
      case 'remove':
        return sendFile(call, second, {
          printed: { list_id: first },
          remove: (domains) => client.removeListStores(first, { domains }, signal),
        });
      default:
        return showStores(call, 'list', (query) => client.listListStores(verb, query, signal));
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
