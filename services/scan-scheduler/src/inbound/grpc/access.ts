import type { Access } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';

/** Who may call what. Scanners fetch hostile pages: leases are all they may touch, and nobody else touches leases. */
export const scanSchedulerAccess: Access<typeof ScanSchedulerServiceService> = {
  claimScans: ['gateway'],
  releaseClaims: ['gateway'],
  requestScans: ['gateway'],
  getJob: ['gateway', 'dashboard', 'operator'],
  leaseScan: ['scanner'],
  renewLease: ['scanner'],
  finishLease: ['scanner'],
};
