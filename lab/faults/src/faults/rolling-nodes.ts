import { all, failsAsInternal, mostSucceed, unaffected } from './expectations.ts';
import { noHeal } from './inject.ts';
import type { FaultContext, Scenario } from './scenario.ts';
import { serverRecovered } from './server-faults.ts';
import { localLimits } from './stack.ts';
import { recoversInTime } from './two-at-a-time.ts';

interface RollingRestart {
  /** Resolves to the nodes in the order of their restarts. */
  order(): Promise<readonly string[]>;
  /** How a process exits after SIGTERM. */
  exits: string;
  recovered(): Promise<number>;
  untilWhole(): Promise<unknown>;
}

/** Ends each node by SIGTERM, one after the other, and waits until it is back and requests no longer fail. */
async function restartNodes(
  context: FaultContext,
  { order, exits, recovered, untilWhole }: RollingRestart,
): Promise<void> {
  const { system, recordProblem, recordFigure } = context;
  let restarts = 0;
  for (const name of await order()) {
    const node = system.node(name);
    const { pid } = node;
    const ended = await node.terminate();
    const endedMs = performance.now();
    if (ended !== exits) recordProblem(`${name} ${ended} after SIGTERM`);
    const recoveredMs = await recovered();
    recordFigure(serverRecovered, (recoveredMs - endedMs) / 1_000);
    await node.untilReplaced(pid);
    await untilWhole();
    if (!(await recoversInTime(context, recoveredMs)))
      recordProblem(`requests failed for 15 s after the restart of ${name}`);
    restarts += 1;
  }
  recordFigure('restarts', restarts);
}

const rollingRow = {
  row: 'SIGTERM of each node under load: MongoDB, Kafka, Redis with Sentinel',
  form: 'sentinel',
  durationMs: [0, 0],
  isLong: true,
  requiredFigures: ['restarts'],
  inject: async () => noHeal,
} as const satisfies Partial<Scenario>;

export const rollingNodeScenarios: Scenario[] = [
  {
    ...rollingRow,
    name: 'mongodb-rolling',
    expected: 'internal before 10.5 s; most requests succeed',
    breaksRevocationPush: true,
    async duringFault(context) {
      const { mongodb } = context.system.servers;
      await restartNodes(context, {
        order: async () => [...(await mongodb.secondaries()), await mongodb.primary()],
        exits: 'exited with code 0',
        recovered: mongodb.untilWritable,
        untilWhole: mongodb.untilWhole,
      });
    },
    check: all(
      failsAsInternal,
      mostSucceed('requests', () => true),
    ),
  },
  {
    ...rollingRow,
    name: 'kafka-rolling',
    expected: 'API unaffected; drains in ≤ 60 s',
    breaksRevocationPush: true,
    async duringFault(context) {
      const { kafka } = context.system.servers;
      await restartNodes(context, {
        order: async () => ['kafka-1', 'kafka-2', 'kafka-3'],
        exits: 'exited with code 143',
        recovered: () => kafka.untilLedWithout(''),
        untilWhole: kafka.untilWhole,
      });
    },
    check: unaffected('requests', () => true),
  },
  {
    ...rollingRow,
    name: 'redis-rolling',
    expected: 'local limits; requests with an Idempotency-Key 503 until there is a primary',
    losesRedisState: true,
    async duringFault(context) {
      const { sentinel, redisNodes } = context.system.servers;
      await restartNodes(context, {
        async order() {
          const primary = await sentinel.primary();
          return [...redisNodes.map(({ name }) => name).filter((name) => name !== primary), primary];
        },
        exits: 'exited with code 0',
        recovered: () => sentinel.untilWritable(),
        untilWhole: sentinel.untilWhole,
      });
    },
    check: localLimits,
  },
];
