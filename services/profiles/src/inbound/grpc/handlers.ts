import type { Handlers } from '@shopscope/grpc';
import type { LeanProfilesService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getStoresHandler } from './get-stores.ts';
import { listTechnologiesHandler } from './list-technologies.ts';

export const profilesHandlers = (deps: Dependencies): Handlers<typeof LeanProfilesService> => ({
  getStores: getStoresHandler(deps),
  listTechnologies: listTechnologiesHandler(deps),
});
