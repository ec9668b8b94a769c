import type { CallContext } from '@shopscope/grpc';
import type { Scan } from '../domain/scan.ts';
import type { Dependencies } from './dependencies.ts';
import { returnWork } from './return-work.ts';

export interface FinishLease {
  scanId: string;
  leaseToken: string;
  result: 'observed' | 'abandoned';
  reason: string;
}

/**
 * A scanner gives its lease back. `held` is false, and nothing changes, when the token is not that of the scan's latest
 * lease. Finishing twice, or after the merge has overtaken the finish, is held and changes nothing more.
 */
export async function finishLease(deps: Dependencies, input: FinishLease, caller: CallContext): Promise<boolean> {
  if (!input.leaseToken) return false;
  if (input.result === 'observed') return observed(deps, input, caller);
  const isLost = (scan: Scan) => scan.state === 'leased' && holds(scan, input.leaseToken);
  const lost = { scanId: input.scanId, isLost, kind: 'abandoned', code: input.reason } as const;
  return returnWork(deps, lost, caller);
}

async function observed(deps: Dependencies, input: FinishLease, caller: CallContext): Promise<boolean> {
  const at = new Date(deps.clock.now());
  const work = deps.transact(async (tx) => {
    const scan = await deps.scans.observe(input.scanId, input.leaseToken, at, tx);
    if (scan) {
      await deps.targets.endVisit(scan.domain, new Date(at.getTime() + deps.policy.visitIntervalMs), tx);
      return true;
    }
    const found = await deps.scans.find(input.scanId, tx);
    return found !== null && found.state !== 'queued' && holds(found, input.leaseToken);
  }, caller);
  return work;
}

const holds = (scan: Scan, token: string) => scan.lease?.token === token;
