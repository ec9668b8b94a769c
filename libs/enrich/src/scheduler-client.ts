import type { Deadline } from '@shopscope/async';
import { callPeer, type GrpcClient, unlessNotFound } from '@shopscope/grpc';
import type {
  CancelJobRequest,
  ClaimScansRequest,
  GetJobRequest,
  Job,
  ListJobsRequest,
  ListJobsResponse,
  ReleaseClaimsRequest,
  ScanClaim,
  ScanRequested,
  ScanSchedulerServiceService,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export type ScanSchedulerClient = ReturnType<typeof createScanSchedulerClient>;

/** The calls of the scan-scheduler service. */
export function createScanSchedulerClient(client: GrpcClient<typeof ScanSchedulerServiceService>) {
  return {
    /** The returned claims are parallel to the domains, which must be distinct. */
    async claimScans(request: ClaimScansRequest, origin: Origin, deadline: Deadline): Promise<ScanClaim[]> {
      const { claims } = await callPeer((options) => client.claimScans(request, options), { deadline, origin });
      return claims;
    },
    /**
     * Drops the given claims that are still undecided and were not claimed again since then. An empty list drops all undecided
     * claims of the charge.
     */
    async releaseClaims(request: ReleaseClaimsRequest, origin: Origin, deadline: Deadline): Promise<void> {
      await callPeer((options) => client.releaseClaims(request, options), { deadline, origin });
    },
    /** Sends scan requests over gRPC while Kafka is unavailable. */
    async requestScans(requests: ScanRequested[], origin: Origin, deadline: Deadline): Promise<void> {
      await callPeer((options) => client.requestScans({ requests }, options), { deadline, origin });
    },
    /** Resolves to undefined if the workspace has no such job. */
    getJob: (job: GetJobRequest, origin: Origin, deadline: Deadline): Promise<Job | undefined> =>
      callPeer(async (options) => (await unlessNotFound(client.getJob(job, options)))?.job, { deadline, origin }),
    /** Resolves to the jobs of a page, the newest first. */
    listJobs: (page: ListJobsRequest, origin: Origin, deadline: Deadline): Promise<ListJobsResponse> =>
      callPeer((options) => client.listJobs(page, options), { deadline, origin }),
    /** Resolves to undefined if the workspace has no such job. */
    cancelJob: (job: CancelJobRequest, origin: Origin, deadline: Deadline): Promise<Job | undefined> =>
      callPeer(async (options) => (await unlessNotFound(client.cancelJob(job, options)))?.job, { deadline, origin }),
  };
}
