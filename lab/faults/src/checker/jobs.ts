import type { Operation } from '../clients/history.ts';
import type { BilledCharge, JobRecord } from './databases.ts';
import { attemptsOf, ofKinds } from './timeline.ts';

const ended = ['succeeded', 'failed', 'canceled'];
/** The maximum number of leases of a job. */
const maxAttempts = 3;

/**
 * Checks that every returned job id has one job, that the job is of the requested domain, and that it reaches a terminal state. With
 * `allSucceed` every requested scan must succeed, because the demo stores are open. A canceled job may also end as `canceled`.
 */
export function compareJobs(
  operations: readonly Operation[],
  jobs: readonly JobRecord[],
  { allSucceed }: { allSucceed: boolean },
): string[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const returned = new Map<string, string>();
  for (const { jobs: named } of attemptsOf(operations)) for (const { id, domain } of named) returned.set(id, domain);
  const canceled = new Set(attemptsOf(operations).flatMap((attempt) => attempt.canceled?.id ?? []));
  const wantedOf = (id: string) => (!allSucceed ? ended : canceled.has(id) ? ['succeeded', 'canceled'] : ['succeeded']);
  return [
    ...[...returned].flatMap(([id, domain]) => {
      const job = byId.get(id);
      if (!job) return [`job ${id} was returned and does not exist`];
      if (job.domain !== domain) return [`job ${id} was returned for ${domain} but belongs to ${job.domain}`];
      return wantedOf(id).includes(job.state) ? [] : [`job ${id} is ${job.state} at the end of the run`];
    }),
    ...jobs
      .filter(({ attempts }) => attempts > maxAttempts)
      .map(({ id, attempts }) => `job ${id} had ${attempts} attempts`),
  ];
}

/**
 * Checks three things:
 *
 * - Each charge has as many jobs as it billed scans.
 * - Each response names at least as many jobs as it billed scans.
 * - There are at most as many returned jobs of explicit scans without a counted charge as failed requests for scans.
 */
export function compareScans(
  operations: readonly Operation[],
  charges: readonly BilledCharge[],
  jobs: readonly JobRecord[],
): string[] {
  // A claim that is still `requested` belongs to no response, and the scheduler drops it later. A job that was canceled as a claim, and whose
  // refund is still owed, was never requested.
  const made = jobs.filter(({ state, refund }) => state !== 'requested' && refund !== 'owed');
  const countOf = (chargeId: string, unit: JobRecord['unit']) =>
    made.filter((job) => job.chargeId === chargeId && job.unit === unit).length;
  const wrongCounts = charges.flatMap(({ chargeId, units: { lookupLive, refreshRequested = 0 } }) => {
    if (lookupLive + refreshRequested === 0) return [];
    const [live, refresh] = [countOf(chargeId, 'lookup_live'), countOf(chargeId, 'refresh_requested')];
    const billed = `${lookupLive} scans and ${refreshRequested} requested refreshes`;
    return live === lookupLive && refresh === refreshRequested
      ? []
      : [`charge ${chargeId} billed ${billed} and made ${live} and ${refresh} jobs`];
  });
  const counted = new Set(charges.filter((charge) => charge.counted > 0).map(({ chargeId }) => chargeId));
  const explicit = attemptsOf(operations.filter(ofKinds('scan')));
  const returned = new Set(explicit.flatMap(({ jobs: named }) => named.map(({ id }) => id)));
  // A request that fails after its scan request was published bills nothing, and its job runs. A later request may join that job.
  const failed = explicit.filter(({ outcome, status }) => outcome === 'unknown' || status >= 500);
  const unbilled = made
    .filter(({ id, unit, chargeId }) => unit === 'refresh_requested' && returned.has(id) && !counted.has(chargeId))
    .slice(failed.length)
    .map(({ id }) => `job ${id} was returned, and its charge is not in the ledger`);
  const unnamed = operations.flatMap(({ id, attempts }) =>
    attempts
      .filter(({ billed, jobs: named }) => billed.lookupLive > new Set(named.map((job) => job.id)).size)
      .map(({ billed, jobs: named }) => `operation ${id} billed ${billed.lookupLive} scans and named ${named.length}`),
  );
  return [...wrongCounts, ...unbilled, ...unnamed];
}
