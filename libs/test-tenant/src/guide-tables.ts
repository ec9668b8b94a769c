import { countGenerated } from './generated/counts.ts';
import { magicDomains, magicHead, magicRowOf } from './magic-domains.ts';

/** The guide lists this many technologies and industries, the most frequent ones. */
const listed = 5;

/** The tables of docs/guides/test-tenant.md, by the heading above them. */
export function guideTables(): Record<string, string> {
  const { platform, country, industry, status, technology } = countGenerated();
  const frequent = { industry: industry.slice(0, listed), technology: technology.slice(0, listed) };
  const counts = { platform, country, status, ...frequent };
  const countRows = Object.entries(counts).map(([value, numbers]) => [
    value,
    numbers.map(([name, stores]) => `\`${name}\` ${stores}`).join(', '),
  ]);
  return {
    Domains: tableOf(
      magicHead,
      magicDomains.map((magic) => magicRowOf(magic)),
    ),
    'Generated stores': tableOf(['value', 'stores'], countRows),
  };
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells, at) => (at === 1 ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`.replaceAll('  ', ' ')))
    .join('\n');

/** Returns the guide with these tables in the place of the first table below each heading. */
export function withTables(guide: string, tables: Record<string, string>): string {
  return guide
    .split(/^(?=## )/m)
    .map((section) => {
      const table = tables[/^## (.*)$/m.exec(section)?.[1] ?? ''];
      return table === undefined ? section : section.replace(/(?:^\|.*\n)+/m, `${table}\n`);
    })
    .join('');
}
