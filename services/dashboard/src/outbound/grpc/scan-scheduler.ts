import type { GrpcClient } from '@shopscope/grpc';
import type { Job, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callService } from './call.ts';

export type ScanSchedulerClient = ReturnType<typeof createScanSchedulerClient>;

/** The calls of the scan-scheduler service. */
export function createScanSchedulerClient(client: GrpcClient<typeof ScanSchedulerServiceService>) {
  return {
    /** Throws `not_found` for a job that does not exist and for one of another workspace. */
    async getJob(workspaceId: string, jobId: string, origin: Origin): Promise<Job> {
      return (await callService((options) => client.getJob({ workspaceId, jobId }, options), origin)).job as Job;
    },
  };
}
