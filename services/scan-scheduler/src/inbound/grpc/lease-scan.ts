import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import type { LeaseWaitQueue } from '../../operations/lease-wait-queue.ts';
import { encodeLease } from './encode.ts';

const maxWaitMs = 20_000;
/** An instance id may be a host name. */
const maxIdChars = 253;
/** Time reserved for the response, so that a lease of the last moment arrives before the call's deadline. */
const responseMarginMs = 1_000;

export const leaseScanHandler =
  (deps: Dependencies, leaseQueue: LeaseWaitQueue): Handlers<typeof ScanSchedulerServiceService>['leaseScan'] =>
  async (request, context) => {
    const { scannerId } = request;
    if (scannerId === '' || scannerId.length > maxIdChars) {
      throw invalidField('scanner_id', `must have 1 to ${maxIdChars} characters`);
    }
    const waitMs = Math.max(0, Math.min(request.waitMs, maxWaitMs, context.deadline.timeoutMs() - responseMarginMs));
    const startedMs = deps.clock.monotonicMs();
    const scan = await leaseQueue.wait(scannerId, waitMs, context.abort);
    const outcome = scan ? 'leased' : 'nothing';
    deps.metrics.leaseWait.observe({ outcome }, (deps.clock.monotonicMs() - startedMs) / 1000);
    return { lease: scan ? encodeLease(scan) : undefined };
  };
