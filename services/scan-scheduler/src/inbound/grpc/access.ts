import type { Access } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. Scanners may call only the lease RPCs, because they process untrusted pages. */
export const scanSchedulerAccess: Access<typeof ScanSchedulerServiceService> = {
  claimScans: ['gateway', 'subscriptions'],
  releaseClaims: ['gateway', 'subscriptions'],
  requestScans: ['gateway', 'subscriptions'],
  getJob: ['gateway', 'dashboard', 'operator'],
  listJobs: ['gateway'],
  getScanTarget: ['dashboard'],
  cancelJob: ['gateway', 'subscriptions'],
  leaseScan: ['scanner'],
  renewLease: ['scanner'],
  finishLease: ['scanner'],
  addOptOut: ['operator'],
  removeOptOut: ['operator'],
  listOptOuts: ['operator'],
  queueScans: ['operator'],
  resetTestScans: ['gateway'],
};
