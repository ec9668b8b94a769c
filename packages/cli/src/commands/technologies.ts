import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { given, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { screenOf } from '../terminal.ts';

const command: Command = {
  summary: 'The vocabulary: slugs that profiles, history and signals use. Free.',
  usage: '[--kind KIND] [--category SLUG] [-q TEXT]',
  options: {
    '--kind <KIND>': 'platform, app, service or theme',
    '--category <SLUG>': 'only this category',
    '-q, --query <TEXT>': 'beginning of a name or slug, 2 to 64 characters',
  },
  examples: ['technologies -q kla', 'technologies --kind platform'],
  async run({ terminal, options, client, print }) {
    const query = given({ kind: options.kind, category: options.category, q: options.query, limit: 200 });
    const list = (await client()).listTechnologies(query as never, { signal: terminal.interrupted });
    const data = await take(list, Number.POSITIVE_INFINITY);
    await print({ data }, () => {
      if (data.length === 0) return 'No technology fits.\n';
      const rows = data.map(({ slug, name, kind, category, vendor }) => [slug, name, kind, category, vendor]);
      return table(['SLUG', 'NAME', 'KIND', 'CATEGORY', 'VENDOR'], rows, screenOf(terminal.stdout, terminal.env));
    });
    return exitCodes.ok;
  },
};
export default command;
