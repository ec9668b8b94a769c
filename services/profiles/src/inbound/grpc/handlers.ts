import type { KeyedSlots } from '@shopscope/async';
import type { Handlers } from '@shopscope/grpc';
import type { ZeroCopyProfilesService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { exportObservationsHandler } from './export-observations.ts';
import { getCorpusHandler } from './get-corpus.ts';
import { getStoresHandler } from './get-stores.ts';
import { getTechnologyHandler } from './get-technology.ts';
import { importObservationsHandler } from './import-observations.ts';
import { listDomainPagesHandler } from './list-domain-pages.ts';
import { listDomainsHandler } from './list-domains.ts';
import { listTechnologiesHandler } from './list-technologies.ts';
import { getHistoryHandler, searchSignalsHandler } from './query-signals.ts';

export const profilesHandlers = (
  deps: Dependencies,
  slots: Pick<KeyedSlots, 'run'>,
): Handlers<typeof ZeroCopyProfilesService> => ({
  getStores: getStoresHandler(deps),
  getHistory: getHistoryHandler(deps),
  searchSignals: searchSignalsHandler(deps),
  listTechnologies: listTechnologiesHandler(deps),
  getTechnology: getTechnologyHandler(deps),
  getCorpus: getCorpusHandler(deps),
  listDomainPages: listDomainPagesHandler(deps),
  listDomains: listDomainsHandler(deps),
  importObservations: importObservationsHandler(deps, slots),
  exportObservations: exportObservationsHandler(deps),
});
