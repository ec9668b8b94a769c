import type { Client, components } from '@shopscope/client';
import type { Call, Command } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { fileNotes, fileOptions, sendFile, showStores } from '../group-stores.ts';
import { limitOf, take } from '../signal-rows.ts';
import { counted, pairs, table } from '../table.ts';

type Schemas = components['schemas'];
type Changes = Schemas['WatchlistUpdate'];

const usageText =
  'Usage: shopscope watchlists [ID | show ID | create NAME | set ID | pause ID | resume ID | delete ID | add ID FILE | remove ID FILE]';
/** The number of words behind each verb. */
const operands: Readonly<Record<string, number>> = {
  show: 1,
  create: 1,
  set: 1,
  pause: 1,
  resume: 1,
  delete: 1,
  add: 2,
  remove: 2,
};
const memberOptions = ['name', 'technologies', 'types', 'every', 'budget'] as const;

export default {
  summary:
    'Watchlists: all of them, one, its stores, or a change. The workspace receives the confirmed changes of their stores. Free; each scheduled rescan costs one refresh_requested.',
  usage: '[ID | show ID | create NAME | set ID | pause ID | resume ID | delete ID | add ID FILE|- | remove ID FILE|-]',
  options: {
    '--name <NAME>': 'with set: another name',
    '--technologies <SLUGS>': 'only changes of these technologies, with commas; all: of every technology',
    '--types <TYPES>': 'only changes of these types, with commas',
    '--every <DAYS>': 'rescan each store once in this many days; never: no rescans. Needs a key with write:scans',
    '--budget <N>': 'the most refresh_requested that rescans spend in a period; none: no bound',
    ...fileOptions,
    '--limit <N>': 'rows (default 50)',
  },
  notes: `ID prints the stores of a watchlist, and show ID its state, budget and next rescan. ${fileNotes} create and set take --technologies, --types, --every and --budget.`,
  examples: [
    'watchlists',
    'watchlists create Competitors --technologies klaviyo,gorgias --every 7',
    'watchlists add wl_01k… domains.txt',
    'watchlists show wl_01k…',
    'watchlists set wl_01k… --every never',
    'watchlists pause wl_01k…',
  ],
  positionals: '[ID] [ID] [FILE]',
  completes: Object.keys(operands),
  async run(call) {
    const [verb, ...words] = call.positionals;
    const isChange = verb !== undefined && Object.hasOwn(operands, verb);
    if (words.length !== (isChange ? operands[verb] : 0)) throw new UsageError(usageText);
    const changes = changesOf(call, verb);
    const client = await call.client();
    const [first = '', second = ''] = words;
    const signal = { signal: call.terminal.interrupted };
    const change = async (members: Changes) =>
      showWatchlist(call, await client.updateWatchlist(first, members, signal));
    if (verb === undefined) return showWatchlists(call, client);
    switch (verb) {
      case 'show':
        return showWatchlist(call, await client.getWatchlist(first, signal));
      case 'create':
        return showWatchlist(call, await client.createWatchlist({ name: first, ...changes }, signal));
      case 'set':
        return change(changes);
      case 'pause':
        return change({ state: 'paused' });
      case 'resume':
        return change({ state: 'active' });
      case 'delete':
        await client.deleteWatchlist(first, signal);
        return void (await call.print({ deleted: first }, () => `Deleted ${first}.\n`));
      case 'add':
        return sendFile(call, second, {
          printed: { watchlist_id: first },
          add: (stores) => client.addWatchlistStores(first, stores, signal),
        });
      case 'remove':
        return sendFile(call, second, {
          printed: { watchlist_id: first },
          remove: (domains) => client.removeWatchlistStores(first, { domains }, signal),
        });
      default:
        return showStores(call, 'watchlist', (query) => client.listWatchlistStores(verb, query, signal));
    }
  },
} satisfies Command;

/** The members that the options set. Throws UsageError for options that do not belong to the verb. */
function changesOf({ options }: Call, verb: string | undefined): Omit<Changes, 'state'> {
  const given = memberOptions.filter((name) => options[name] !== undefined);
  const isSet = verb === 'set';
  if (verb !== 'create' && !isSet && given.length > 0) throw new UsageError(`--${given[0]} belongs to create and set.`);
  if (verb === 'create' && options.name !== undefined) throw new UsageError('--name belongs to set.');
  if (isSet && given.length === 0) {
    throw new UsageError(`Give at least one of ${memberOptions.map((name) => `--${name}`).join(', ')}.`);
  }
  const { name, technologies, types, every, budget } = options;
  return {
    ...(name !== undefined && { name }),
    ...(technologies !== undefined && { technologies: technologies === 'all' ? [] : technologies.split(',') }),
    ...(types !== undefined && { signal_types: types.split(',') as NonNullable<Changes['signal_types']> }),
    ...(every !== undefined && { rescan_interval_days: numberOf('every', every, { min: 1, none: 'never' }) }),
    ...(budget !== undefined && {
      budget: { refresh_requested: numberOf('budget', budget, { min: 0, none: 'none' }) },
    }),
  };
}

function numberOf(option: string, text: string, { min, none }: { min: number; none: string }): number | null {
  if (text === none) return null;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new UsageError(`--${option} must be a whole number from ${min}, or ${none}.`);
}

const rescansOf = ({ rescan_interval_days: days, rescans_paused: paused }: Schemas['Watchlist']): string =>
  paused ?? (days === null ? 'none' : `every ${counted(days, 'day')}`);

async function showWatchlists({ terminal, options, print, screen }: Call, client: Client): Promise<undefined> {
  const { rows, limit } = limitOf(options.limit);
  const data = await take(client.listWatchlists({ limit }, { signal: terminal.interrupted }), rows);
  const cells = data.map((each) => [
    each.id,
    each.name,
    each.state,
    String(each.store_count),
    each.rescans_paused ?? String(each.rescan_interval_days ?? '–'),
    String(each.forecast.refresh_requested),
  ]);
  const headings = ['WATCHLIST', 'NAME', 'STATE', 'STORES', 'RESCAN DAYS', 'UNITS TO COME'];
  await print({ data }, () => table(headings, cells, screen, 'There is no watchlist.'));
}

async function showWatchlist({ print }: Call, watchlist: Schemas['Watchlist']): Promise<undefined> {
  const { forecast, budget } = watchlist;
  await print(watchlist, () =>
    pairs([
      ['Watchlist', watchlist.id],
      ['Name', watchlist.name],
      ['State', watchlist.state],
      ['Stores', String(watchlist.store_count)],
      ['Types', watchlist.signal_types.join(', ')],
      ['Technologies', watchlist.technologies.join(', ') || 'all'],
      ['Rescans', rescansOf(watchlist)],
      ['Next rescan', watchlist.next_rescan_at ?? '–'],
      ['Budget', budget.refresh_requested === null ? 'none' : `${budget.refresh_requested} refresh_requested`],
      ['To come', `${forecast.refresh_requested} refresh_requested in this period`],
      ['Left', forecast.left === null ? 'not known' : `${forecast.left} refresh_requested of the allowance`],
    ]),
  );
}
