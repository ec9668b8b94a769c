import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import type { LeaseDesk } from '../../operations/lease-desk.ts';
import { encodeLease } from './encode.ts';

const waitMaxMs = 20_000;
/** Kept back from the caller's deadline, so that a lease made at the last moment still arrives. */
const answerMs = 1_000;

export const leaseScanHandler =
  (deps: Dependencies, desk: LeaseDesk): Handlers<typeof ScanSchedulerServiceService>['leaseScan'] =>
  async (request, caller) => {
    if (!request.scannerId) throw invalidField('scanner_id', 'is required');
    const waitMs = Math.max(0, Math.min(request.waitMs, waitMaxMs, caller.deadline.timeoutMs() - answerMs));
    const startedMs = deps.clock.monotonicMs();
    const scan = await desk.wait(request.scannerId, waitMs, caller.abort);
    const outcome = scan ? 'leased' : 'nothing';
    deps.metrics.leaseWait.observe({ outcome }, (deps.clock.monotonicMs() - startedMs) / 1000);
    return { lease: scan ? encodeLease(scan) : undefined };
  };
