import { ofKinds } from '../checker/timeline.ts';
import { unaffected } from './expectations.ts';
import { kill, suspend } from './inject.ts';
import { injectDuringScans } from './inject-during.ts';
import type { Scenario } from './scenario.ts';

const withoutScans = ofKinds('look-up', 'small-allowance', 'enrich', 'account', 'rate-limited');

const scanRow = { row: 'scan-scheduler, scanner KILL, STOP', expected: 'job resumes once, lease fenced' };
const schedulerRow = {
  ...scanRow,
  requiredFigures: ['scans interrupted'],
  check: unaffected('requests without scans', withoutScans),
};
const scannerRow = { ...scanRow, requiredFigures: ['leases lost'], check: unaffected('requests', () => true) };

export const scanScenarios: Scenario[] = [
  {
    ...schedulerRow,
    name: 'scan-scheduler-kill',
    durationMs: [500, 2_000],
    inject: (context) => injectDuringScans(context, () => kill(context, 'scan-scheduler-1')),
  },
  {
    ...schedulerRow,
    name: 'scan-scheduler-stop',
    durationMs: [14_000, 20_000],
    inject: (context) => injectDuringScans(context, () => suspend(context, 'scan-scheduler-1')),
  },
  {
    ...scannerRow,
    name: 'scanner-kill',
    durationMs: [500, 2_000],
    inject: (context) => injectDuringScans(context, (scanner) => kill(context, scanner), { ofOne: true }),
  },
  {
    ...scannerRow,
    name: 'scanner-stop',
    // Longer than a lease.
    durationMs: [38_000, 44_000],
    inject: (context) => injectDuringScans(context, (scanner) => suspend(context, scanner), { ofOne: true }),
  },
];
