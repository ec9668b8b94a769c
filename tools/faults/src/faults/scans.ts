import { ofKinds } from '../checker/timeline.ts';
import { unaffected } from './expectations.ts';
import { kill, stand } from './harm.ts';
import { amidScans } from './interrupt.ts';
import type { Scenario } from './scenario.ts';

const withoutScans = ofKinds('look-up', 'tight', 'enrich', 'account', 'limited');

const scanRow = {
  row: 'scan-scheduler, scanner KILL, STOP',
  expected: 'job resumes once, lease fenced',
  exercises: ['scans interrupted'],
};
const scansApart = unaffected('requests without scans', withoutScans);
const nobodyNotices = unaffected('requests', () => true);
export const scanScenarios: Scenario[] = [
  {
    ...scanRow,
    name: 'scan-scheduler-kill',
    holdMs: [500, 2_000],
    inject: (stage) => amidScans(stage, () => kill(stage, 'scan-scheduler-1')),
    check: scansApart,
  },
  {
    ...scanRow,
    name: 'scan-scheduler-stop',
    holdMs: [14_000, 20_000],
    inject: (stage) => amidScans(stage, () => stand(stage, 'scan-scheduler-1')),
    check: scansApart,
  },
  {
    ...scanRow,
    name: 'scanner-kill',
    holdMs: [500, 2_000],
    inject: (stage) => amidScans(stage, (scanner) => kill(stage, scanner), { ofOne: true }),
    exercises: ['leases lost'],
    check: nobodyNotices,
  },
  {
    ...scanRow,
    name: 'scanner-stop',
    // Longer than a lease.
    holdMs: [38_000, 44_000],
    inject: (stage) => amidScans(stage, (scanner) => stand(stage, scanner), { ofOne: true }),
    exercises: ['leases lost'],
    check: nobodyNotices,
  },
];
