import { createDeadline, exponentialBackoff, retry } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Attempt, LeasedDelivery } from '../../domain/delivery.ts';
import { verdictOf } from '../../domain/health.ts';
import { isSuccess, outcomeOf } from '../../domain/schedule.ts';
import type { Dependencies } from '../dependencies.ts';
import { disableEndpoint, tellFailing } from './change-health.ts';
import { endDeliveries } from './end-deliveries.ts';
import { sendAttempt } from './send-attempt.ts';
import type { Turn } from './take-turn.ts';

const statementMs = 10_000;
/** The record of an attempt is repeated for this time. It ends before the lease does. */
const recordMs = 30_000;
const endMs = 10_000;

/** Failures whose cause may be this system. They do not count against the endpoint. */
const ownFaults: readonly (string | null)[] = ['dns_unavailable', 'egress_broken'];
const isOwnFault = ({ error }: Attempt): boolean => ownFaults.includes(error);

/**
 * Sends one delivery and records the attempt.
 *
 * - The record fails -> it is repeated. If it fails until the end of the lease, the delivery is sent again.
 * - The lease was lost -> the attempt is not recorded, because another instance sends the delivery.
 * - 410 -> the endpoint is disabled before the attempt is recorded, so no end of the process leaves it active.
 */
export async function deliver<E extends Environment>(
  deps: Dependencies<E>,
  { endpoint, token }: Omit<Turn, 'deliveries'>,
  delivery: LeasedDelivery,
): Promise<void> {
  const { clock, deliveries, queues, metrics } = deps;
  const { attempt, headers } = await sendAttempt(deps, endpoint, { id: delivery.eventId, body: delivery.body });
  const now = new Date(clock.now());
  const answer = { status: attempt.status, headers };
  const outcome = outcomeOf(delivery, answer, { now, random: deps.random() });
  const ref = { environment: deps.environment, workspaceId: endpoint.workspaceId, id: endpoint.id };
  const deadline = createDeadline(recordMs, { clock });
  const repeat = <T>(work: () => Promise<T>) =>
    retry(work, { deadline, pauseMs: (n) => exponentialBackoff(n, { firstMs: 100, maxMs: 5_000 }), clock });
  const isGone = attempt.status === 410;
  if (isGone) await repeat(() => disableEndpoint(deps, ref, 'gone'));
  const isRecorded = await repeat(() => deliveries.settle([{ delivery, attempt, outcome }], statementMs));
  const hasSucceeded = isSuccess(answer);
  metrics.attempt(isRecorded ? (hasSucceeded ? 'succeeded' : 'failed') : 'lost', attempt.latencyMs);
  const released = {
    count: 1,
    nextAt: outcome.state === 'retrying' ? outcome.dueAt : null,
    hasSucceeded,
    failed: hasSucceeded || isOwnFault(attempt) ? 0 : 1,
  };
  const streak = await repeat(() => queues.release(ref, token, released, now, statementMs));
  const verdict = hasSucceeded ? 'healthy' : verdictOf(streak, now);
  if (verdict === 'dead') await disableEndpoint(deps, ref, 'no_success');
  else if (verdict === 'failing' && !streak?.isTold) await tellFailing(deps, ref);
  if (isGone || verdict === 'dead') await endDeliveries(deps, ref, createDeadline(endMs, { clock }));
}
