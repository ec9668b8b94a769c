import type { Tx } from '@shopscope/mongo';
import type { JobError } from '../domain/job.ts';
import type { Scan } from '../domain/scan.ts';
import type { EndingJobs } from '../outbound/mongo/job-ends.ts';
import type { Dependencies } from './dependencies.ts';

/** The jobs that one transaction ends. */
export interface JobsEnded {
  ended: number;
  /** Whether more jobs may have to end, in a further transaction. */
  hasMore: boolean;
}

/** A scan has one job per workspace. The bound keeps transactions short and small. */
export const maxJobsPerTransaction = 500;
/** The event or tick that ends the jobs is repeated after an error, and continues. */
const maxTransactions = 1_000;

/**
 * Ends jobs of a scan and adds an event for each to the outbox, in the caller's transaction. This is the only way in which jobs succeed or
 * fail.
 *
 * - More jobs are selected than one transaction may end -> the scan must stay live, so that {@link untilEnded} or a later run ends the others.
 *   The transaction writes to the scan, so that a concurrent end of the scan does not end the others meanwhile.
 */
export async function endJobs(
  deps: Dependencies,
  tx: Tx,
  scan: Pick<Scan, 'id' | 'domain' | 'workspaceIds'>,
  { which, error, at }: { which: EndingJobs; error: JobError | null; at: Date },
): Promise<JobsEnded> {
  const end = { state: error ? ('failed' as const) : ('succeeded' as const), error, finishedAt: at };
  const jobs = await deps.jobEnds.end(scan, which, end, maxJobsPerTransaction, tx);
  await deps.appendJobEnds(tx, jobs);
  const hasMore = jobs.length === maxJobsPerTransaction;
  if (hasMore) await deps.scans.lock(scan.domain, tx);
  return { ended: jobs.length, hasMore };
}

/**
 * Runs a transaction that ends jobs until no more jobs have to end. Resolves to the result of the last one that ended any, with the number
 * of jobs that all of them ended. Resolves to null if none did.
 */
export async function untilEnded<T extends JobsEnded>(transact: () => Promise<T | null>): Promise<T | null> {
  let last: T | null = null;
  let ended = 0;
  for (let transactions = 1; transactions <= maxTransactions; transactions++) {
    const part = await transact();
    if (!part) return last;
    ended += part.ended;
    last = { ...part, ended };
    if (!part.hasMore) return last;
  }
  throw new Error('a scan has more jobs than one call may end');
}
