import { createDeadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Attempt, LeasedDelivery } from '../../domain/delivery.ts';
import { verdictOf } from '../../domain/health.ts';
import { isSuccess, outcomeOf } from '../../domain/schedule.ts';
import type { Dependencies } from '../dependencies.ts';
import { disableEndpoint, disableGoneEndpoint, tellFailing } from './change-health.ts';
import { endDeliveries } from './end-deliveries.ts';
import type { AttemptRecorder } from './record-attempts.ts';
import { sendAttempt } from './send-attempt.ts';
import type { Turn } from './take-turn.ts';

const endMs = 10_000;

/** Failures whose cause may be this system. They do not count against the endpoint. */
const ownFaults: readonly (string | null)[] = ['dns_unavailable', 'egress_broken'];
const isOwnFault = ({ error }: Attempt): boolean => ownFaults.includes(error);

/**
 * Sends one delivery and records the attempt.
 *
 * - The record fails -> the delivery is sent again after the lease.
 * - The lease was lost -> the attempt is not recorded, because another instance sends the delivery.
 * - 410 -> one transaction disables the endpoint and records the attempt, so no end of the process leaves it active.
 */
export async function deliver<E extends Environment>(
  deps: Dependencies<E>,
  recorder: AttemptRecorder<E>,
  { endpoint, token }: Omit<Turn, 'deliveries'>,
  delivery: LeasedDelivery,
): Promise<void> {
  const { clock, environment, metrics } = deps;
  const { attempt, headers } = await sendAttempt(deps, endpoint, { id: delivery.eventId, body: delivery.body });
  const now = new Date(clock.now());
  const answer = { status: attempt.status, headers };
  const outcome = outcomeOf(delivery, answer, { now, random: deps.random() });
  const ref = { environment, workspaceId: endpoint.workspaceId, id: endpoint.id };
  const settlement = { delivery, attempt, outcome };
  const isGone = attempt.status === 410 && (await disableGoneEndpoint(deps, ref, { url: endpoint.url, settlement }));
  if (!isGone) await recorder.settle(settlement);
  const hasSucceeded = isSuccess(answer);
  metrics.attempt(environment, hasSucceeded ? 'succeeded' : 'failed', attempt.latencyMs);
  const nextAt = outcome.state === 'retrying' ? outcome.dueAt : null;
  const failed = hasSucceeded || isOwnFault(attempt) ? 0 : 1;
  const streak = await recorder.release({ ref, token, nextAt, hasSucceeded, failed });
  const verdict = hasSucceeded ? 'healthy' : verdictOf(streak, now);
  if (verdict === 'dead') await disableEndpoint(deps, ref, 'no_success');
  else if (verdict === 'failing' && !streak?.isTold) await tellFailing(deps, ref);
  if (isGone || verdict === 'dead') await endDeliveries(deps, ref, createDeadline(endMs, { clock }));
}
