import type { Operation } from '../clients/history.ts';
import type { JobRecord, LedgerCharge } from './databases.ts';
import { attemptsOf } from './timeline.ts';

const ended = ['succeeded', 'failed', 'canceled'];
/** Leases that a job gets at most. */
const attemptsMax = 3;

export interface JobsExpected {
  /** The stores that are asked for are open: their scans succeed. */
  allSucceed: boolean;
}

/** Every returned job id ↔ one job, of the domain that was asked for, in the end terminal. */
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
      if (job.domain !== domain) return [`job ${id} was returned for ${domain} and is of ${job.domain}`];
      return wanted.includes(job.state) ? [] : [`job ${id} is ${job.state} in the end`];
    }),
    ...jobs
      .filter(({ attempts }) => attempts > attemptsMax)
      .map(({ id, attempts }) => `job ${id} had ${attempts} attempts`),
  ];
}

/** Charge by charge, as many jobs were made as scans were billed, and an answer names what it billed. */
export function compareScans(
  operations: readonly Operation[],
  charges: readonly LedgerCharge[],
  jobs: readonly JobRecord[],
): string[] {
  // A claim that is still `requested` belongs to no answer; it is dropped in time.
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
