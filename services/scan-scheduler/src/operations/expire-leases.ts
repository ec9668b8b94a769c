import type { Dependencies } from './dependencies.ts';
import { returnWork } from './return-work.ts';

/** Returns the work of expired leases to the queue, at most `maxBatchSize` leases per run. */
export async function expireLeases(deps: Dependencies, maxBatchSize: number): Promise<void> {
  const at = new Date(deps.clock.now());
  for (const { id, domain } of await deps.leases.listExpired(at, maxBatchSize)) {
    await returnWork(deps, {
      scan: { id, domain },
      isLost: (scan) => scan.state === 'leased' && scan.lease !== null && scan.lease.expiresAt <= at,
      kind: 'lease_lost',
      code: 'lease_lost',
    });
  }
}
