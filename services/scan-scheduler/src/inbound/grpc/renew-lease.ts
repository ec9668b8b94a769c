import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { renewLease } from '../../operations/renew-lease.ts';

export const renewLeaseHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['renewLease'] =>
  (request, context) =>
    renewLease(deps, request, context);
