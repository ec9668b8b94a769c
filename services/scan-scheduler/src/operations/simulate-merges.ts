import { jobError } from '../domain/failure.ts';
import type { EndedJob } from '../domain/job.ts';
import type { TestDependencies } from './dependencies.ts';
import { endSimulatedScans, logEnds } from './simulate-ends.ts';

/** The report of profiles about a simulated scan. */
export interface TestMergeResult {
  scanId: string;
  domain: string;
  /** The error code if the scan was rejected. Null if it was merged. */
  rejectedBecause: string | null;
}

/** The reports that one transaction applies. */
const maxBatchSize = 100;

/**
 * Ends simulated scans and their jobs after profiles has merged or rejected them.
 *
 * - The scan does not exist -> the report is ignored: it is a repetition, or it is later than the end of the scan.
 */
export async function applyTestMerges(deps: TestDependencies, merges: readonly TestMergeResult[]): Promise<void> {
  for (let first = 0; first < merges.length; first += maxBatchSize) {
    const batch = merges.slice(first, first + maxBatchSize);
    const reasons = new Map(batch.map(({ scanId, rejectedBecause }) => [scanId, rejectedBecause]));
    const ended = await deps.transact(async (tx) => {
      const at = new Date(deps.clock.now());
      const jobs: EndedJob[] = [];
      const scans = batch.map(({ scanId: id, domain }) => ({ id, domain }));
      const observed = await deps.simulatedScans.listObserved(scans, tx);
      for (const [reason, alike] of Map.groupBy(observed, ({ id }) => reasons.get(id) ?? null)) {
        const error = reason === null ? null : jobError(reason);
        jobs.push(...(await endSimulatedScans(deps, tx, alike, { error, at })));
      }
      return jobs;
    });
    logEnds(deps, ended);
  }
}
