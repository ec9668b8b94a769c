import type { Access } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. Only observations change the corpus, and only operators may send them here. */
export const profilesAccess: Access<typeof ProfilesServiceService> = {
  getStores: ['gateway', 'dashboard', 'subscriptions'],
  getScanTimes: ['subscriptions'],
  getStoreFacts: ['search'],
  listStoreFacts: ['search'],
  getHistory: ['gateway'],
  searchSignals: ['gateway'],
  listSignalPlaces: ['gateway'],
  getSignals: ['gateway'],
  listTechnologies: ['gateway', 'dashboard'],
  getTechnology: ['gateway', 'dashboard'],
  resolveValues: ['gateway', 'dashboard'],
  getCorpus: ['dashboard'],
  listDomainPages: ['dashboard'],
  listDomains: ['dashboard'],
  importObservations: ['operator'],
  exportObservations: ['operator'],
  resetTestStores: ['gateway'],
};
