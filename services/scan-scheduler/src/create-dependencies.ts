import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { SignPermit } from '@shopscope/ids';
import type { TopicProgress } from '@shopscope/kafka';
import { createTestTransact, createTransact, type Mongo } from '@shopscope/mongo';
import type { Outbox } from '@shopscope/outbox';
import { optOutChanged, refundRequested, scanJobEnded, testScanCompleted } from '@shopscope/proto';
import { type Logger, Registry } from '@shopscope/telemetry';
import { createMetrics, type SchedulerMetrics } from './metrics.ts';
import type {
  Dependencies,
  EveryEnvironment,
  JobDependencies,
  Policy,
  TestDependencies,
} from './operations/dependencies.ts';
import { createOptOuts } from './operations/opt-outs.ts';
import { optOutChangedOf } from './outbound/events/opt-out-changed.ts';
import { refundOf } from './outbound/events/refund-requested.ts';
import { scanJobEndedOf } from './outbound/events/scan-job-ended.ts';
import { testScanCompletedOf } from './outbound/events/test-scan-completed.ts';
import { createOptOutStore } from './outbound/mongo/opt-outs.ts';
import { createJobStores, createStores, createTestStores, type StoreOptions } from './outbound/mongo/stores.ts';

export interface DependencyParts {
  mongo: Mongo;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  metrics: SchedulerMetrics;
  policy: Policy;
  retention: StoreOptions;
  progress: Omit<Dependencies['progress'], 'scanRequests'> & { scanRequests: Record<Environment, TopicProgress> };
  signPermit: SignPermit;
  workArrived(): void;
}

/** The part of the composition root that creates what the operations of both environments use. */
export function createDependencies(parts: DependencyParts): EveryEnvironment {
  const { mongo, outbox, clock, logger, policy, retention, progress } = parts;
  const { db } = mongo;
  const shared = {
    clock,
    logger,
    policy,
    // A unique index rejects one of two concurrent transactions. The rejected one runs again and reads the new data.
    transact: createTransact(mongo, { retryDuplicateKeys: true }),
  };
  const jobPartsOf = <E extends Environment>(environment: E) =>
    ({
      ...shared,
      ...createJobStores(db, environment, retention),
      environment,
      async appendRefund(tx, canceled, origin) {
        await outbox.append(tx.session, refundRequested[environment], refundOf(canceled), origin);
      },
      appendJobEnds(tx, jobs) {
        const events = jobs.map((job) => ({ event: scanJobEndedOf(job), meta: job.origin }));
        return outbox.appendMany(tx.session, scanJobEnded[environment], events);
      },
    }) satisfies Partial<JobDependencies<E>>;
  const live: Dependencies = {
    ...jobPartsOf('live'),
    ...createStores(db, retention),
    metrics: parts.metrics,
    progress: { ...progress, scanRequests: progress.scanRequests.live },
    parkedWalk: { after: '' },
    optOuts: createOptOuts({
      store: createOptOutStore(db),
      clock,
      logger,
      transact: shared.transact,
      appendChange: (tx, optOut, origin) => outbox.append(tx.session, optOutChanged, optOutChangedOf(optOut), origin),
    }),
    signPermit: parts.signPermit,
    workArrived: parts.workArrived,
  };
  const test: TestDependencies = {
    ...jobPartsOf('test'),
    ...createTestStores(db),
    transact: createTestTransact(mongo, shared.transact),
    // Nobody reads these metrics: the exposed ones count live jobs.
    metrics: createMetrics(new Registry()),
    progress: { scanRequests: progress.scanRequests.test },
    simulatedWalk: { after: '' },
    appendTestScans(tx, scans) {
      const events = scans.map((scan) => ({ event: testScanCompletedOf(scan), meta: scan.origin }));
      return outbox.appendMany(tx.session, testScanCompleted, events);
    },
  };
  return { live, test };
}
