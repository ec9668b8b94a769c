import { counterSum, metricsOf } from '../system/service-metrics.ts';
import { unaffected } from './expectations.ts';
import { fillDisk } from './full-disk.ts';
import type { FaultContext, Heal, Scenario } from './scenario.ts';
import { afterFailover, killHeld, serverRecovered } from './server-faults.ts';

const usageTopic = 'usage.v1';
const callsOverGrpc = 'usage calls over gRPC';
const otherPartitions = 'events to other partitions without the leader';

const kafkaRow = {
  form: 'sentinel',
  durationMs: [12_000, 18_000],
  breaksRevocationPush: true,
  check: unaffected('requests', () => true),
} as const satisfies Partial<Scenario>;
const killRow = {
  ...kafkaRow,
  row: 'Kafka of three: leader KILL, controller KILL, disk of one broker full (no file of it can grow)',
  expected: 'API unaffected; events for other partitions go on; drains in ≤ 60 s',
};
const drains = 'API unaffected; drains in ≤ 60 s';

/** Kills a broker. `recovered` resolves when every partition has another leader. */
async function killBroker(context: FaultContext, name: string, recovered: () => Promise<number>): Promise<Heal> {
  const { kafka } = context.system.servers;
  const heal = killHeld(context, name);
  return afterFailover(context, { recovered: recovered(), heal, untilWhole: kafka.untilWhole });
}

/** Kills the leader of most partitions of usage events, and counts the events that other partitions get until all have a leader again. */
async function killLeader(context: FaultContext): Promise<Heal> {
  const { recordFigure, recordProblem, system } = context;
  const { kafka } = system.servers;
  const leader = await kafka.leaderOf(usageTopic);
  const among = (await kafka.partitions('', usageTopic)).filter((partition) => partition.leader !== leader);
  const killedMs = Date.now();
  const heal = await killBroker(context, leader, () => kafka.untilLedWithout(leader));
  return async () => {
    const recoveredMs = await heal();
    const ledMs = Date.now() - (performance.now() - recoveredMs);
    // Events of the first half may have been sent before the gateways noticed.
    const count = await kafka.recordsBetween(among, (killedMs + ledMs) / 2, ledMs);
    recordFigure(otherPartitions, count);
    if (count === 0) recordProblem('no event reached the partitions that had a leader');
    return recoveredMs;
  };
}

async function usageCallsOverGrpc({ system }: FaultContext): Promise<number> {
  const method = 'method="/shopscope.metering.v1.MeteringService/RecordUsage"';
  const urls = [...system.adminUrls].filter(([name]) => name.startsWith('metering-'));
  const counts = urls.map(async ([, url]) =>
    counterSum(await metricsOf(url), 'grpc_server_duration_seconds_count', method),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Gives each partition of usage events two replicas, one of which is on the suspended broker. The other one is then in sync alone. */
async function shrinkIsr(context: FaultContext): Promise<Heal> {
  const { system, random, recordFaultStart, recordFigure } = context;
  const { kafka } = system.servers;
  const before = new Map((await kafka.partitions('', usageTopic)).map((each) => [each.partition, each.replicas]));
  const broker = random.pick(['kafka-1', 'kafka-2', 'kafka-3']);
  await kafka.assign(usageTopic, ({ leader, replicas }) => {
    const kept = leader === broker ? replicas.find((name) => name !== broker) : leader;
    return [kept as string, broker];
  });
  const callsBefore = await usageCallsOverGrpc(context);
  const startMs = performance.now();
  recordFaultStart();
  system.node(broker).stop();
  await kafka.untilInSyncAlone(usageTopic, broker);
  recordFigure('ISR of one after, s', (performance.now() - startMs) / 1_000);
  return async () => {
    recordFigure(callsOverGrpc, (await usageCallsOverGrpc(context)) - callsBefore);
    const healedMs = performance.now();
    system.node(broker).continue();
    const recoveredMs = await kafka.untilWhole();
    recordFigure(serverRecovered, (recoveredMs - healedMs) / 1_000);
    await kafka.assign(usageTopic, ({ partition }) => before.get(partition) ?? []);
    return recoveredMs;
  };
}

export const kafkaNodeScenarios: Scenario[] = [
  { ...killRow, name: 'kafka-leader-kill', requiredFigures: [otherPartitions], inject: killLeader },
  {
    ...killRow,
    name: 'kafka-controller-kill',
    expected: drains,
    async inject(context) {
      const { kafka } = context.system.servers;
      const controller = await kafka.controller();
      return killBroker(context, controller, async () => {
        await kafka.untilControlledWithout(controller);
        return kafka.untilLedWithout(controller);
      });
    },
  },
  {
    ...killRow,
    name: 'kafka-broker-disk-full',
    expected: drains,
    durationMs: [20_000, 26_000],
    async inject(context) {
      const { kafka } = context.system.servers;
      const leader = await kafka.leaderOf(usageTopic);
      const node = context.system.node(leader);
      const { pid } = node;
      const free = fillDisk(node);
      return afterFailover(context, {
        recovered: kafka.untilLedWithout(leader),
        heal: () => {
          free();
          return node.untilReplaced(pid);
        },
        untilWhole: kafka.untilWhole,
      });
    },
  },
  {
    ...kafkaRow,
    row: 'Kafka of three: ISR of one, with a minimum of two',
    name: 'kafka-isr-one',
    expected: 'API unaffected; usage goes over gRPC, and nothing is lost',
    requiredFigures: [callsOverGrpc],
    inject: shrinkIsr,
  },
];
