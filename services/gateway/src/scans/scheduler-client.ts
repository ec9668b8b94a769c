import type { Deadline } from '@shopscope/async';
import { callPeer, type GrpcClient, unlessNotFound } from '@shopscope/grpc';
import type {
  ClaimRelease,
  Job,
  ListJobsRequest,
  ListJobsResponse,
  ScanClaim,
  ScanRequested,
  ScanSchedulerServiceService,
  ScanUnit,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

/** The calls of the scan-scheduler service. */
export interface ScanSchedulerClient {
  /** Claims are parallel to `domains`, which must be distinct. */
  claimScans(claim: ClaimScansCall, origin: Origin, deadline: Deadline): Promise<ScanClaim[]>;
  /**
   * Drops the given claims that are still undecided and were not claimed again since. An empty list drops all undecided
   * claims of the charge.
   */
  releaseClaims(release: ReleaseClaimsCall, origin: Origin, deadline: Deadline): Promise<void>;
  /** Sends scan requests over gRPC, while Kafka is unavailable. */
  requestScans(requests: ScanRequested[], origin: Origin, deadline: Deadline): Promise<void>;
  /** Undefined: the workspace has no such job. */
  getJob(job: JobName, origin: Origin, deadline: Deadline): Promise<Job | undefined>;
  /** Newest first. */
  listJobs(page: ListJobsRequest, origin: Origin, deadline: Deadline): Promise<ListJobsResponse>;
  /** Undefined: the workspace has no such job. */
  cancelJob(job: JobName, origin: Origin, deadline: Deadline): Promise<Job | undefined>;
}

export interface JobName {
  workspaceId: string;
  jobId: string;
}

export interface ClaimScansCall {
  workspaceId: string;
  chargeId: string;
  domains: string[];
  unit: ScanUnit;
}

export interface ReleaseClaimsCall {
  workspaceId: string;
  chargeId: string;
  claims: ClaimRelease[];
}

export function createScanSchedulerClient(client: GrpcClient<typeof ScanSchedulerServiceService>): ScanSchedulerClient {
  return {
    async claimScans(claim, origin, deadline) {
      const request = { ...claim, origin };
      const { claims } = await callPeer((options) => client.claimScans(request, options), { deadline, origin });
      return claims;
    },
    async releaseClaims(release, origin, deadline) {
      const request = { ...release, origin };
      await callPeer((options) => client.releaseClaims(request, options), { deadline, origin });
    },
    async requestScans(requests, origin, deadline) {
      await callPeer((options) => client.requestScans({ requests }, options), { deadline, origin });
    },
    getJob: (job, origin, deadline) =>
      callPeer(async (options) => (await unlessNotFound(client.getJob(job, options)))?.job, { deadline, origin }),
    listJobs: (page, origin, deadline) => callPeer((options) => client.listJobs(page, options), { deadline, origin }),
    cancelJob: (job, origin, deadline) =>
      callPeer(async (options) => (await unlessNotFound(client.cancelJob(job, options)))?.job, { deadline, origin }),
  };
}
