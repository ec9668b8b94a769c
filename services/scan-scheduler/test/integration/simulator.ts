import { createDeadline } from '@shopscope/async';
import { deriveId } from '@shopscope/ids';
import { refundRequested, scanJobEnded, testScanCompleted } from '@shopscope/proto';
import type { TestNamespace } from '@shopscope/testing';
import { cancelTestJob } from '../../src/operations/cancel-job.ts';
import { claimScans } from '../../src/operations/claim-scans.ts';
import type { TestDependencies } from '../../src/operations/dependencies.ts';
import { getJob } from '../../src/operations/get-job.ts';
import { requestTestScans } from '../../src/operations/request-scans.ts';
import { deleteTestScans, resetTestScans } from '../../src/operations/reset-test-scans.ts';
import { applyTestMerges } from '../../src/operations/simulate-merges.ts';
import { simulateScans } from '../../src/operations/simulate-scans.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

const origin = { requestId: 'req_test', traceparent: '', environment: 'test' as const };
export const testContext = {
  origin,
  get deadline() {
    return createDeadline(5_000);
  },
};

/** The clock begins at the present time, because MongoDB deletes the numbers of scans by its own clock. */
export const startSimulated = (namespace: TestNamespace) => startScheduler(namespace, { startMs: Date.now() });

/** The time between two runs of the timer. */
export const runMs = 250;

export type Simulator = ReturnType<typeof simulatorOf>;

/** The operations of the test environment. The timer runs on each of the instances. */
export function simulatorOf(
  { clock, published, test: deps }: Pick<Scheduler, 'clock' | 'published' | 'test'>,
  others: readonly TestDependencies[] = [],
) {
  const simulator = {
    deps,
    claim: async (workspaceId: string, chargeId: string, domains: readonly string[]) =>
      claimScans(deps, { workspaceId, chargeId, domains, unit: 'refresh_requested' }, testContext),
    request: (workspaceId: string, chargeId: string, domains: readonly string[], requestedAtMs = clock.now()) =>
      requestTestScans(
        deps,
        domains.map((domain) => {
          const job = { jobId: deriveId('job', chargeId, domain), workspaceId, chargeId, domain };
          return { request: { ...job, unit: 'refresh_requested' as const, requestedAtMs }, origin };
        }),
      ),
    /** Claims and requests a job per domain. Resolves to their ids. */
    async queueAll(workspaceId: string, chargeId: string, domains: readonly string[]): Promise<string[]> {
      const claims = await simulator.claim(workspaceId, chargeId, domains);
      await simulator.request(workspaceId, chargeId, domains);
      return claims.map(({ jobId }) => jobId);
    },
    async queue(workspaceId: string, chargeId: string, domain: string): Promise<string> {
      const [jobId] = await simulator.queueAll(workspaceId, chargeId, [domain]);
      return jobId as string;
    },
    job: (workspaceId: string, jobId: string) => getJob(deps, { workspaceId, jobId }, testContext),
    cancel: (workspaceId: string, jobId: string) => cancelTestJob(deps, { workspaceId, jobId }, testContext),
    reset: (workspaceId: string, deadline = testContext.deadline) =>
      resetTestScans(deps, { workspaceId, environment: 'test' }, { deadline }),
    delete: (workspaceId: string) => deleteTestScans(deps, { workspaceId, environment: 'test' }, testContext),
    /** Lets the time pass, with the runs of the timer on every instance at the same time. */
    async pass(ms: number): Promise<void> {
      for (let passedMs = 0; passedMs < ms; passedMs += runMs) {
        clock.advance(runMs);
        await Promise.all([deps, ...others].map(simulateScans));
      }
    },
    /** The events for profiles, in the order of their transactions. */
    completed: () => published(testScanCompleted),
    /** Reports that profiles has merged, or rejected, every simulated scan. */
    async merge(rejectedBecause: string | null = null): Promise<void> {
      const completed = await simulator.completed();
      await applyTestMerges(
        deps,
        completed.map(({ scanId, domain }) => ({ scanId, domain, rejectedBecause })),
      );
    },
    jobEnds: () => published(scanJobEnded.test),
    refunds: () => published(refundRequested.test),
  };
  return simulator;
}
