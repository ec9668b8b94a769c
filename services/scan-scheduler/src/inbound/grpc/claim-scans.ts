import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import { claimScans } from '../../operations/claim-scans.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { decodeUnit } from '../decode-unit.ts';
import { encodeOutcome } from './encode.ts';

export const claimScansHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['claimScans'] =>
  async (request, context) => {
    const claims = await claimScans(deps, { ...request, unit: decodeUnit(request.unit) }, context);
    return { claims: claims.map(({ outcome, ...claim }) => ({ ...claim, outcome: encodeOutcome(outcome) })) };
  };
