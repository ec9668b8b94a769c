import type { Command } from '../command.ts';
import { filterOptions, given, limitOf, retractionsOf, signalHeadings, signalRow, take } from '../signal-rows.ts';
import { table } from '../table.ts';

export default {
  summary: 'Confirmed changes of all stores, newest first. A page with rows costs one history_query.',
  usage: '[--confirmed-from TIME] [--platform SLUG] [--country CC] [--industry SLUG] [--technology SLUG]',
  options: {
    '--confirmed-from <TIME>': 'confirmed from this instant (ISO 8601)',
    '--confirmed-to <TIME>': 'confirmed before this instant',
    '--platform <SLUG>': 'only stores on this platform',
    '--country <CC>': 'only stores of this country (two letters)',
    '--industry <SLUG>': 'only stores of this industry',
    '--kind <KIND>': 'only technologies of this kind: platform, app, service or theme',
    '--confidence <LEVEL>': 'high, medium or low',
    ...filterOptions,
  },
  examples: ['signals --technology klaviyo --type technology_added', 'signals --country DE --limit 500 --json'],
  async run({ terminal, options, client, print, screen }) {
    const { type, technology, category, platform, country, industry, kind, confidence } = options;
    const { rows, limit } = limitOf(options.limit);
    const query = given({
      type,
      technology,
      category,
      platform,
      country,
      industry,
      kind,
      confidence,
      ...retractionsOf(options),
      limit,
      confirmed_from: options.confirmedFrom,
      confirmed_to: options.confirmedTo,
    });
    const data = await take((await client()).searchSignals(query as never, { signal: terminal.interrupted }), rows);
    const lines = data.map((signal) => [signal.domain, ...signalRow(signal)]);
    await print({ data }, () => table(['DOMAIN', ...signalHeadings], lines, screen, 'No change fits.'));
  },
} satisfies Command;
