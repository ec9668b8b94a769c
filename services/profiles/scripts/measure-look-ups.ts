import type { GrpcClient } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';

export interface LookUpFigures {
  domainsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of this process: client and server. */
  cpuPerDomainUs: number;
  lastBytes: number;
}

/** Look-ups of `size` random neighbours, `concurrency` at a time, until `forMs` have passed or `until` is true. */
export async function measureLookUps(
  client: Pick<GrpcClient<typeof ProfilesServiceService>, 'getStores'>,
  domains: readonly string[],
  options: { size: number; concurrency: number; forMs: number; until?: () => boolean },
): Promise<LookUpFigures> {
  const { size, concurrency, forMs, until = () => false } = options;
  const timesMs: number[] = [];
  let lastBytes = 0;
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const callRepeatedly = async () => {
    while (performance.now() < startedMs + forMs && !until()) {
      const first = Math.floor(Math.random() * Math.max(1, domains.length - size));
      const startMs = performance.now();
      const { bodies } = await client.getStores({ domains: domains.slice(first, first + size), origins: [] });
      timesMs.push(performance.now() - startMs);
      lastBytes = bodies.length;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, callRepeatedly));
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.floor(timesMs.length * share)] ?? Number.NaN;
  return {
    domainsPerSecond: Math.round((timesMs.length * size) / seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuPerDomainUs: Math.round((user + system) / (timesMs.length * size)),
    lastBytes,
  };
}
