import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { Admission, LeaseResult, type ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { finishLease } from '../../operations/finish-lease.ts';
import type { LeaseWaitQueue } from '../../operations/lease-wait-queue.ts';
import { renewLease } from '../../operations/renew-lease.ts';
import { encodeLease } from './encode.ts';

const maxWaitMs = 20_000;
/** The maximum length of an instance id, which may be a host name. */
const maxIdChars = 253;
/** Time reserved for the response, so that a lease at the last moment arrives before the call's deadline. */
const responseMarginMs = 1_000;

const results = { [LeaseResult.OBSERVED]: 'observed', [LeaseResult.ABANDONED]: 'abandoned' } as const;
const admissions = {
  admitted: Admission.ADMITTED,
  wait: Admission.WAIT,
  put_off: Admission.PUT_OFF,
  opted_out: Admission.OPTED_OUT,
};

/** The RPCs of scanners. Only live scans have leases. */
export const leaseHandlers = (deps: Dependencies, leaseQueue: LeaseWaitQueue) =>
  ({
    async leaseScan(request, { deadline, abort }) {
      const { scannerId } = request;
      if (scannerId === '' || scannerId.length > maxIdChars) {
        throw invalidField('scanner_id', `must have 1 to ${maxIdChars} characters`);
      }
      const waitMs = Math.max(0, Math.min(request.waitMs, maxWaitMs, deadline.timeoutMs() - responseMarginMs));
      const startedMs = deps.clock.monotonicMs();
      const scan = await leaseQueue.wait(scannerId, waitMs, abort);
      const outcome = scan ? 'leased' : 'nothing';
      deps.metrics.leaseWait.observe({ outcome }, (deps.clock.monotonicMs() - startedMs) / 1000);
      return { lease: scan ? encodeLease(scan) : undefined };
    },
    async renewLease(request, context) {
      const renewal = await renewLease(deps, request, context);
      if (!renewal.held)
        return { held: false, expiresAtMs: 0, permit: '', admission: Admission.UNSPECIFIED, waitMs: 0 };
      const { held, expiresAtMs, permit, admission } = renewal;
      const waitMs = 'waitMs' in renewal ? renewal.waitMs : 0;
      return { held, expiresAtMs, permit, admission: admissions[admission], waitMs };
    },
    async finishLease(request, context) {
      const result = request.result in results ? results[request.result as keyof typeof results] : undefined;
      if (!result) throw invalidField('result', 'must be OBSERVED or ABANDONED');
      return { held: await finishLease(deps, { ...request, result }, context) };
    },
  }) satisfies Partial<Handlers<typeof ScanSchedulerServiceService>>;
