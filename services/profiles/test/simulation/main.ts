/**
 * `npm run simulate:signals` simulates stores that flap and change over 200 days. It compares the reports of profiles,
 * of a diff of one scan, and of "not seen for 30 days". `-- --causes` adds each cause of flapping alone, `-- --factors`
 * adds all of them more often. The goal is less than one false report per 1,000 stores and year, and 95 % of true
 * changes confirmed by the second scan, or by the third for a change of everything. The exit code is 1 if the goal is
 * missed.
 */
import { parseArgs } from 'node:util';
import { assumedRates, causes, olderOutages, only, times } from './rates.ts';
import { goalOf, headings, rowOf, trueRows } from './report.ts';
import { type SimulationOptions, simulate } from './simulate.ts';

const number = (value: number) => ({ type: 'string' as const, default: String(value) });
const { values } = parseArgs({
  options: {
    seeds: number(50),
    stores: number(1_000),
    days: number(200),
    'every-days': number(7),
    causes: { type: 'boolean', default: false },
    factors: { type: 'boolean', default: false },
  },
});
const options: SimulationOptions = {
  seeds: Number(values.seeds),
  stores: Number(values.stores),
  days: Number(values.days),
  everyDays: Number(values['every-days']),
  rates: assumedRates,
};
const say = (...lines: string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

const result = simulate(options);
const { storeYears } = result;
say(`${Math.round(storeYears).toLocaleString('en-US')} store-years, a scan every ${options.everyDays} days`, '');
say(...headings);
say(rowOf('ours', result.methods.ours, storeYears));
say(rowOf('one-scan diff', result.methods.oneScanDiff, storeYears));
say(rowOf('not seen for 30 days', result.methods.notSeenFor30Days, storeYears), '');
say(...trueRows(result));
if (values.causes) {
  say('', 'Each cause alone, ours:', '', ...headings);
  for (const cause of causes) {
    const { methods } = simulate({ ...options, rates: only(cause) });
    say(rowOf(cause, methods.ours, storeYears));
  }
}
if (values.factors) {
  say('', 'All causes more or less often, ours:', '', ...headings);
  for (const factor of [0.5, 2, 4]) {
    const { methods } = simulate({ ...options, rates: times(factor) });
    say(rowOf(`${factor} times`, methods.ours, storeYears));
  }
  say(rowOf('outages of 2007', simulate({ ...options, rates: olderOutages }).methods.ours, storeYears));
}
const missed = goalOf(result);
for (const line of missed) say(line);
process.exitCode = missed.length > 0 ? 1 : 0;
