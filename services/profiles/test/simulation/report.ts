import type { MethodResult, SimulationResult, TrueResult } from './simulate.ts';

export const headings = [
  '| per 1,000 stores and year | false removals | false platforms | false statuses | together | of these retracted |',
  '|---|---|---|---|---|---|',
];

const perThousand = (count: number, storeYears: number): string => {
  const rate = (count * 1_000) / storeYears;
  return rate >= 100 ? Math.round(rate).toLocaleString('en-US') : rate.toFixed(2);
};

export const falseReports = ({ false: { removal, platform, status } }: MethodResult): number =>
  removal + platform + status;

export function rowOf(name: string, result: MethodResult, storeYears: number): string {
  const { removal, platform, status } = result.false;
  const cells = [removal, platform, status, falseReports(result), result.retracted];
  return `| ${[name, ...cells.map((count) => perThousand(count, storeYears))].join(' | ')} |`;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} %`;

/** A change has to be confirmed by this scan after it. A move changes everything. */
const dueScans = { removal: 2, closure: 2, migration: 3 } as const;
const names = { ours: 'ours', oneScanDiff: 'one-scan diff', notSeenFor30Days: 'not seen for 30 days' } as const;

export const shareInTime = ({ planted, scans }: TrueResult, due: number): number =>
  scans.filter((count) => count <= due).length / planted;

export function trueRows({ methods }: SimulationResult): string[] {
  const lines = [
    '| true changes | planted | confirmed | by the second scan | by the third | median delay |',
    '|---|---|---|---|---|---|',
  ];
  for (const [kind, label] of [
    ['removal', 'removals'],
    ['closure', 'closures'],
    ['migration', 'migrations'],
  ] as const) {
    for (const [method, name] of Object.entries(names) as [keyof typeof names, string][]) {
      const found = methods[method].true[kind];
      const by = (due: number) => share(found.scans.filter((count) => count <= due).length, found.planted);
      const delay = `${median(found.scans)} scans, ${median(found.days).toFixed(1)} days`;
      lines.push(
        `| ${label}, ${name} | ${found.planted} | ${share(found.scans.length, found.planted)} | ${by(2)} | ${by(3)} | ${delay} |`,
      );
    }
  }
  return lines;
}

/** Returns the missed parts of the goal, as sentences. */
export function goalOf({ storeYears, methods: { ours } }: SimulationResult): string[] {
  const missed: string[] = [];
  const rate = (falseReports(ours) * 1_000) / storeYears;
  if (rate >= 1)
    missed.push(`Missed: ${rate.toFixed(2)} false reports per 1,000 stores and year; the goal is less than 1.`);
  for (const kind of ['removal', 'closure', 'migration'] as const) {
    const reached = shareInTime(ours.true[kind], dueScans[kind]);
    if (reached < 0.95)
      missed.push(
        `Missed: ${(100 * reached).toFixed(1)} % of each ${kind} by scan ${dueScans[kind]}; the goal is 95 %.`,
      );
  }
  return missed;
}
