import type { Access } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. Scanners process untrusted pages, so they may call the lease RPCs only. */
export const scanSchedulerAccess: Access<typeof ScanSchedulerServiceService> = {
  claimScans: ['gateway'],
  releaseClaims: ['gateway'],
  requestScans: ['gateway'],
  getJob: ['gateway', 'dashboard', 'operator'],
  listJobs: ['gateway'],
  getScanTarget: ['dashboard'],
  cancelJob: ['gateway'],
  leaseScan: ['scanner'],
  renewLease: ['scanner'],
  finishLease: ['scanner'],
  addOptOut: ['operator'],
  removeOptOut: ['operator'],
  listOptOuts: ['operator'],
  queueScans: ['operator'],
};
