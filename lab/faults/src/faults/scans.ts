import { ofKinds } from '../checker/timeline.ts';
import { unaffected } from './expectations.ts';
import { kill, suspend } from './inject.ts';
import { injectDuringScans } from './inject-during.ts';
import type { Scenario } from './scenario.ts';

const withoutScans = ofKinds('look-up', 'small-allowance', 'enrich', 'account', 'rate-limited');

const scanRow = {
  row: 'scan-scheduler, scanner KILL, STOP',
  expected: 'job resumes once, lease fenced',
  requiredFigures: ['scans interrupted'],
};
const requestsWithoutScansUnaffected = unaffected('requests without scans', withoutScans);
const allRequestsUnaffected = unaffected('requests', () => true);
export const scanScenarios: Scenario[] = [
  {
    ...scanRow,
    name: 'scan-scheduler-kill',
    durationMs: [500, 2_000],
    inject: (context) => injectDuringScans(context, () => kill(context, 'scan-scheduler-1')),
    check: requestsWithoutScansUnaffected,
  },
  {
    ...scanRow,
    name: 'scan-scheduler-stop',
    durationMs: [14_000, 20_000],
    inject: (context) => injectDuringScans(context, () => suspend(context, 'scan-scheduler-1')),
    check: requestsWithoutScansUnaffected,
  },
  {
    ...scanRow,
    name: 'scanner-kill',
    durationMs: [500, 2_000],
    inject: (context) => injectDuringScans(context, (scanner) => kill(context, scanner), { ofOne: true }),
    requiredFigures: ['leases lost'],
    check: allRequestsUnaffected,
  },
  {
    ...scanRow,
    name: 'scanner-stop',
    // Longer than a lease.
    durationMs: [38_000, 44_000],
    inject: (context) => injectDuringScans(context, (scanner) => suspend(context, scanner), { ofOne: true }),
    requiredFigures: ['leases lost'],
    check: allRequestsUnaffected,
  },
];
