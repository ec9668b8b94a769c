import type { Deadline } from '@shopscope/async';
import { newId } from '@shopscope/ids';
import { originFields } from '@shopscope/telemetry';
import { queuedMs, type SimulatedScan } from '../domain/simulated-scan.ts';
import type { TestDependencies } from './dependencies.ts';
import { giveOwedRefunds, type Requested } from './queue-jobs.ts';

/**
 * Queues claimed jobs of the test environment, each with a simulated scan.
 *
 * - The request is repeated -> a job that is no longer `requested` does not change.
 * - The job was canceled before its request arrived -> it stays canceled, and its unit is given back now, once.
 * - The job does not exist -> the request is ignored. A reset has deleted the job, and its requests must not bring it back.
 */
export async function queueSimulatedScans(
  deps: TestDependencies,
  requested: readonly Requested[],
  within: { deadline?: Deadline } = {},
): Promise<void> {
  const ids = requested.map(({ request: { jobId: id, workspaceId } }) => ({ id, workspaceId }));
  const queued = await deps.transact(async (tx) => {
    const jobs = [...(await deps.jobs.findAll(ids, tx)).values()];
    await giveOwedRefunds(deps, tx, jobs);
    const at = new Date(deps.clock.now());
    const attached = jobs
      .filter(({ state }) => state === 'requested')
      .map((job) => {
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
