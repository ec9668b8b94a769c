import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { requestScans } from '../../operations/request-scans.ts';

export const requestScansHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['requestScans'] =>
  async ({ requests }, context) => {
    await requestScans(
      deps,
      requests.map((request) => ({ request, origin: context.origin })),
      context,
    );
    return {};
  };
