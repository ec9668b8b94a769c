import type { KeyedSlots } from '@shopscope/async';
import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { importObservations } from '../../operations/import-observations.ts';

/** `slots` bound the transactions of imports and of the consumer together. */
export const importObservationsHandler =
  (deps: Dependencies, slots: Pick<KeyedSlots, 'run'>): Handlers<typeof ProfilesServiceService>['importObservations'] =>
  ({ observations, environment }, { origin }) =>
    slots.run('merge', () => importObservations(deps, observations, environment, origin));
