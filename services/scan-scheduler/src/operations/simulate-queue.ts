import type { Deadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import { originFields } from '@shopscope/telemetry';
import { queuedMs, type SimulatedScan } from '../domain/simulated-scan.ts';
import type { TestDependencies } from './dependencies.ts';
import { openJobs, type Requested } from './queue-jobs.ts';

/**
 * Queues claimed jobs of the test environment, each with a simulated scan.
 *
 * - The request is repeated -> a job that is no longer `requested` does not change.
 * - The job was canceled before its request arrived -> it stays canceled, and its unit is given back now, once.
 * - The claim was dropped meanwhile -> the job is inserted again.
 * - The request is older than the last reset -> it is ignored. The reset has deleted the job, and its requests must not bring it back.
 */
export async function queueSimulatedScans(
  deps: TestDependencies,
  requested: readonly Requested[],
  within: { deadline?: Deadline } = {},
): Promise<void> {
  const queued = await deps.transact(async (tx) => {
    const at = new Date(deps.clock.now());
    const jobs = await openJobs(deps, tx, requested, (dropped) => sinceReset(deps, tx, dropped, at));
    const attached = jobs.map((job) => {
      const { id: jobId, workspaceId, domain, origin } = job;
      const id = newId('scan', at.getTime());
      const dueAt = new Date(at.getTime() + queuedMs);
      const scan: SimulatedScan = { id, workspaceId, domain, jobId, state: 'queued', dueAt, origin };
      return { job, scan, scanId: id, start: { state: 'queued', attempts: 0, minSequence: 0 } as const };
    });
    const scans = attached.map(({ scan }) => scan);
    if (scans.length === 0) return scans;
    await deps.simulatedScans.insert(scans, tx);
    await deps.jobs.attach(attached, at, tx);
    return scans;
  }, within);
  for (const { id: scanId, jobId, workspaceId, domain, origin } of queued) {
    deps.logger.info({ ...originFields(origin), scanId, jobId, workspaceId, domain }, 'simulated scan queued');
  }
}

/** Returns the requests that are later than the last resets of their workspaces. */
async function sinceReset(
  { scanCounts }: TestDependencies,
  tx: Tx,
  requested: readonly Requested[],
  at: Date,
): Promise<Requested[]> {
  const current: Requested[] = [];
  for (const [workspaceId, own] of Map.groupBy(requested, ({ request }) => request.workspaceId)) {
    const resetMs = await scanCounts.lastResetMs(workspaceId, at, tx);
    current.push(...own.filter(({ request }) => (request.requestedAtMs || at.getTime()) > resetMs));
  }
  return current;
}
