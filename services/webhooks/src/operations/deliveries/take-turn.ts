import { secondMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import type { LeasedDelivery } from '../../domain/delivery.ts';
import type { EndpointRef } from '../../domain/endpoint.ts';
import type { StoredEndpoint } from '../../outbound/mongo/endpoints.ts';
import type { Dependencies } from '../dependencies.ts';
import { attemptMs } from './send-attempt.ts';

/** Long enough for an attempt, its record and the repetitions of the record. */
export const leaseMs = attemptMs + 45 * secondMs;
const timeoutMs = 10_000;

/** Deliveries that this process sends. */
export interface Turn {
  endpoint: StoredEndpoint;
  token: string;
  deliveries: LeasedDelivery[];
}

/**
 * Takes up to `want` due deliveries of an endpoint. Returns undefined if none may be sent now.
 *
 * - Concurrency: the grant of the queue bounds the attempts over all instances. The lease of each delivery decides who sends it.
 * - The process ends after any step -> grant and leases end after {@link leaseMs}, and the deliveries are due again.
 */
export async function takeTurn<E extends Environment>(
  deps: Dependencies<E>,
  ref: EndpointRef<E>,
  want: number,
): Promise<Turn | undefined> {
  const { queues, deliveries, endpoints, clock } = deps;
  const nowMs = clock.now();
  const lease = { token: newId('lse', nowMs), now: new Date(nowMs), until: new Date(nowMs + leaseMs) };
  const grant = await queues.grant(ref, { ...lease, want }, timeoutMs);
  if (!grant) return undefined;
  const [endpoint, { due, isMore, nextAt }] = await Promise.all([
    endpoints.find(ref, { maxTimeMS: timeoutMs }),
    deliveries.listDue(ref, lease.now, grant.granted, timeoutMs),
  ]);
  const leased = endpoint && due.length > 0 ? await deliveries.lease(ref, due, lease, timeoutMs) : [];
  await queues.keep(ref, grant, { leased: leased.length, isMore, nextAt }, lease.now, timeoutMs);
  return endpoint && leased.length > 0 ? { endpoint, token: lease.token, deliveries: leased } : undefined;
}
