import type { Tx } from '@shopscope/mongo';
import { simulatedScanOf } from '@shopscope/test-tenant';
import { jobError } from '../domain/failure.ts';
import type { EndedJob } from '../domain/job.ts';
import { jobKeysOf, type SimulatedScan } from '../domain/simulated-scan.ts';
import type { TestDependencies } from './dependencies.ts';
import { endSimulatedScans, logEnds } from './simulate-ends.ts';

/** The visits of workspaces in one run. The next run continues behind the last one. */
const maxVisits = 200;
/** The scans of a workspace in its turn. The other workspaces have theirs before it gets another one. */
const maxScansPerTurn = 50;

/**
 * Takes the steps of simulated scans that are due, workspace by workspace, in rounds until none is due:
 *
 * - queued -> running. The job runs, and its scan ends when the duration of its domain has passed.
 * - running, and the domain has no store -> the scan ends, and the job fails.
 * - running -> observed. The event for profiles is written, with the next number of the store.
 * - observed for `mergeWaitMs` -> the job fails, because profiles has not merged the scan.
 *
 * Concurrency: one transaction for the scans of a turn. It reads and changes each of them, so only one of several instances takes a step.
 * The process is killed -> the scans stay due, and any instance continues.
 * The steps of a workspace fail -> the run ends with the error, and the next run continues behind this workspace.
 */
export async function simulateScans(deps: TestDependencies): Promise<void> {
  const { simulatedScans, simulatedWalk: walk, clock } = deps;
  let isMoreDue = false;
  for (let visits = 0; visits < maxVisits; visits++) {
    const first = await simulatedScans.firstOfNext(walk.after);
    walk.after = first?.workspaceId ?? '';
    if (!first) {
      if (!isMoreDue) return;
      isMoreDue = false;
    } else if (first.dueAt.getTime() <= clock.now() && (await takeTurn(deps, first.workspaceId))) isMoreDue = true;
  }
}

/** Resolves to whether more scans of the workspace may be due. */
async function takeTurn(deps: TestDependencies, workspaceId: string): Promise<boolean> {
  const { ended, isFull } = await deps.transact(async (tx) => {
    const at = new Date(deps.clock.now());
    const due = await deps.simulatedScans.listDue(workspaceId, at, maxScansPerTurn, tx);
    await start(deps, tx, of(due, 'queued'), at);
    const failed = await end(deps, tx, of(due, 'running'), at);
    const error = jobError('observation_lost');
    const lost = await endSimulatedScans(deps, tx, of(due, 'observed'), { error, at });
    return { ended: [...failed, ...lost], isFull: due.length === maxScansPerTurn };
  });
  logEnds(deps, ended);
  return isFull;
}

const of = (scans: readonly SimulatedScan[], wanted: SimulatedScan['state']) =>
  scans.filter(({ state }) => state === wanted);

const after = (at: Date, ms: number) => new Date(at.getTime() + ms);

async function start(deps: TestDependencies, tx: Tx, scans: readonly SimulatedScan[], at: Date): Promise<void> {
  await deps.jobs.startAll(jobKeysOf(scans), at, tx);
  for (const [durationMs, alike] of Map.groupBy(scans, ({ domain }) => simulatedScanOf(domain).durationMs)) {
    await deps.simulatedScans.setState(alike, { state: 'running', dueAt: after(at, durationMs) }, tx);
  }
}

/** Returns the jobs that have failed. */
async function end(deps: TestDependencies, tx: Tx, scans: readonly SimulatedScan[], at: Date): Promise<EndedJob[]> {
  const failed: EndedJob[] = [];
  for (const [failure, alike] of Map.groupBy(scans, ({ domain }) => simulatedScanOf(domain).failure)) {
    if (failure) failed.push(...(await endSimulatedScans(deps, tx, alike, { error: jobError(failure), at })));
    else await complete(deps, tx, alike, at);
  }
  return failed;
}

async function complete(deps: TestDependencies, tx: Tx, scans: readonly SimulatedScan[], at: Date): Promise<void> {
  const numbers = await deps.scanCounts.increment(scans, at, tx);
  const completed = scans.map((scan, index) => ({ ...scan, sequence: numbers[index] as number, completedAt: at }));
  await deps.simulatedScans.setState(scans, { state: 'observed', dueAt: after(at, deps.policy.mergeWaitMs) }, tx);
  await deps.appendTestScans(tx, completed);
}
