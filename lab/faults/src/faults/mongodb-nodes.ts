import { failsAsInternal, unaffected } from './expectations.ts';
import { noHeal } from './inject.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';
import { afterFailover, killHeld, recoversAfterHeal, suspendNodes } from './server-faults.ts';

const failingOver = {
  row: 'MongoDB of three: step down, primary KILL',
  expected: 'internal before 10.5 s; no acknowledged loss',
  form: 'sentinel',
  durationMs: [8_000, 12_000],
  breaksRevocationPush: true,
  requiredFigures: ['elections'],
  check: failsAsInternal,
} as const satisfies Partial<Scenario>;

const elections = 'elections';

/** Injects a fault of the primary, and records how many elections have followed. */
async function duringElection(context: FaultContext, inject: () => Promise<() => Promise<unknown>>): Promise<Heal> {
  const { mongodb } = context.system.servers;
  const before = await mongodb.term();
  const heal = await inject();
  const recovered = mongodb.untilWritable();
  return afterFailover(context, {
    recovered,
    heal,
    async untilWhole() {
      await mongodb.untilWhole();
      context.recordFigure(elections, (await mongodb.term()) - before);
    },
  });
}

export const mongodbNodeScenarios: Scenario[] = [
  {
    ...failingOver,
    name: 'mongo-stepdown',
    inject: (context) =>
      duringElection(context, async () => {
        await context.system.servers.mongodb.stepDown();
        return noHeal;
      }),
  },
  {
    ...failingOver,
    name: 'mongo-primary-kill',
    requiredFigures: [elections, 'touched by the fault'],
    inject: (context) =>
      duringElection(context, async () => killHeld(context, await context.system.servers.mongodb.primary())),
  },
  {
    row: 'MongoDB of three: one secondary STOP, majority STOP',
    name: 'mongo-secondary-stop',
    expected: 'nobody notices',
    form: 'sentinel',
    durationMs: [14_000, 20_000],
    async inject(context) {
      const { mongodb } = context.system.servers;
      const stopped = context.random.pick(await mongodb.secondaries());
      return recoversAfterHeal(context, {
        heal: suspendNodes(context, [stopped]),
        recovered: mongodb.untilWritable,
        untilWhole: mongodb.untilWhole,
      });
    },
    check: unaffected('requests', () => true),
  },
  {
    row: 'MongoDB of three: one secondary STOP, majority STOP',
    name: 'mongo-majority-lost',
    expected: 'internal before 10.5 s; nothing is billed wrongly',
    form: 'sentinel',
    durationMs: [14_000, 20_000],
    breaksRevocationPush: true,
    requiredFigures: ['touched by the fault'],
    async inject(context) {
      const { mongodb } = context.system.servers;
      const [primary, secondaries] = [await mongodb.primary(), await mongodb.secondaries()];
      const stopped = context.random.chance(0.5) ? secondaries : [primary, context.random.pick(secondaries)];
      return recoversAfterHeal(context, {
        heal: suspendNodes(context, stopped),
        recovered: mongodb.untilWritable,
        untilWhole: mongodb.untilWhole,
      });
    },
    check: failsAsInternal,
  },
];
