import type { Deadline } from '@shopscope/async';
import { AppError, invalidField } from '@shopscope/errors';
import type { StoredBody } from '../outbound/mongo/store-bodies.ts';
import type { Dependencies } from './dependencies.ts';

const maxDomains = 100;

type GetStoresDependencies = Pick<Dependencies, 'storeBodies' | 'unmovedBodies' | 'bodiesAreSeparate' | 'metrics'>;

/**
 * The bodies, parallel to `domains`; undefined for a domain that is not in the corpus. One database read, and at most two
 * while bodies are moved to their own collection.
 */
export async function getStores(
  deps: GetStoresDependencies,
  domains: readonly string[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<(StoredBody | undefined)[]> {
  if (domains.length > maxDomains) throw invalidField('domains', `must be at most ${maxDomains}`);
  if (domains.length === 0) return [];
  deps.metrics.storesPerLookUp.observe(domains.length);
  const found = deps.bodiesAreSeparate()
    ? await deps.storeBodies.find(domains, deadline.timeoutMs())
    : await findInBothPlaces(deps, domains, deadline);
  return domains.map((domain) => found.get(domain));
}

/**
 * A body beside the profile is current. Otherwise it was in `store_bodies` before the first read, so a move between the
 * reads hides no store.
 */
async function findInBothPlaces(
  { storeBodies, unmovedBodies }: GetStoresDependencies,
  domains: readonly string[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<Map<string, StoredBody>> {
  const stores = await unmovedBodies.find(domains, deadline.timeoutMs());
  const movedDomains = stores.filter(({ stored }) => !stored).map(({ domain }) => domain);
  const moved = movedDomains.length === 0 ? undefined : await storeBodies.find(movedDomains, deadline.timeoutMs());
  const found = new Map<string, StoredBody>();
  for (const { domain, stored } of stores) {
    const body = stored ?? moved?.get(domain);
    // A new primary may not know yet that the move is committed.
    if (!body) throw new AppError('unavailable', 'the body of a store is being moved');
    found.set(domain, body);
  }
  return found;
}
