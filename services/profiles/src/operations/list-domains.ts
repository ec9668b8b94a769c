import { invalidField } from '@shopscope/errors';
import type { ListDomainsRequest } from '@shopscope/proto';
import type { ListedDomain } from '../outbound/mongo/domain-ranges.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * The largest number of domains in one response, and in one page of a count. The protocol of sitemaps allows 50,000 in a file. A response
 * of 10,000 domains has about 350 kB and at most 2.7 MB. gRPC allows 16 MB. Decoding it takes milliseconds.
 */
export const maxDomainsPerPage = 10_000;

/** Returns the domains that a sitemap lists, in ascending order. Makes one database read. */
export async function listDomains(
  deps: Pick<Dependencies, 'domains'>,
  { afterDomain, throughDomain, limit }: ListDomainsRequest,
  timeoutMs: number,
): Promise<{ domains: ListedDomain[]; hasMore: boolean }> {
  if (!(limit >= 1 && limit <= maxDomainsPerPage))
    throw invalidField('limit', `must be from 1 to ${maxDomainsPerPage}`);
  const range = { after: afterDomain, through: throughDomain };
  const domains = await deps.domains.list(range, limit + 1, { timeoutMs });
  return { domains: domains.slice(0, limit), hasMore: domains.length > limit };
}
