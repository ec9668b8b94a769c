import { sleep } from '../wait.ts';
import { unaffected } from './expectations.ts';
import { noHeal } from './inject.ts';
import { requireDegraded } from './read-only-redis.ts';
import type { FaultContext, Scenario } from './scenario.ts';
import { afterFailover, killHeld, recoversAfterHeal } from './server-faults.ts';
import { localLimits } from './stack.ts';

const failoverRow = {
  row: 'Redis with Sentinel: planned failover, primary KILL, primary made a replica',
  expected: 'local limits; requests with an Idempotency-Key 503 until there is a primary',
  form: 'sentinel',
  durationMs: [10_000, 15_000],
  // Replication is asynchronous.
  losesRedisState: true,
  check: localLimits,
} as const satisfies Partial<Scenario>;
const clusterRow = { row: 'Redis Cluster: node KILL, slots moved', form: 'cluster' } as const;
const slotsMoved = 'slots with keys moved';

/** Moves slots that have keys, one after the other: first those of the first node, then those of the next one. */
async function moveSlots({ system, recordFigure }: FaultContext, untilMs: number): Promise<void> {
  const { cluster, redisNodes } = system.servers;
  let slots = 0;
  for (let round = 0; performance.now() < untilMs; round++) {
    const from = redisNodes[round % redisNodes.length];
    for (const slot of from ? await cluster.filledSlots(from) : []) {
      if (performance.now() >= untilMs) break;
      await cluster.moveSlot(slot);
      slots += 1;
    }
    // If the node has no keys, the next round waits for new keys.
    await sleep(100);
  }
  recordFigure(slotsMoved, slots);
}

export const redisNodeScenarios: Scenario[] = [
  {
    ...failoverRow,
    name: 'redis-failover-planned',
    async inject(context) {
      const { sentinel } = context.system.servers;
      const primary = await sentinel.primary();
      await sentinel.failOver();
      return afterFailover(context, {
        recovered: sentinel.untilWritable(primary),
        untilWhole: sentinel.untilWhole,
      });
    },
  },
  {
    ...failoverRow,
    name: 'redis-failover-kill',
    requiredFigures: ['touched by the fault'],
    async inject(context) {
      const { sentinel } = context.system.servers;
      const primary = await sentinel.primary();
      const heal = killHeld(context, primary);
      return afterFailover(context, {
        recovered: sentinel.untilWritable(primary),
        heal,
        untilWhole: sentinel.untilWhole,
      });
    },
  },
  {
    ...failoverRow,
    name: 'redis-readonly',
    requiredFigures: ['touched by the fault'],
    durationMs: [30_000, 35_000],
    duringFault: requireDegraded,
    async inject(context) {
      const { sentinel } = context.system.servers;
      const primary = await sentinel.primary();
      await sentinel.handOver();
      return afterFailover(context, {
        recovered: sentinel.untilWritable(primary),
        untilWhole: sentinel.untilWhole,
      });
    },
  },
  {
    ...clusterRow,
    name: 'redis-cluster-node-kill',
    expected: 'local limits; requests with an Idempotency-Key 503 while slots are missing',
    durationMs: [6_000, 10_000],
    losesRedisState: true,
    requiredFigures: ['touched by the fault'],
    async inject(context) {
      const { cluster, redisNodes } = context.system.servers;
      const { name } = context.random.pick(redisNodes);
      const start = killHeld(context, name);
      return recoversAfterHeal(context, { heal: start, recovered: cluster.untilWhole });
    },
    check: localLimits,
  },
  {
    ...clusterRow,
    name: 'redis-slot-move',
    expected: 'no request notices',
    durationMs: [20_000, 25_000],
    requiredFigures: [slotsMoved],
    inject: async () => noHeal,
    duringFault: moveSlots,
    check: unaffected('requests', () => true),
  },
];
