import { invalidField } from '@shopscope/errors';
import type { StoredBody } from '../outbound/mongo/stores.ts';
import type { Dependencies } from './dependencies.ts';

const maxDomains = 100;

/** The bodies, parallel to `domains`; undefined for a domain that is not in the corpus. One database read. */
export async function getStores(
  deps: Pick<Dependencies, 'stores' | 'metrics'>,
  domains: readonly string[],
  timeoutMs: number,
): Promise<(StoredBody | undefined)[]> {
  if (domains.length > maxDomains) throw invalidField('domains', `must be at most ${maxDomains}`);
  if (domains.length === 0) return [];
  deps.metrics.storesPerLookUp.observe(domains.length);
  const found = await deps.stores.findBodies(domains, timeoutMs);
  return domains.map((domain) => found.get(domain));
}
