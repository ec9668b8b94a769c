import type { Handlers } from '@shopscope/grpc';
import type { ZeroCopyProfilesService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getStoresHandler } from './get-stores.ts';
import { listTechnologiesHandler } from './list-technologies.ts';

export const profilesHandlers = (deps: Dependencies): Handlers<typeof ZeroCopyProfilesService> => ({
  getStores: getStoresHandler(deps),
  listTechnologies: listTechnologiesHandler(deps),
});
