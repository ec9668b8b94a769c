import type { CallContext } from '@shopscope/grpc';
import { targetsOf } from '../domain/pacing.ts';
import { admitRequest, type NextRequest, type RequestAdmission, requestTargetOf } from './admit-request.ts';
import type { Dependencies } from './dependencies.ts';
import { signPermit } from './sign-permit.ts';

export type LeaseRenewal =
  | { held: false }
  | ({ held: true; expiresAtMs: number; permit: string } & (RequestAdmission | { admission: 'opted_out' }));

/**
 * Extends a lease by its full duration, and its permit with it. It also decides when the next request of the visit may be sent. An expired
 * lease can be renewed until its work returns to the queue, and never afterwards.
 *
 * - The domain of the scan, or the target of the request, is opted out -> `opted_out`.
 */
export async function renewLease(
  deps: Dependencies,
  input: { scanId: string; domain: string; leaseToken: string; nextRequest?: NextRequest | undefined },
  context: CallContext,
): Promise<LeaseRenewal> {
  const { scanId, domain, leaseToken, nextRequest } = input;
  const target = nextRequest && requestTargetOf(nextRequest);
  const optOuts = await deps.optOuts.current();
  const expiresAtMs = deps.clock.now() + deps.policy.leaseMs;
  const targets = target ? targetsOf(deps.policy.pacing, target.domain, target.addresses) : [];
  const scan = await deps.leases.renew(
    { id: scanId, domain },
    leaseToken,
    new Date(expiresAtMs),
    targets.map(({ key }) => key),
    context.deadline.timeoutMs(),
  );
  if (!scan?.lease) return { held: false };
  const { lease } = scan;
  const held = { held: true, expiresAtMs, permit: signPermit(deps, scan, expiresAtMs) } as const;
  if (optOuts.forbids(domain, []) || (target && optOuts.forbids(target.host, target.addresses))) {
    return { ...held, admission: 'opted_out' };
  }
  if (!target) return { ...held, admission: 'admitted', waitMs: 0 };
  return { ...held, ...(await admitRequest(deps, { ...scan, lease }, { ...target, targets }, context)) };
}
