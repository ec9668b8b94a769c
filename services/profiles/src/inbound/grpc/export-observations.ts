import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { exportObservations } from '../../operations/export-observations.ts';

export const exportObservationsHandler =
  (deps: Dependencies): Handlers<typeof ProfilesServiceService>['exportObservations'] =>
  (request, { deadline }) =>
    exportObservations(deps, request, deadline.timeoutMs());
