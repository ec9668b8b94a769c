import type { CallContext } from '@shopscope/grpc';
import { isQueued, type Scan, type ScanKey } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';
import { requireIdentifier } from './require-valid.ts';
import { returnWork } from './return-work.ts';

export interface FinishLease {
  scanId: string;
  domain: string;
  leaseToken: string;
  result: 'observed' | 'abandoned';
  reason: string;
}

/**
 * Ends a lease on behalf of its scanner. Resolves to whether the scanner held the lease.
 *
 * - The token is not the token of the latest lease -> false, and nothing changes (fencing).
 * - The call is repeated, or arrives after the merge -> true, and nothing changes again.
 */
export async function finishLease(deps: Dependencies, input: FinishLease, context: CallContext): Promise<boolean> {
  if (!input.leaseToken) return false;
  if (input.reason !== '') requireIdentifier('reason', input.reason);
  if (input.result === 'observed') return observed(deps, input, context);
  const isLost = (scan: Scan) => scan.state === 'leased' && holds(scan, input.leaseToken);
  const lost = { scan: scanOf(input), isLost, kind: 'abandoned', code: input.reason } as const;
  return returnWork(deps, lost, context);
}

async function observed(deps: Dependencies, input: FinishLease, context: CallContext): Promise<boolean> {
  const at = new Date(deps.clock.now());
  const work = deps.transact(async (tx) => {
    const scan = await deps.leases.observe(scanOf(input), input.leaseToken, at, tx);
    if (scan) {
      await deps.targets.endVisit(scan.domain, new Date(at.getTime() + deps.policy.visitIntervalMs), tx);
      return true;
    }
    const found = await deps.scans.find(scanOf(input), tx);
    return found !== null && !isQueued(found) && holds(found, input.leaseToken);
  }, context);
  return work;
}

const scanOf = ({ scanId, domain }: FinishLease): ScanKey => ({ id: scanId, domain });
const holds = (scan: Scan, token: string) => scan.lease?.token === token;
