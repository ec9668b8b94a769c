import { poll, sleep } from '../wait.ts';
import { unaffected } from './expectations.ts';
import { noHeal, restart } from './inject.ts';
import type { FaultContext, Scenario } from './scenario.ts';

/** Load under each combination of settings, ms. */
const mixedMs = 8_000;
/** Units of a gateway return within 90 s. */
const drainedWithinMs = 90_000;

/**
 * Leases are switched off and on again under load, one metering instance after the other, by SIGTERM. So one instance lends and the other
 * one does not, twice. Between the two the system is as before a rollback: no allowance has a lease.
 */
export const leaseSwitch: Scenario = {
  name: 'lease-switch',
  row: 'leases off and on again, one metering instance after the other',
  expected: 'no failed request; nothing is lent once both are off',
  durationMs: [0, 0],
  isRolling: true,
  isLong: true,
  requiredFigures: ['leases before', 'leases after'],
  inject: async () => noHeal,
  async duringFault(context) {
    context.recordFigure('leases before', await leasesOf(context));
    for (const metering of ['metering-1', 'metering-2']) await restartWith(context, metering, 'false');
    const isDrained = async () => ((await leasesOf(context)) === 0 ? true : undefined);
    const drainedMs = performance.now();
    if (!(await poll(isDrained, { timeoutMs: drainedWithinMs, everyMs: 500 })))
      context.recordProblem('allowances had leases 90 s after every instance had stopped lending');
    context.recordFigure('leases drained, s', (performance.now() - drainedMs) / 1_000);
    for (const metering of ['metering-1', 'metering-2']) await restartWith(context, metering, 'true');
    context.recordFigure('leases after', await leasesOf(context));
  },
  check: unaffected('requests', () => true),
};

async function restartWith(context: FaultContext, name: string, grantLeases: string): Promise<void> {
  context.system.configure(name, { GRANT_LEASES: grantLeases });
  await restart(context, name);
  await sleep(mixedMs);
}

/** Leases of the customers' allowances. */
async function leasesOf({ databases, customers: { main, crowd } }: FaultContext): Promise<number> {
  const allowances = await databases.allowancesOf([main, ...crowd].map(({ workspaceId }) => workspaceId));
  return [...allowances.values()].reduce((sum, { leases }) => sum + leases.length, 0);
}
