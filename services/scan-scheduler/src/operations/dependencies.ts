import type { Clock } from '@shopscope/clock';
import type { Environment, Handles } from '@shopscope/environment';
import type { SignPermit } from '@shopscope/ids';
import type { TopicProgress } from '@shopscope/kafka';
import type { Transact, Tx } from '@shopscope/mongo';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { EndedJob, Job } from '../domain/job.ts';
import type { PacingLimits } from '../domain/pacing.ts';
import type { RefreshPolicy } from '../domain/refresh.ts';
import type { SchedulePolicy } from '../domain/schedule.ts';
import type { CompletedScan } from '../domain/simulated-scan.ts';
import type { JobMetrics, SchedulerMetrics } from '../metrics.ts';
import type { JobStores, Stores, TestStores } from '../outbound/mongo/stores.ts';
import type { OptOuts } from './opt-outs.ts';

/** What the operations on jobs use, in one environment. */
export interface JobDependencies<E extends Environment> extends Handles<E>, JobStores {
  clock: Clock;
  logger: Logger;
  metrics: JobMetrics;
  policy: Policy;
  /** Runs the function in a transaction with majority concern. The function may run more than once. */
  transact: Transact;
  /** Adds the event that gives the unit of a canceled job back, within the transaction. */
  appendRefund(tx: Tx, canceled: Job, origin: Origin): Promise<void>;
  /** Adds an event for each job that has succeeded or failed, within the transaction. */
  appendJobEnds(tx: Tx, jobs: readonly EndedJob[]): Promise<void>;
  /** The progress of this service's consumer group (all instances) in the topic of scan requests. */
  progress: { scanRequests: TopicProgress };
}

/** The dependencies of the live environment, whose scans visit stores. */
export interface Dependencies extends JobDependencies<'live'>, Stores {
  metrics: SchedulerMetrics;
  /** The target at which this instance's latest search for parked scans ended. Empty if the search reached the last target. */
  parkedWalk: { after: string };
  optOuts: OptOuts;
  /** The progress of this service's consumer group in its topics, and of profiles' group in observations.v1. */
  progress: { scanRequests: TopicProgress; profileUpdates: TopicProgress; observations: TopicProgress };
  signPermit: SignPermit;
  /** Starts a search on behalf of the waiting scanners of this instance. */
  workArrived(): void;
}

/** The dependencies of the test environment, whose scans are simulated. */
export interface TestDependencies extends JobDependencies<'test'>, TestStores {
  /** Adds an event for each simulated scan that has found its store, within the transaction. */
  appendTestScans(tx: Tx, scans: readonly CompletedScan[]): Promise<void>;
  /** The workspace that this instance has visited last. Empty if it was the last one with scans. */
  simulatedWalk: { after: string };
}

export interface EveryEnvironment {
  live: Dependencies;
  test: TestDependencies;
}

/** The parts for operations that are the same in every environment. */
export type JobsOfEveryEnvironment = { [E in Environment]: JobDependencies<E> };

export interface Policy extends SchedulePolicy {
  /** A lease that is not renewed for this time is lost. */
  leaseMs: number;
  /** The time from a durable observation to the check of its merge, and from the merge to the check of its update. */
  mergeWaitMs: number;
  /** The maximum time from a claim to its scan request. */
  claimWaitMs: number;
  /** The maximum time from the claim of a job to its end, unless its observation waits for profiles. */
  jobTimeLimitMs: number;
  pacing: PacingLimits;
  /** If undefined, profiles are scanned only on request. */
  refresh?: RefreshPolicy | undefined;
}
