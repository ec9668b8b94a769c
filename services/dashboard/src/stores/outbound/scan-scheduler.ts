import { createDeadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { Job, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService } from '../../app/outbound/call.ts';

/** The time limit of a call whose answer the page does not need. */
const optionalTimeoutMs = 1_000;

export function createScanSchedulerClient(client: GrpcClient<typeof ScanSchedulerServiceService>) {
  return {
    /** The answers that the latest scans got in place of the store; undefined if the latest scan saw the store. */
    async pageFailures(domain: string, origin: Origin) {
      const deadline = createDeadline(optionalTimeoutMs);
      return (await client.getScanTarget({ domain }, { deadline, origin })).pageFailures;
    },

    /** Throws `not_found` if the job does not exist or belongs to another workspace. */
    async getJob(workspaceId: string, jobId: string, origin: Origin) {
      return (await callService((options) => client.getJob({ workspaceId, jobId }, options), origin)).job as Job;
    },
  };
}
