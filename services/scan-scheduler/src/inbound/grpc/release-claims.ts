import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { releaseClaims } from '../../operations/release-claims.ts';

export const releaseClaimsHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['releaseClaims'] =>
  async (request, context) => {
    await releaseClaims(deps, request, context);
    return {};
  };
