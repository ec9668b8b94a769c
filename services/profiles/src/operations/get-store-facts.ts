import type { Deadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import { maxChangesPerType, type StoreFacts } from '../domain/store-facts.ts';
import type { DomainBody } from '../outbound/mongo/store-bodies.ts';
import type { ReadDependencies } from './dependencies.ts';
import { maxBytesPerResponse } from './get-stores.ts';

const maxDomains = 100;
export const maxFactsPerPage = 500;

type FactDependencies = Pick<ReadDependencies, 'storeBodies' | 'signals'>;

export interface CoveredFacts {
  /** In the order of the request, without domains that are not in the corpus. */
  stores: StoreFacts[];
  /** The number of domains that the result covers, from the first one on. */
  domainsCovered: number;
}

/** Returns the facts of as many domains, from the first one on, as fit into one response. Makes two database reads. */
export async function getStoreFacts(
  deps: FactDependencies,
  domains: readonly string[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<CoveredFacts> {
  if (domains.length > maxDomains) throw invalidField('domains', `must be at most ${maxDomains}`);
  if (domains.length === 0) return { stores: [], domainsCovered: 0 };
  const found = await deps.storeBodies.find(domains, deadline.timeoutMs());
  const bodies: DomainBody[] = [];
  let bytes = 0;
  let domainsCovered = 0;
  for (const domain of domains) {
    if (bytes >= maxBytesPerResponse) break;
    domainsCovered++;
    const body = found.get(domain);
    if (!body) continue;
    bytes += body.body.length;
    bodies.push({ domain, ...body });
  }
  return { stores: await withChanges(deps, bodies, deadline), domainsCovered };
}

export interface FactPage {
  stores: StoreFacts[];
  hasMore: boolean;
  /** About all stores of the corpus. */
  corpusStores: number;
}

/** Returns the facts of the stores after a domain, in ascending order. A page with large bodies is short. */
export async function listStoreFacts(
  deps: FactDependencies,
  { afterDomain, limit }: { afterDomain: string; limit: number },
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<FactPage> {
  if (!(limit >= 1 && limit <= maxFactsPerPage)) throw invalidField('limit', `must be from 1 to ${maxFactsPerPage}`);
  const bounds = { limit, maxBytes: maxBytesPerResponse, timeoutMs: deadline.timeoutMs() };
  const { bodies, hasMore } = await deps.storeBodies.list(afterDomain, bounds);
  const stores = await withChanges(deps, bodies, deadline);
  return { stores, hasMore, corpusStores: await deps.storeBodies.count() };
}

/**
 * Bodies are read before signals. A merge between both reads therefore adds its signals to an earlier sequence, and the facts of its own
 * sequence replace these facts.
 */
async function withChanges(
  { signals }: FactDependencies,
  bodies: readonly DomainBody[],
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<StoreFacts[]> {
  if (bodies.length === 0) return [];
  const bounds = { maxPerType: maxChangesPerType, timeoutMs: deadline.timeoutMs() };
  const changes = await signals.ofStores(
    bodies.map(({ domain }) => domain),
    bounds,
  );
  return bodies.map(({ domain, sequence, body, firstScanAt }) => {
    return { domain, sequence, body, firstScanAt, changes: changes.get(domain) ?? [] };
  });
}
