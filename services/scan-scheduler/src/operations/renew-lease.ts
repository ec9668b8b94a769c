import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';

/**
 * Extends a lease by its whole term. A lease is held until the work has been taken from it, so one that ran out and was
 * not noticed yet can still be renewed; one that was lost never comes back.
 */
export async function renewLease(
  deps: Dependencies,
  input: { scanId: string; leaseToken: string },
  caller: CallContext,
): Promise<{ held: boolean; expiresAtMs: number }> {
  const expiresAtMs = deps.clock.now() + deps.policy.leaseMs;
  const held = await deps.scans.renew(
    input.scanId,
    input.leaseToken,
    new Date(expiresAtMs),
    caller.deadline.timeoutMs(),
  );
  return { held, expiresAtMs: held ? expiresAtMs : 0 };
}
