import type { Command } from '../command.ts';
import { filterOptions, given, limitOf, retractionsOf, signalHeadings, signalRow, take } from '../signal-rows.ts';
import { table } from '../table.ts';

export default {
  summary: 'Confirmed changes of a store, newest first. A page with rows costs one history_query.',
  usage: 'DOMAIN [--from TIME] [--to TIME] [--type TYPE] [--technology SLUG]',
  options: {
    '--from <TIME>': 'changes from this instant (ISO 8601), inclusive',
    '--to <TIME>': 'changes up to this instant, inclusive',
    ...filterOptions,
  },
  examples: ['history matched.test', 'history matched.test --type technology_removed --json'],
  positionals: '<DOMAIN>',
  async run({ terminal, positionals: [domain = ''], options, client, print, screen }) {
    const { from, to, type, technology, category } = options;
    const { rows, limit } = limitOf(options.limit);
    const query = given({ from, to, type, technology, category, ...retractionsOf(options), limit });
    const list = (await client()).getStoreHistory(domain, query as never, { signal: terminal.interrupted });
    const { window } = await list;
    const data = await take(list, rows);
    await print({ domain, window, data }, () => {
      const bound = window.truncated_by_plan ? `The plan reaches back to ${window.from.slice(0, 10)}.\n` : '';
      return table(signalHeadings, data.map(signalRow), screen, 'No change was confirmed in this time.') + bound;
    });
  },
} satisfies Command;
