import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { filterOptions, given, limitOf, retractionsOf, signalHeadings, signalRow, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { screenOf } from '../terminal.ts';

const command: Command = {
  summary: 'Confirmed changes of all stores, newest first. A page with rows costs one history_query.',
  usage: '[--confirmed-from TIME] [--platform SLUG] [--country CC] [--industry SLUG] [--technology SLUG]',
  options: {
    'confirmed-from': { type: 'string', value: 'TIME', help: 'confirmed from this instant (ISO 8601)' },
    'confirmed-to': { type: 'string', value: 'TIME', help: 'confirmed before this instant' },
    platform: { type: 'string', value: 'SLUG', help: 'only stores on this platform' },
    country: { type: 'string', value: 'CC', help: 'only stores of this country (two letters)' },
    industry: { type: 'string', value: 'SLUG', help: 'only stores of this industry' },
    kind: { type: 'string', value: 'KIND', help: 'only technologies of this kind: platform, app, service or theme' },
    confidence: { type: 'string', value: 'LEVEL', help: 'high, medium or low' },
    ...filterOptions,
  },
  examples: ['signals --technology klaviyo --type technology_added', 'signals --country DE --limit 500 --json'],
  positionals: { min: 0, max: 0 },
  async run({ terminal, options, client, print }) {
    const { type, technology, category, platform, country, industry, kind, confidence } = options;
    const { rows, limit } = limitOf(options.limit);
    const query = given({
      ...{ type, technology, category, platform, country, industry, kind, confidence },
      ...retractionsOf(options),
      limit,
      confirmed_from: options['confirmed-from'],
      confirmed_to: options['confirmed-to'],
    });
    const data = await take((await client()).searchSignals(query as never, { signal: terminal.interrupted }), rows);
    await print({ data }, () => {
      if (data.length === 0) return 'No change fits.\n';
      const lines = data.map((signal) => [signal.domain, ...signalRow(signal)]);
      return table(['DOMAIN', ...signalHeadings], lines, screenOf(terminal.stdout, terminal.env));
    });
    return exitCodes.ok;
  },
};
export default command;
