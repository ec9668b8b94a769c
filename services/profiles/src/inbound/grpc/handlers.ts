import type { Handlers } from '@shopscope/grpc';
import type { ZeroCopyProfilesService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getCorpusHandler } from './get-corpus.ts';
import { getStoresHandler } from './get-stores.ts';
import { getTechnologyHandler } from './get-technology.ts';
import { listDomainPagesHandler } from './list-domain-pages.ts';
import { listDomainsHandler } from './list-domains.ts';
import { listTechnologiesHandler } from './list-technologies.ts';

export const profilesHandlers = (deps: Dependencies): Handlers<typeof ZeroCopyProfilesService> => ({
  getStores: getStoresHandler(deps),
  listTechnologies: listTechnologiesHandler(deps),
  getTechnology: getTechnologyHandler(deps),
  getCorpus: getCorpusHandler(deps),
  listDomainPages: listDomainPagesHandler(deps),
  listDomains: listDomainsHandler(deps),
});
