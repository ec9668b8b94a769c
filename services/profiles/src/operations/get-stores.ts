import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { StoredBody } from '../outbound/mongo/store-bodies.ts';
import type { ReadDependencies } from './dependencies.ts';

const maxDomains = 100;
/** A quarter of the message limit of gRPC, because a message uses memory on both sides and delays the calls after it. */
export const maxBytesPerResponse = 4 * 1024 * 1024;

/** Returns one body per domain, in the same order; undefined for a domain that is not in the corpus. Makes one database read. */
export async function getStores(
  deps: Pick<ReadDependencies, 'storeBodies' | 'metrics'>,
  domains: readonly string[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<(StoredBody | undefined)[]> {
  if (domains.length > maxDomains) throw invalidField('domains', `must be at most ${maxDomains}`);
  if (domains.length === 0) return [];
  deps.metrics.storesPerLookUp.observe(domains.length);
  const found = await deps.storeBodies.find(domains, deadline.timeoutMs());
  return domains.map((domain) => found.get(domain));
}

const maxScanTimes = 2_000;

/** Returns the last completed scan of each domain, in the same order; undefined for a domain that is not in the corpus. */
export async function getScanTimes(
  deps: Pick<ReadDependencies, 'storeBodies'>,
  domains: readonly string[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<(Date | undefined)[]> {
  if (domains.length > maxScanTimes) throw invalidField('domains', `must be at most ${maxScanTimes}`);
  if (domains.length === 0) return [];
  const found = await deps.storeBodies.scanTimes(domains, deadline.timeoutMs());
  return domains.map((domain) => found.get(domain));
}

/**
 * Returns the indexes of the stores whose bodies do not fit into one response. Small bodies come first, so that a large one delays no
 * other. The smallest body always fits, so the caller has all bodies after at most as many calls as there are stores.
 */
export function deferredOf(found: readonly (StoredBody | undefined)[]): ReadonlySet<number> {
  const sizes = found.map((store) => store?.body.length ?? 0);
  let room = maxBytesPerResponse - sizes.reduce((sum, size) => sum + size, 0);
  if (room >= 0) return new Set();
  const largestFirst = [...sizes.keys()]
    .filter((index) => found[index])
    .sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  const deferred = new Set<number>();
  for (const index of largestFirst.slice(0, -1)) {
    if (room >= 0) break;
    deferred.add(index);
    room += sizes[index] ?? 0;
  }
  return deferred;
}
