import type { GrpcClient } from '@shopscope/grpc';
import type { ClaimRelease, ScanClaim, ScanRequested, ScanSchedulerServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { callPeer } from './call-peer.ts';

/** What the gateway asks of scan-scheduler. */
export interface ScansPeer {
  /** Claims parallel to `domains`, which must not repeat. */
  claimScans(claim: ScansClaim, origin: Origin, timeoutMs: number): Promise<ScanClaim[]>;
  /** Drops those claims that are still undecided and that nobody has claimed again since; without any, the charge's. */
  releaseClaims(release: ScansRelease, origin: Origin, timeoutMs: number): Promise<void>;
  /** The way of scan requests while Kafka does not answer. */
  requestScans(requests: ScanRequested[], origin: Origin, timeoutMs: number): Promise<void>;
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
    async claimScans(claim, origin, timeoutMs) {
      const request = { ...claim, origin };
      const { claims } = await callPeer((options) => client.claimScans(request, options), { timeoutMs, origin });
      return claims;
    },
    async releaseClaims(release, origin, timeoutMs) {
      const request = { ...release, origin };
      await callPeer((options) => client.releaseClaims(request, options), { timeoutMs, origin });
    },
    async requestScans(requests, origin, timeoutMs) {
      await callPeer((options) => client.requestScans({ requests }, options), { timeoutMs, origin });
    },
  };
}
