import { sleep } from '../wait.ts';
import type { Stage } from './scenario.ts';

const usualWatchMs = 2_000;
const instances = ['metering-1', 'metering-2'] as const;

/**
 * The metering that consumes the run's usage events: few workspaces lie in few partitions, which may all be one
 * instance's, and harm to the other one would meet no write of the ledger.
 */
export async function busiestMetering(
  { system, random }: Pick<Stage, 'system' | 'random'>,
  watchedMs = usualWatchMs,
): Promise<string> {
  const read = () =>
    Promise.all(instances.map(async (name) => consumedOf(await metricsOf(system.adminUrls.get(name) ?? ''))));
  const before = await read();
  await sleep(watchedMs);
  const after = await read();
  const [first = 0, second = 0] = after.map((count, n) => count - (before[n] ?? 0));
  if (first === second) return random.pick(instances);
  return first > second ? instances[0] : instances[1];
}

/** Usage events that an instance has handled, by its own count; it only aims the harm and judges nothing. */
export function consumedOf(metrics: string): number {
  const lines = metrics.matchAll(/^kafka_consumed_total\{([^}]*)\} (\d+)/gm);
  return [...lines]
    .filter(([, labels]) => labels?.includes('topic="usage.v1"'))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

const metricsOf = (adminUrl: string): Promise<string> =>
  fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.text(),
    () => '',
  );
