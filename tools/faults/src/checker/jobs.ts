import type { Operation } from '../clients/history.ts';
import type { BilledCharge, JobRecord } from './databases.ts';
import { attemptsOf } from './timeline.ts';

const ended = ['succeeded', 'failed', 'canceled'];
/** The most leases that a job may get. */
const attemptsMax = 3;

export interface JobsExpected {
  /** Every requested scan must succeed, because the demo stores are open. */
  allSucceed: boolean;
}

/** Every returned job id has one job, of the requested domain, and the job reaches a terminal state. */
export function compareJobs(
  operations: readonly Operation[],
  jobs: readonly JobRecord[],
  { allSucceed }: JobsExpected,
): string[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const returned = new Map<string, string>();
  for (const { jobs: named } of attemptsOf(operations)) for (const { id, domain } of named) returned.set(id, domain);
  const wanted = allSucceed ? ['succeeded'] : ended;
  return [
    ...[...returned].flatMap(([id, domain]) => {
      const job = byId.get(id);
      if (!job) return [`job ${id} was returned and does not exist`];
      if (job.domain !== domain) return [`job ${id} was returned for ${domain} but belongs to ${job.domain}`];
      return wanted.includes(job.state) ? [] : [`job ${id} is ${job.state} at the end of the run`];
    }),
    ...jobs
      .filter(({ attempts }) => attempts > attemptsMax)
      .map(({ id, attempts }) => `job ${id} had ${attempts} attempts`),
  ];
}

/** Each charge has as many jobs as billed scans, and each response names at least as many jobs as it billed scans. */
export function compareScans(
  operations: readonly Operation[],
  charges: readonly BilledCharge[],
  jobs: readonly JobRecord[],
): string[] {
  // A claim that is still `requested` belongs to no response. The scheduler drops it later.
  const made = jobs.filter(({ state }) => state !== 'requested');
  const unequal = charges.flatMap(({ chargeId, units: { lookupLive } }) => {
    if (lookupLive === 0) return [];
    const mine = made.filter((job) => job.chargeId === chargeId).length;
    return mine === lookupLive ? [] : [`charge ${chargeId} billed ${lookupLive} scans and made ${mine} jobs`];
  });
  const unnamed = operations.flatMap(({ id, attempts }) =>
    attempts
      .filter(({ billed, jobs: named }) => billed.lookupLive > new Set(named.map((job) => job.id)).size)
      .map(({ billed, jobs: named }) => `operation ${id} billed ${billed.lookupLive} scans and named ${named.length}`),
  );
  return [...unequal, ...unnamed];
}
