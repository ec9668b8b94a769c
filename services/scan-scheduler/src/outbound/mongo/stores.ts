import { dayMs, hourMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { CollectionDefinitions } from '@shopscope/mongo';
import { outboxCollections } from '@shopscope/outbox';
import type { Db } from 'mongodb';
import { createClaimStore } from './claims.ts';
import { jobCollection } from './job-document.ts';
import { createJobEndStore } from './job-ends.ts';
import { createJobStore } from './jobs.ts';
import { createOverdueJobStore } from './overdue-jobs.ts';
import { createOverdueMergeStore } from './overdue-merges.ts';
import { createPacingTargetStore, pacingTargetIndexes } from './pacing-targets.ts';
import { createParkedScanStore } from './parked-scans.ts';
import { createQueueStartStore, queueStartIndexes } from './queue-starts.ts';
import { createRefreshBudgetStore } from './refresh-budget.ts';
import { createScanCountStore, scanCountCollection } from './scan-counts.ts';
import { scanCollection } from './scan-document.ts';
import { createScanLeaseStore } from './scan-leases.ts';
import { createScanQueueStore } from './scan-queue.ts';
import { createTargetStore, targetCollection } from './scan-targets.ts';
import { createScanStore } from './scans.ts';
import { createSimulatedScanStore, simulatedScanCollection } from './simulated-scans.ts';
import { createTestJobStore } from './test-jobs.ts';

const oneDocument = 'one document';

export const collections = {
  jobs: jobCollection,
  scans: scanCollection,
  scan_targets: targetCollection,
  sequence_floors: { indexes: [], unsharded: 'one document per restore' },
  queue_starts: { indexes: queueStartIndexes, shardKey: { _id: 'hashed' } },
  virtual_time: { indexes: [], unsharded: oneDocument },
  pacing_targets: { indexes: pacingTargetIndexes, shardKey: { _id: 'hashed' } },
  opt_outs: { indexes: [], unsharded: 'at most 10,000 documents are in force, and each instance reads all of them' },
  refresh_budget: { indexes: [], unsharded: oneDocument },
  test_jobs: jobCollection,
  test_scans: simulatedScanCollection,
  test_scan_targets: scanCountCollection,
  ...outboxCollections,
} as const satisfies CollectionDefinitions;

export interface StoreOptions {
  /** How long ended jobs and scans are kept. */
  retentionMs: number;
  /** It must be longer than any scan waits. */
  queueRetentionMs?: number;
  /** It must be longer than the time between two visits of the slowest target. */
  pacingRetentionMs?: number;
  /** Replaces the clock of the database. */
  now?: () => Date;
}

/** The stores of jobs in one environment. */
export type JobStores = ReturnType<typeof createJobStores>;

export const createJobStores = (db: Db, environment: Environment, { retentionMs }: StoreOptions) => ({
  claims: createClaimStore(db, environment),
  jobs: createJobStore(db, environment),
  jobEnds: createJobEndStore(db, environment, { retentionMs }),
});

/** The stores that only the live environment has: scans, and what their visits need. */
export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Db, options: StoreOptions) {
  const { retentionMs, queueRetentionMs = 7 * dayMs, pacingRetentionMs = hourMs, now } = options;
  return {
    overdueJobs: createOverdueJobStore(db),
    scans: createScanStore(db, { retentionMs }),
    scanQueue: createScanQueueStore(db),
    leases: createScanLeaseStore(db),
    parkedScans: createParkedScanStore(db),
    overdueMerges: createOverdueMergeStore(db),
    targets: createTargetStore(db),
    queueStarts: createQueueStartStore(db, { retentionMs: queueRetentionMs }),
    pacingTargets: createPacingTargetStore(db, { retentionMs: pacingRetentionMs, ...(now && { now }) }),
    refreshBudget: createRefreshBudgetStore(db),
  };
}

/** The stores that only the test environment has. */
export type TestStores = ReturnType<typeof createTestStores>;

export const createTestStores = (db: Db) => ({
  simulatedScans: createSimulatedScanStore(db),
  scanCounts: createScanCountStore(db),
  testJobs: createTestJobStore(db),
});
