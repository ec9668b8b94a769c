import { unaffected } from './expectations.ts';
import { cut, kill, suspend } from './inject.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';
import { subscribe } from './workspace-subscriptions.ts';

/** Returns an injection in the middle of a job. After the fault, the books of jobs and rescans and the events must be whole. */
const duringJobs =
  (fault: (context: FaultContext) => Promise<Heal>): Scenario['inject'] =>
  async (context) => {
    const workspace = await subscribe(context);
    context.recordFigure('bulk jobs interrupted', (await workspace.isInProgress()) ? 1 : 0);
    const heal = await fault(context);
    return async () => {
      const healedMs = await heal();
      await workspace.finish();
      return healedMs;
    };
  };

const row = {
  row: 'subscriptions KILL, STOP; cut from Kafka',
  expected: 'jobs have one row per input, rescans one unit, events no gap; the API does not notice',
  requiredFigures: ['bulk jobs interrupted', 'rescans billed', 'events read'],
  check: unaffected('API requests', () => true),
};

export const subscriptionsScenarios: Scenario[] = [
  {
    ...row,
    name: 'subscriptions-kill',
    durationMs: [500, 2_000],
    inject: duringJobs((context) => kill(context, 'subscriptions-1')),
  },
  {
    ...row,
    name: 'subscriptions-stop',
    durationMs: [14_000, 20_000],
    inject: duringJobs((context) => suspend(context, 'subscriptions-1')),
  },
  {
    ...row,
    name: 'subscriptions-kafka-cut',
    durationMs: [20_000, 30_000],
    inject: duringJobs((context) => {
      context.recordFaultStart();
      return cut(context.system.links(/^subscriptions>kafka/));
    }),
  },
];
