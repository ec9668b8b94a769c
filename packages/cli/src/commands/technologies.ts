import type { Command } from '../command.ts';
import { given, take } from '../signal-rows.ts';
import { table } from '../table.ts';

export default {
  summary: 'The vocabulary: slugs that profiles, history and signals use. Free.',
  usage: '[--kind KIND] [--category SLUG] [-q TEXT]',
  options: {
    '--kind <KIND>': 'platform, app, service or theme',
    '--category <SLUG>': 'only this category',
    '-q, --query <TEXT>': 'beginning of a name or slug, 2 to 64 characters',
  },
  examples: ['technologies -q kla', 'technologies --kind platform'],
  async run({ terminal, options, client, print, screen }) {
    const query = given({ kind: options.kind, category: options.category, q: options.query, limit: 200 });
    const list = (await client()).listTechnologies(query as never, { signal: terminal.interrupted });
    const data = await take(list, Number.POSITIVE_INFINITY);
    const rows = data.map(({ slug, name, kind, category, vendor }) => [slug, name, kind, category, vendor]);
    const headings = ['SLUG', 'NAME', 'KIND', 'CATEGORY', 'VENDOR'];
    await print({ data }, () => table(headings, rows, screen, 'No technology fits.'));
  },
} satisfies Command;
