import { withRedis } from '@shopscope/local-stack';
import type { FaultSystem } from '../system/system.ts';
import { sleep } from '../wait.ts';
import type { FaultContext, Heal } from './scenario.ts';

/** The gateways probe their dependencies every 2 s. */
const probedMs = 8_000;
const looks = 8;
const lookEveryMs = 700;
/** No server listens there, so the replica keeps its data. */
const noPrimary = ['127.0.0.1', '1'] as const;

/** Makes the only Redis a replica. It still answers PING and reads, and refuses writes with READONLY. Connections stay open. */
export async function makeReadOnly({ direct }: Pick<FaultSystem, 'direct'>): Promise<Heal> {
  await withRedis(direct.redisPort, (redis) => redis.replicaof(...noPrimary));
  return async () => {
    await withRedis(direct.redisPort, (redis) => redis.replicaof('NO', 'ONE'));
    return performance.now();
  };
}

/** Requires that each gateway says, at every look, that a part of the service does not respond. */
export async function requireDegraded({ system, recordProblem }: FaultContext): Promise<void> {
  await sleep(probedMs);
  for (let look = 0; look < looks; look++) {
    for (const { url } of system.gateways) {
      const response = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(2_000) });
      const { status } = (await response.json()) as { status: string };
      if (status !== 'degraded') recordProblem(`/v1/health of ${url} said ${status} during the fault`);
    }
    await sleep(lookEveryMs);
  }
}
