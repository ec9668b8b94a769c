import type { Command } from '../command.ts';
import { filterOptions, given, limitOf, retractionsOf, signalHeadings, signalRow, take } from '../signal-rows.ts';
import { table } from '../table.ts';

const { '--type <TYPE>': _type, '--technology <SLUG>': _technology, ...otherOptions } = filterOptions;

export default {
  summary: 'Confirmed changes of all stores, newest first. A page with rows costs one history_query.',
  usage: '[--confirmed-from TIME] [--platform SLUG] [--country CC] [--industry SLUG] [--technology SLUG]',
  options: {
    '--confirmed-from <TIME>': 'confirmed from this instant (ISO 8601), inclusive',
    '--confirmed-to <TIME>': 'confirmed up to this instant, inclusive',
    '--type <TYPES>': `${filterOptions['--type <TYPE>']}; commas separate several`,
    '--technology <SLUGS>': 'only these technologies; commas separate values here and in the five options below',
    '--from-value <VALUES>': 'only changes from these platforms, install states or statuses',
    '--to-value <VALUES>': 'only changes to these platforms, install states or statuses',
    '--platform <SLUGS>': 'only stores on these platforms',
    '--country <CCS>': 'only stores of these countries (two letters each)',
    '--industry <SLUGS>': 'only stores of these industries',
    '--kind <KIND>': 'only technologies of this kind: platform, app, service or theme',
    '--confidence <LEVEL>': 'high, medium or low',
    '--list <ID>': 'only stores of this list; needs the scope read:watchlists too',
    '--order <ORDER>': 'desc (default) or asc: oldest first, needs --confirmed-from',
    ...otherOptions,
  },
  examples: [
    'signals --type platform_changed --from-value magento --to-value shopify',
    'signals --technology klaviyo,gorgias --country DE,FR --limit 500 --json',
  ],
  async run({ terminal, options, client, print, screen }) {
    const { type, technology, category, platform, country, industry, kind, confidence, order } = options;
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
      order,
      from_value: options.fromValue,
      to_value: options.toValue,
      list_id: options.list,
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
