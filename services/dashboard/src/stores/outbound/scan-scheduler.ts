import { createDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { Job, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService } from '../../app/outbound/call.ts';

/** A page is useful without the answer. */
const optionalTimeoutMs = 1_000;

export function createScanSchedulerClient(client: GrpcClient<typeof ScanSchedulerServiceService>) {
  return {
    /** What the latest scans met in place of the store; undefined when the latest one saw it. */
    async otherAnswers(domain: string, origin: Origin) {
      const deadline = createDeadline(optionalTimeoutMs);
      return (await client.getScanTarget({ domain }, { deadline, origin })).otherAnswers;
    },

    /** Throws `not_found` for a job that does not exist and for one of another workspace. */
    async getJob(workspaceId: string, jobId: string, origin: Origin) {
      return (await callService((options) => client.getJob({ workspaceId, jobId }, options), origin)).job as Job;
    },
  };
}
