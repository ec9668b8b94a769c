import type { Deadline } from '@shopscope/async';
import type { GrpcClient } from '@shopscope/grpc';
import type { ClaimRelease, ScanClaim, ScanRequested, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callPeer } from './call-peer.ts';

/** What the gateway asks of scan-scheduler. */
export interface ScansPeer {
  /** Claims parallel to `domains`, which must not repeat. */
  claimScans(claim: ScansClaim, origin: Origin, deadline: Deadline): Promise<ScanClaim[]>;
  /** Drops those claims that are still undecided and that nobody has claimed again since; without any, the charge's. */
  releaseClaims(release: ScansRelease, origin: Origin, deadline: Deadline): Promise<void>;
  /** The way of scan requests while Kafka does not answer. */
  requestScans(requests: ScanRequested[], origin: Origin, deadline: Deadline): Promise<void>;
}

export interface ScansClaim {
  workspaceId: string;
  chargeId: string;
  domains: string[];
}

export interface ScansRelease {
  workspaceId: string;
  chargeId: string;
  claims: ClaimRelease[];
}

export function createScansPeer(client: GrpcClient<typeof ScanSchedulerServiceService>): ScansPeer {
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
  };
}
