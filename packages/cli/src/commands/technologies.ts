import type { Command } from '../command.ts';
import { given, take } from '../signal-rows.ts';
import { table } from '../table.ts';

export default {
  summary: 'The vocabulary: slugs that profiles, history and signals use. Free.',
  usage: '[--kind KIND] [--category SLUG] [-q TEXT] [--sort SORT]',
  options: {
    '--kind <KIND>': 'platform, app, service or theme',
    '--category <SLUG>': 'only this category',
    '-q, --query <TEXT>': 'beginning of a name or slug, 2 to 64 characters',
    '--sort <SORT>': 'slug (default), or -stores: the most stores first',
  },
  examples: ['technologies -q kla', 'technologies --kind platform --sort -stores'],
  notes: '– in STORES: fewer than 5, or not known now.',
  async run({ terminal, options, client, print, screen }) {
    const { kind, category, query: q, sort } = options;
    const query = given({ kind, category, q, sort, limit: 200 });
    const list = (await client()).listTechnologies(query as never, { signal: terminal.interrupted });
    const data = await take(list, Number.POSITIVE_INFINITY);
    const rows = data.map((each) => [each.slug, each.name, each.kind, each.category, each.vendor, storesOf(each)]);
    const headings = ['SLUG', 'NAME', 'KIND', 'CATEGORY', 'VENDOR', 'STORES'];
    await print({ data }, () => table(headings, rows, screen, 'No technology fits.'));
  },
} satisfies Command;

const storesOf = ({ stores }: { stores: number | null }) => (stores === null ? '–' : String(stores));
