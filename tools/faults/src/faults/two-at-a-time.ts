import { failuresOf } from '../checker/timeline.ts';
import { census, createLifetimes } from '../system/census.ts';
import { poll, sleep } from '../wait.ts';
import { cut, flushRedis, kill, nothingToHeal, stand } from './harm.ts';
import type { Heal, Scenario, Stage } from './scenario.ts';

const lastsMs = 600_000;
const recoveryBoundMs = 15_000;
const calmMs = 12_000;

const singles = ['keys-1', 'profiles-1', 'scan-scheduler-1', 'mongodb', 'kafka', 'redis'];
const replicated = ['gateway-1', 'gateway-2', 'metering-1', 'metering-2', 'scanner-1', 'scanner-2'];

/** Whatever can be done to a part, by name. */
function faultsOf(stage: Stage): Map<string, () => Promise<Heal>> {
  const { system } = stage;
  const faults = new Map<string, () => Promise<Heal>>([['flush redis', () => flushRedis(system)]]);
  for (const name of [...singles, ...replicated]) {
    faults.set(`kill ${name}`, () => kill(stage, name));
    faults.set(`stop ${name}`, () => stand(stage, name));
  }
  for (const callee of ['keys', 'profiles', 'metering', 'scan-scheduler', 'mongodb', 'kafka', 'redis']) {
    faults.set(`cut ${callee}`, () => cut(system.links(new RegExp(`>${callee}`))));
  }
  return faults;
}

/** The part that a fault concerns: two faults of one part would wait for each other. */
const partOf = (fault: string) => fault.split(' ')[1]?.replace(/-\d$/, '');

export const twoAtATime: Scenario = {
  name: 'two-at-a-time',
  row: 'two random faults at a time, 10 minutes',
  expected: 'degraded, never wedged',
  holdMs: [0, 0],
  perSecond: 8,
  isLong: true,
  isRedisLost: true,
  isPushHarmed: true,
  mayExhaustAttempts: true,
  exercises: ['pairs of faults', 'processes compared'],
  inject: async () => nothingToHeal,
  async meanwhile(stage) {
    const { system, random, problem, figure } = stage;
    const faults = faultsOf(stage);
    const endMs = performance.now() + lastsMs;
    let rounds = 0;
    const lifetimes = createLifetimes();
    while (performance.now() < endMs) {
      const first = random.pick([...faults.keys()]);
      const second = random.pick([...faults.keys()].filter((name) => partOf(name) !== partOf(first)));
      const heals = [await faults.get(first)?.(), await faults.get(second)?.()];
      await sleep(random.between(3_000, 15_000));
      // Together: a part that was killed may need the other one to come back.
      const wellFromMs = await Promise.all(heals.map((heal) => heal?.() ?? performance.now()));
      if (!(await worksAgain(stage, Math.max(...wellFromMs))))
        problem(`requests failed for 15 s after: ${first}, ${second}`);
      rounds += 1;
      lifetimes.note(census(system));
    }
    figure('pairs of faults', rounds);
    figure('processes compared', lifetimes.compared());
    for (const growth of lifetimes.growth()) problem(growth);
  },
};

/** No failed request for a while, soon. */
async function worksAgain({ clients, revokeAskedMs }: Stage, wellFromMs: number): Promise<boolean> {
  let last = 0;
  const calm = await poll(
    async () => {
      last = failuresOf(clients.history.slice(-2_000), { revokeAskedMs }).reduce(
        (latest, { startMs }) => Math.max(latest, startMs),
        0,
      );
      return performance.now() - Math.max(last, wellFromMs) > calmMs || undefined;
    },
    { timeoutMs: recoveryBoundMs + calmMs, everyMs: 250 },
  );
  return calm === true && last - wellFromMs <= recoveryBoundMs;
}
