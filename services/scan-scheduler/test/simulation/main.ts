/**
 * `npm run simulate:scans`: a day of scanning in virtual time. `-- --first-come` adds first come, first served as a comparison,
 * `-- --paced` the same with limits of addresses and platforms.
 * Exits with 1 when a workspace starved.
 */

import { parseArgs } from 'node:util';
import { hourMs } from '@shopscope/clock';
import { policy, type SimulationOptions, type SimulationResult, simulate } from './simulate.ts';
import type { TargetReport } from './targets.ts';

const number = (value: number) => ({ type: 'string' as const, default: String(value) });
const { values } = parseArgs({
  options: {
    seed: number(1),
    domains: number(10_000_000),
    workspaces: number(10_000),
    'requests-per-day': number(10_000_000),
    hours: number(24),
    slots: number(750),
    'shortage-slots': number(300),
    'first-come': { type: 'boolean', default: false },
    paced: { type: 'boolean', default: false },
  },
});

const options: Omit<SimulationOptions, 'isFair'> = {
  seed: Number(values.seed),
  domains: Number(values.domains),
  workspaces: Number(values.workspaces),
  requestsPerDay: Number(values['requests-per-day']),
  hours: Number(values.hours),
  slots: Number(values.slots),
  shortage: { fromHour: 8, toHour: 10, slots: Number(values['shortage-slots']) },
};

/** The last platform gets nearly as many requests as its limit allows, the first one half of it. */
const pacing = {
  platforms: [
    { name: 'platform with 30 % of the domains', share: 0.3, requestsPerSecond: 800 },
    { name: 'platform with 10 % of the domains', share: 0.1, requestsPerSecond: 150 },
  ],
  addressRequestsPerSecond: 5,
  domainsPerAddress: 20,
};

const time = (ms: number) => {
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 6_000_000 ? `${(ms / 60_000).toFixed(0)} min` : `${(ms / hourMs).toFixed(1)} h`;
};
const count = (value: number) => Math.round(value).toLocaleString('en-US');

function targetLines(targets: TargetReport | null): string[] {
  if (!targets) return [];
  return [
    '',
    '| target | limit | most requests per second in a minute | visits |',
    '|---|---|---|---|',
    ...targets.rows.map((row) => {
      const most = row.mostRequestsPerSecond.toFixed(1);
      return `| ${row.name} | ${row.limit} | ${most} | ${count(row.visits)} |`;
    }),
    '',
    `most scans that were parked: ${count(targets.mostParked)}`,
  ];
}

function report(title: string, result: SimulationResult): void {
  const { jain } = result;
  const lines = [
    `\n${title}\n`,
    '| requests a day | workspaces | jobs | median wait | p99 | longest | longest time without a lease |',
    '|---|---|---|---|---|---|---|',
    ...result.classes.map((row) => {
      const waits = [row.medianMs, row.p99Ms, row.maxMs, row.longestGapMs].map(time).join(' | ');
      return `| ${row.name} | ${count(row.workspaces)} | ${count(row.jobs)} | ${waits} |`;
    }),
    '',
    `requests ${count(result.requests)}, joined ${count(result.joined)}, leases ${count(result.leases)}, ` +
      `failed scans ${count(result.failedScans)}, most waiting ${count(result.mostWaiting)}`,
    `Jain's index of leases: mean ${jain.mean.toFixed(4)}, lowest ${jain.lowest.toFixed(4)}, in ${jain.windows} windows of ` +
      `10 minutes with up to ${count(jain.mostWorkspaces)} workspaces that always had due scans`,
    `a domain: at most ${count(result.mostVisitsOfDomain)} visits, the shortest pause between two starts ` +
      `${time(result.shortestPauseMs)} (rule: ${time(policy.visitIntervalMs)})`,
    `workspaces without a lease for an hour while their scans were due: ${result.starved}`,
    ...targetLines(result.targets),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const startedMs = performance.now();
const fair = simulate({ ...options, isFair: true });
report('Fair between workspaces', fair);
const paced = values.paced ? simulate({ ...options, isFair: true, pacing }) : null;
if (paced) report('Fair between workspaces, paced by address and platform', paced);
if (values['first-come']) report('First come, first served', simulate({ ...options, isFair: false }));
const { maxRSS } = process.resourceUsage();
const tookS = (performance.now() - startedMs) / 1_000;
process.stdout.write(`\n${tookS.toFixed(0)} s, ${(maxRSS / 1_024).toFixed(0)} MiB at most\n`);
process.exitCode = fair.starved > 0 || (paced?.starved ?? 0) > 0 ? 1 : 0;
