import type { Clock } from '@shopscope/clock';
import type { TopicProgress } from '@shopscope/kafka';
import type { Transact } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { SchedulePolicy } from '../domain/schedule.ts';
import type { ClaimStore } from '../outbound/mongo/claims.ts';
import type { JobStore } from '../outbound/mongo/jobs.ts';
import type { TargetStore } from '../outbound/mongo/scan-targets.ts';
import type { ScanStore } from '../outbound/mongo/scans.ts';
import type { SchedulerMetrics } from './metrics.ts';

/** What the operations work with; made once, in service.ts. */
export interface Dependencies {
  clock: Clock;
  logger: Logger;
  metrics: SchedulerMetrics;
  policy: Policy;
  claims: ClaimStore;
  jobs: JobStore;
  scans: ScanStore;
  targets: TargetStore;
  /** Majority transaction; the function may run more than once. */
  transact: Transact;
  /** How far this service has read each topic, all instances together. */
  progress: { scanRequests: TopicProgress; profileUpdates: TopicProgress };
  /** Tells waiting scanners of this instance that there may be work. */
  workArrived(): void;
}

export interface Policy extends SchedulePolicy {
  /** A lease that is not renewed for so long is lost. */
  leaseMs: number;
  /** From an observation that is durable to its merge. */
  mergeWaitMs: number;
  /** From a claim to its scan request. */
  claimWaitMs: number;
}
