import { invalidField } from '@shopscope/errors';
import type { StoredBody } from '../outbound/mongo/stores.ts';
import type { Dependencies } from './dependencies.ts';

const domainsMax = 100;

/** Finished bodies, parallel to `domains`; undefined where the corpus has none. One database read. */
export async function getStores(
  deps: Pick<Dependencies, 'stores' | 'metrics'>,
  domains: readonly string[],
  timeoutMs: number,
): Promise<(StoredBody | undefined)[]> {
  if (domains.length > domainsMax) throw invalidField('domains', `must be at most ${domainsMax}`);
  if (domains.length === 0) return [];
  deps.metrics.storesPerLookUp.observe(domains.length);
  const found = await deps.stores.findBodies(domains, timeoutMs);
  return domains.map((domain) => found.get(domain));
}
