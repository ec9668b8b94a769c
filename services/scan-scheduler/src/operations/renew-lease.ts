import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';

/**
 * Extends a lease by its full duration. An expired lease can be renewed until its work returns to the queue, and never
 * afterwards.
 */
export async function renewLease(
  deps: Dependencies,
  input: { scanId: string; leaseToken: string },
  context: CallContext,
): Promise<{ held: boolean; expiresAtMs: number }> {
  const expiresAtMs = deps.clock.now() + deps.policy.leaseMs;
  const held = await deps.scans.renew(
    input.scanId,
    input.leaseToken,
    new Date(expiresAtMs),
    context.deadline.timeoutMs(),
  );
  return { held, expiresAtMs: held ? expiresAtMs : 0 };
}
