import type { Operation } from '../clients/history.ts';
import type { BilledCharge, JobRecord, RefundRecord } from './databases.ts';
import { attemptsOf } from './timeline.ts';

/**
 * Returns the problems of refunds in the ledger. There are none if all of these hold:
 *
 * - A job has exactly one refund if it was canceled before it ran and its charge is counted. Every other job has none.
 * - A refund belongs to the charge of its job, and gives back one unit of the kind that the job bills.
 * - Every refund belongs to a job that exists.
 * - Each response to a cancellation agrees with the state of the job and with its refund.
 */
export function compareRefunds(
  operations: readonly Operation[],
  charges: readonly BilledCharge[],
  refunds: readonly RefundRecord[],
  jobs: readonly JobRecord[],
): string[] {
  const counted = new Set(charges.filter((charge) => charge.counted > 0).map(({ chargeId }) => chargeId));
  const byJob = Map.groupBy(refunds, ({ jobId }) => jobId);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const wrongRefunds = jobs.flatMap((job) => {
    const isDue = job.state === 'canceled' && job.refund !== 'none' && counted.has(job.chargeId);
    const refundsOfJob = byJob.get(job.id) ?? [];
    if (refundsOfJob.length !== (isDue ? 1 : 0)) {
      return [`job ${job.id} (${job.state}, refund ${job.refund}) was given back ${refundsOfJob.length} times`];
    }
    return refundsOfJob
      .filter((refund) => !isUnitOf(job, refund))
      .map(() => `job ${job.id} was given back by another amount`);
  });
  const unknownJobs = [...byJob.keys()]
    .filter((id) => !byId.has(id))
    .map((id) => `job ${id} was given back and does not exist`);
  const wrongResponses = attemptsOf(operations).flatMap(({ canceled }) => {
    if (!canceled) return [];
    const { id, state, isBilled } = canceled;
    const job = byId.get(id);
    const agrees = job?.state === state && isBilled === (state !== 'canceled' || job.refund === 'none');
    return agrees
      ? []
      : [`the response said that job ${id} is ${state}, and it is ${job?.state}, refund ${job?.refund}`];
  });
  return [...wrongRefunds, ...unknownJobs, ...wrongResponses];
}

function isUnitOf({ chargeId, unit }: JobRecord, refund: RefundRecord): boolean {
  const { lookupCached, lookupLive, refreshRequested = 0 } = refund.units;
  const [live, refresh] = unit === 'refresh_requested' ? [0, -1] : [-1, 0];
  return refund.chargeId === chargeId && lookupCached === 0 && lookupLive === live && refreshRequested === refresh;
}
