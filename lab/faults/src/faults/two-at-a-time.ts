import { failuresOf, recoveryBoundMs } from '../checker/timeline.ts';
import { createGrowthDetector, resourceSnapshot } from '../system/resource-usage.ts';
import { poll, sleep } from '../wait.ts';
import { cut, flushRedis, kill, noHeal, suspend } from './inject.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';

const lastsMs = 600_000;
const quietMs = 12_000;

const singleInstances = ['keys-1', 'profiles-1', 'scan-scheduler-1', 'dashboard-1', 'mongodb', 'kafka', 'redis'];
const replicated = ['gateway-1', 'gateway-2', 'metering-1', 'metering-2', 'scanner-1', 'scanner-2'];

/** Returns every fault that can be injected, by name. */
function faultsOf(context: FaultContext): Map<string, () => Promise<Heal>> {
  const { system } = context;
  const faults = new Map<string, () => Promise<Heal>>([['flush redis', () => flushRedis(system)]]);
  for (const name of [...singleInstances, ...replicated]) {
    faults.set(`kill ${name}`, () => kill(context, name));
    faults.set(`stop ${name}`, () => suspend(context, name));
  }
  for (const callee of ['keys', 'profiles', 'metering', 'scan-scheduler', 'mongodb', 'kafka', 'redis']) {
    faults.set(`cut ${callee}`, () => cut(system.links(new RegExp(`>${callee}`))));
  }
  return faults;
}

/** Returns the part that a fault affects. Two faults of one part would wait for each other. */
const partOf = (fault: string) => fault.split(' ')[1]?.replace(/-\d$/, '');

export const twoAtATime: Scenario = {
  name: 'two-at-a-time',
  row: 'two random faults at a time, 10 minutes',
  expected: 'degraded, never wedged',
  durationMs: [0, 0],
  perSecond: 8,
  isLong: true,
  losesRedisState: true,
  breaksRevocationPush: true,
  mayExhaustAttempts: true,
  requiredFigures: ['pairs of faults', 'processes compared'],
  inject: async () => noHeal,
  async duringFault(context) {
    const { system, random, recordProblem, recordFigure } = context;
    const faults = faultsOf(context);
    const endMs = performance.now() + lastsMs;
    let rounds = 0;
    const detector = createGrowthDetector();
    while (performance.now() < endMs) {
      const first = random.pick([...faults.keys()]);
      const second = random.pick([...faults.keys()].filter((name) => partOf(name) !== partOf(first)));
      const heals = [await faults.get(first)?.(), await faults.get(second)?.()];
      await sleep(random.between(3_000, 15_000));
      // Both heal at the same time, because a killed part may need the other part to become ready.
      const recoveryStarts = await Promise.all(heals.map((heal) => heal?.() ?? performance.now()));
      if (!(await recoversInTime(context, Math.max(...recoveryStarts))))
        recordProblem(`requests failed for 15 s after: ${first}, ${second}`);
      rounds += 1;
      detector.note(resourceSnapshot(system));
    }
    recordFigure('pairs of faults', rounds);
    recordFigure('processes compared', detector.compared());
    for (const growth of detector.growth()) recordProblem(growth);
  },
};

/** Resolves to whether no request failed later than {@link recoveryBoundMs} after the start of the recovery. */
export async function recoversInTime(
  { clients, revokeRequestedMs }: FaultContext,
  recoveryStartMs: number,
): Promise<boolean> {
  let last = 0;
  const isQuiet = await poll(
    async () => {
      last = failuresOf(clients.history.slice(-2_000), { revokeRequestedMs }).reduce(
        (latest, { startMs }) => Math.max(latest, startMs),
        0,
      );
      return performance.now() - Math.max(last, recoveryStartMs) > quietMs || undefined;
    },
    { timeoutMs: recoveryBoundMs + quietMs, everyMs: 250 },
  );
  return isQuiet === true && last - recoveryStartMs <= recoveryBoundMs;
}
