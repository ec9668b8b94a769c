import type { NegativeTally, Quantiles, Report } from './report.ts';
import type { Share } from './statistics.ts';
import type { FieldTally, TechnologyTally } from './tally.ts';

/** The report as plain text. */
export function tableOf(report: Report): string {
  const { part, pages, fields, technologies, negatives, speed, versionPages, catalogue } = report;
  const { storePages } = technologies;
  const blocks = [
    `Part ${part}: ${pages.labelled} labelled pages, ${pages.withTechnologies} of them with technologies.`,
    pages.missing.length > 0 ? `Not in the folder: ${pages.missing.join(', ')}.` : '',
    rows([
      ['field', 'cases', 'right', 'wrong', 'unknown', 'unsure', 'right, 95 %'],
      ...Object.entries(fields).map(([field, tally]) => fieldRow(field, tally)),
    ]),
    [
      'Unknown: the observation states nothing, or the domain in place of a name. Unsure: it is right only because the label is unsure.',
      `Catalogue: ${catalogue.exact} of the right ones have the exact number of products; ${catalogue.absentThoughShown} of the unknown ones are of pages that show products.`,
      `Versions: no wrong one on ${versionPages.rightOrAbsent} of ${versionPages.cases} pages with versions.`,
    ].join('\n'),
    rows([
      ['technologies', 'named', 'right', 'labelled', 'precision, 95 %', 'recall, 95 %'],
      technologyRow('all', technologies.total),
      technologyRow('wappalyzer 6.10.47', technologies.wappalyzer),
      ...Object.entries(technologies.byConfidence).map(([name, tally]) => technologyRow(`confidence ${name}`, tally)),
      ...Object.entries(technologies.byCategory).map(([name, tally]) => technologyRow(name, tally)),
    ]),
    [
      `Install state right for ${percent(technologies.states)} of the right technologies.`,
      `Right technologies on ${storePages.pages} store pages: ${storePages.right}; wappalyzer: ${storePages.wappalyzerRight}; ratio ${decimals(storePages.ratio, 2)}.`,
    ].join('\n'),
    rows([
      ['pages of no platform', 'pages', 'taken for one', 'share, 95 %'],
      negativeRow('saved', negatives.saved),
      negativeRow('constructed', negatives.constructed),
    ]),
    rows([['engine alone, per page', 'median', 'p99'], speedRow('ms', speed.ms), speedRow('CPU ms', speed.cpuMs)]),
    `Industries (label: stated × pages)\n${Object.entries(report.confusion).map(confusionLine).join('\n')}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** The first column is aligned to the left, the others to the right. */
function rows(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}

const decimals = (value: number | null, digits: number): string => value?.toFixed(digits) ?? '–';

export function percent({ share, low, high }: Share): string {
  if (share === null || low === null || high === null) return '–';
  const [value, least, most] = [share, low, high].map((part) => (part * 100).toFixed(1));
  return `${value} % (${least}–${most})`;
}

const fieldRow = (field: string, { cases, right, wrong, unknown, unsure, rightShare }: FieldTally): string[] => [
  field,
  ...[cases, right, wrong, unknown, unsure].map(String),
  percent(rightShare),
];

const technologyRow = (name: string, { named, right, labelled, precision, recall }: TechnologyTally): string[] => [
  name,
  ...[named, right, labelled].map(String),
  percent(precision),
  percent(recall),
];

const negativeRow = (name: string, { pages, takenForPlatform, share }: NegativeTally): string[] => [
  name,
  String(pages),
  String(takenForPlatform),
  percent(share),
];

const speedRow = (name: string, { median, p99 }: Quantiles): string[] => [name, median.toFixed(1), p99.toFixed(1)];

const confusionLine = ([label, stated]: [string, Record<string, number>]): string =>
  `  ${label}: ${Object.entries(stated)
    .map(([slug, pages]) => `${slug} × ${pages}`)
    .join(', ')}`;
