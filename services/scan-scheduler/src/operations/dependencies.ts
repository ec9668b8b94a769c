import type { Clock } from '@shopscope/clock';
import type { SignPermit } from '@shopscope/ids';
import type { TopicProgress } from '@shopscope/kafka';
import type { Transact, Tx } from '@shopscope/mongo';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { EndedJob, Job } from '../domain/job.ts';
import type { PacingLimits } from '../domain/pacing.ts';
import type { RefreshPolicy } from '../domain/refresh.ts';
import type { SchedulePolicy } from '../domain/schedule.ts';
import type { SchedulerMetrics } from '../metrics.ts';
import type { Stores } from '../outbound/mongo/stores.ts';
import type { OptOuts } from './opt-outs.ts';

/** The dependencies of the operations. service.ts creates them once. */
export interface Dependencies extends Stores {
  clock: Clock;
  logger: Logger;
  metrics: SchedulerMetrics;
  policy: Policy;
  /** The target at which this instance's latest search for parked scans ended. Empty if the search reached the last target. */
  parkedWalk: { after: string };
  optOuts: OptOuts;
  /** Runs the function in a transaction with majority concern. The function may run more than once. */
  transact: Transact;
  /** Adds the event that gives the unit of a canceled job back, within the transaction. */
  appendRefund(tx: Tx, canceled: Job, origin: Origin): Promise<void>;
  /** Adds an event for each job that has succeeded or failed, within the transaction. */
  appendJobEnds(tx: Tx, jobs: readonly EndedJob[]): Promise<void>;
  /** The progress of this service's consumer group (all instances) in its topics, and of profiles' group in observations.v1. */
  progress: { scanRequests: TopicProgress; profileUpdates: TopicProgress; observations: TopicProgress };
  signPermit: SignPermit;
  /** Starts a search on behalf of the waiting scanners of this instance. */
  workArrived(): void;
}

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
