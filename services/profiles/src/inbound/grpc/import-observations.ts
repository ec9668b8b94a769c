import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { LimitFunction } from 'p-limit';
import type { Dependencies } from '../../operations/dependencies.ts';
import { importObservations } from '../../operations/import-observations.ts';

/** `limit` bounds the transactions of imports and of the consumer together. */
export const importObservationsHandler =
  (deps: Dependencies, limit: LimitFunction): Handlers<typeof ProfilesServiceService>['importObservations'] =>
  ({ observations, environment }, { origin }) =>
    limit(() => importObservations(deps, observations, environment, origin));
