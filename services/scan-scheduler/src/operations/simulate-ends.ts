import type { Tx } from '@shopscope/mongo';
import { originFields } from '@shopscope/telemetry';
import type { EndedJob, JobError } from '../domain/job.ts';
import { jobKeysOf, type SimulatedScan } from '../domain/simulated-scan.ts';
import type { TestDependencies } from './dependencies.ts';

/**
 * Ends simulated scans and their jobs, and adds an event for each job to the outbox, in the caller's transaction. The transaction has read
 * the scans, so only one of several instances ends them. A canceled or deleted job has no event.
 */
export async function endSimulatedScans(
  deps: TestDependencies,
  tx: Tx,
  scans: readonly SimulatedScan[],
  { error, at }: { error: JobError | null; at: Date },
): Promise<EndedJob[]> {
  if (scans.length === 0) return [];
  await deps.simulatedScans.delete(scans, tx);
  const end = { state: error ? ('failed' as const) : ('succeeded' as const), error, finishedAt: at };
  const jobs = await deps.jobEnds.endAll(jobKeysOf(scans), end, tx);
  await deps.appendJobEnds(tx, jobs);
  return jobs;
}

/** Call it after the commit. */
export function logEnds(deps: TestDependencies, jobs: readonly EndedJob[]): void {
  for (const { id: jobId, scanId, workspaceId, domain, state, error, origin } of jobs) {
    const fields = { ...originFields(origin), scanId, jobId, workspaceId, domain, code: error?.code };
    deps.logger.info(fields, `simulated scan ${state}`);
  }
}
