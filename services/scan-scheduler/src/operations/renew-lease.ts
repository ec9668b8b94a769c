import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';
import { signPermit } from './sign-permit.ts';

/**
 * Extends a lease by its full duration, and its permit with it. An expired lease can be renewed until its work returns to the queue, and never
 * afterwards.
 */
export async function renewLease(
  deps: Dependencies,
  input: { scanId: string; leaseToken: string },
  context: CallContext,
): Promise<{ held: boolean; expiresAtMs: number; permit: string }> {
  const expiresAtMs = deps.clock.now() + deps.policy.leaseMs;
  const scan = await deps.scans.renew(
    input.scanId,
    input.leaseToken,
    new Date(expiresAtMs),
    context.deadline.timeoutMs(),
  );
  if (!scan) return { held: false, expiresAtMs: 0, permit: '' };
  return { held: true, expiresAtMs, permit: signPermit(deps, scan, expiresAtMs) };
}
