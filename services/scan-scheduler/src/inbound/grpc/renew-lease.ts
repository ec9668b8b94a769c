import type { Handlers } from '@shopscope/grpc';
import { Admission, type ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { renewLease } from '../../operations/renew-lease.ts';

const admissions = {
  admitted: Admission.ADMITTED,
  wait: Admission.WAIT,
  put_off: Admission.PUT_OFF,
  opted_out: Admission.OPTED_OUT,
};

export const renewLeaseHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['renewLease'] =>
  async (request, context) => {
    const renewal = await renewLease(deps, request, context);
    if (!renewal.held) return { held: false, expiresAtMs: 0, permit: '', admission: Admission.UNSPECIFIED, waitMs: 0 };
    const { held, expiresAtMs, permit, admission } = renewal;
    const waitMs = 'waitMs' in renewal ? renewal.waitMs : 0;
    return { held, expiresAtMs, permit, admission: admissions[admission], waitMs };
  };
