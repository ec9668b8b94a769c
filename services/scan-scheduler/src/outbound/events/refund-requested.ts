import { type RefundRequested, ScanUnit } from '@shopscope/proto';
import type { Job } from '../../domain/job.ts';

/** Creates the event that gives the unit of a canceled job back. */
export function refundOf(job: Job): RefundRequested {
  return {
    jobId: job.id,
    workspaceId: job.workspaceId,
    chargeId: job.chargeId,
    unit: job.unit === 'refresh_requested' ? ScanUnit.REFRESH_REQUESTED : ScanUnit.LOOKUP_LIVE,
    jobCreatedAtMs: job.createdAt.getTime(),
    canceledAtMs: job.finishedAt?.getTime() ?? 0,
  };
}
