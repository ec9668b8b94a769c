import type { Operation } from '../clients/history.ts';
import type { JobRecord } from './databases.ts';
import { attemptsOf } from './timeline.ts';

const ended = ['succeeded', 'failed', 'canceled'];

/** Every returned job id ↔ one job, of the domain that was asked for, in the end terminal. */
export function compareJobs(operations: readonly Operation[], jobs: readonly JobRecord[]): string[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const returned = new Map<string, string>();
  for (const { jobs: named } of attemptsOf(operations)) for (const { id, domain } of named) returned.set(id, domain);
  return [...returned].flatMap(([id, domain]) => {
    const job = byId.get(id);
    if (!job) return [`job ${id} was returned and does not exist`];
    if (job.domain !== domain) return [`job ${id} was returned for ${domain} and is of ${job.domain}`];
    return ended.includes(job.state) ? [] : [`job ${id} is still ${job.state}`];
  });
}

/** Each scan that was billed is a job: no more live look-ups in the ledger than jobs. */
export function compareScans(billedLive: number, jobs: readonly JobRecord[]): string[] {
  return billedLive > jobs.length ? [`${billedLive} scans were billed for ${jobs.length} jobs`] : [];
}
