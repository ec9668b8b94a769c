import type { RefundRequested } from '@shopscope/proto';
import type { Job } from '../../domain/job.ts';
import { encodeUnit } from './unit.ts';

/** Creates the event that gives the unit of a canceled job back. */
export function refundOf(job: Job): RefundRequested {
  return {
    jobId: job.id,
    workspaceId: job.workspaceId,
    chargeId: job.chargeId,
    unit: encodeUnit(job.unit),
    jobCreatedAtMs: job.createdAt.getTime(),
    canceledAtMs: job.finishedAt?.getTime() ?? 0,
  };
}
