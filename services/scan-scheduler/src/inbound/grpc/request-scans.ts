import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { requestScans } from '../../operations/request-scans.ts';

export const requestScansHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['requestScans'] =>
  async ({ requests }, caller) => {
    await requestScans(
      deps,
      requests.map((request) => ({ request, origin: caller.origin })),
      caller,
    );
    return {};
  };
