import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { LeaseResult, type ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { type FinishLease, finishLease } from '../../operations/finish-lease.ts';

export const finishLeaseHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['finishLease'] =>
  async (request, context) => ({
    held: await finishLease(deps, { ...request, result: decodeResult(request.result) }, context),
  });

function decodeResult(result: LeaseResult): FinishLease['result'] {
  if (result === LeaseResult.OBSERVED) return 'observed';
  if (result === LeaseResult.ABANDONED) return 'abandoned';
  throw invalidField('result', 'must be OBSERVED or ABANDONED');
}
