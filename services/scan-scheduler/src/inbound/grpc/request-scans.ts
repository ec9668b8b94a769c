import type { Handlers } from '@shopscope/grpc';
import type { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { requestScans } from '../../operations/request-scans.ts';
import { decodeUnit } from '../decode-unit.ts';

export const requestScansHandler =
  (deps: Dependencies): Handlers<typeof ScanSchedulerServiceService>['requestScans'] =>
  async ({ requests }, context) => {
    await requestScans(
      deps,
      requests.map((request) => ({ request: { ...request, unit: decodeUnit(request.unit) }, origin: context.origin })),
      context,
    );
    return {};
  };
