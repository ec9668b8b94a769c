import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isCanonicalDomain } from '../domain/domain.ts';
import type { OtherAnswers } from '../domain/other-answers.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the other answers of a domain's latest scans. Undefined if there was no scan, or the latest one saw the store. */
export async function getScanTarget(
  deps: Dependencies,
  { domain }: { domain: string },
  context: CallContext,
): Promise<OtherAnswers | undefined> {
  if (!isCanonicalDomain(domain)) throw invalidField('domain', 'is not a registrable domain');
  return deps.targets.otherAnswers(domain, context.deadline.timeoutMs());
}
