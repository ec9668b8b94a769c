import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { filterOptions, given, limitOf, retractionsOf, signalHeadings, signalRow, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { screenOf } from '../terminal.ts';

const command: Command = {
  summary: 'Confirmed changes of a store, newest first. A page with rows costs one history_query.',
  usage: 'DOMAIN [--from TIME] [--to TIME] [--type TYPE] [--technology SLUG]',
  options: {
    '--from <TIME>': 'changes from this instant (ISO 8601)',
    '--to <TIME>': 'changes before this instant',
    ...filterOptions,
  },
  examples: ['history northwind-tea.example', 'history northwind-tea.example --type technology_removed --json'],
  positionals: '<DOMAIN>',
  async run({ terminal, positionals: [domain = ''], options, client, print }) {
    const { from, to, type, technology, category } = options;
    const { rows, limit } = limitOf(options.limit);
    const query = given({ from, to, type, technology, category, ...retractionsOf(options), limit });
    const list = (await client()).getStoreHistory(domain, query as never, { signal: terminal.interrupted });
    const { window } = await list;
    const data = await take(list, rows);
    await print({ domain, window, data }, () => {
      const bound = window.truncated_by_plan ? `The plan reaches back to ${window.from.slice(0, 10)}.\n` : '';
      if (data.length === 0) return `No change was confirmed in this time.\n${bound}`;
      return table(signalHeadings, data.map(signalRow), screenOf(terminal.stdout, terminal.env)) + bound;
    });
    return exitCodes.ok;
  },
};
export default command;
