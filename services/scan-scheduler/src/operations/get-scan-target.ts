import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isCanonicalDomain } from '../domain/domain.ts';
import type { PageFailures } from '../domain/page-failures.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the page failures of a domain's latest scans. Undefined if there was no scan, or if the latest scan saw the store. */
export async function getScanTarget(
  deps: Dependencies,
  { domain }: { domain: string },
  context: CallContext,
): Promise<PageFailures | undefined> {
  if (!isCanonicalDomain(domain)) throw invalidField('domain', 'is not a registrable domain');
  return deps.targets.pageFailures(domain, context.deadline.timeoutMs());
}
