import { type ScanJobEnded, ScanJobEndState } from '@shopscope/proto';
import type { EndedJob } from '../../domain/job.ts';
import { encodeUnit } from './unit.ts';

const states = { succeeded: ScanJobEndState.SUCCEEDED, failed: ScanJobEndState.FAILED };

/** Creates the event about the end of a job. */
export function scanJobEndedOf(job: EndedJob): ScanJobEnded {
  return {
    jobId: job.id,
    workspaceId: job.workspaceId,
    domain: job.domain,
    state: states[job.state],
    errorCode: job.error?.code ?? '',
    errorMessage: job.error?.message ?? '',
    endedAtMs: job.finishedAt.getTime(),
    unit: encodeUnit(job.unit),
    scanId: job.scanId ?? '',
  };
}
