import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import type { LeaseWaitQueue } from '../../operations/lease-wait-queue.ts';
import { cancelJobHandler } from './cancel-job.ts';
import { claimScansHandler } from './claim-scans.ts';
import { finishLeaseHandler } from './finish-lease.ts';
import { getJobHandler } from './get-job.ts';
import { getScanTargetHandler } from './get-scan-target.ts';
import { leaseScanHandler } from './lease-scan.ts';
import { listJobsHandler } from './list-jobs.ts';
import { optOutHandlers } from './opt-outs.ts';
import { queueScansHandler } from './queue-scans.ts';
import { releaseClaimsHandler } from './release-claims.ts';
import { renewLeaseHandler } from './renew-lease.ts';
import { requestScansHandler } from './request-scans.ts';

/** All RPCs of the service, one file each. */
export const scanSchedulerHandlers = (
  deps: Dependencies,
  leaseQueue: LeaseWaitQueue,
): Handlers<typeof ScanSchedulerServiceService> => ({
  claimScans: claimScansHandler(deps),
  releaseClaims: releaseClaimsHandler(deps),
  requestScans: requestScansHandler(deps),
  getJob: getJobHandler(deps),
  listJobs: listJobsHandler(deps),
  cancelJob: cancelJobHandler(deps),
  getScanTarget: getScanTargetHandler(deps),
  leaseScan: leaseScanHandler(deps, leaseQueue),
  renewLease: renewLeaseHandler(deps),
  finishLease: finishLeaseHandler(deps),
  ...optOutHandlers(deps),
  queueScans: queueScansHandler(deps),
});
