import { counterSum, metricsOf } from '../system/service-metrics.ts';
import { sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';

const defaultWatchMs = 2_000;
const instances = ['metering-1', 'metering-2'] as const;

/**
 * Picks the metering instance that consumes most usage events at this moment. The few workspaces of a run use few partitions, and one
 * instance may consume all of them. A fault of the other instance would then interrupt no write to the ledger.
 */
export async function pickBusiestMeteringInstance(
  { system, random }: Pick<FaultContext, 'system' | 'random'>,
  watchedMs = defaultWatchMs,
): Promise<string> {
  const read = () => Promise.all(instances.map((name) => usageEventsConsumed(system.adminUrls.get(name) ?? '')));
  const before = await read();
  await sleep(watchedMs);
  const after = await read();
  const [first = 0, second = 0] = after.map((count, n) => count - (before[n] ?? 0));
  if (first === second) return random.pick(instances);
  return first > second ? instances[0] : instances[1];
}

/** Reads from the metrics of an instance how many usage events it has handled. The number only selects the target and proves nothing. */
const usageEventsConsumed = async (adminUrl: string) =>
  counterSum(await metricsOf(adminUrl), 'kafka_consumed_total', 'topic="usage.v1"');
