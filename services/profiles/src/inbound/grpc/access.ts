import type { Access } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. There is no RPC that writes: only observations change the corpus. */
export const profilesAccess: Access<typeof ProfilesServiceService> = {
  getStores: ['gateway', 'dashboard'],
  listTechnologies: ['gateway', 'dashboard'],
  getTechnology: ['dashboard'],
  getCorpus: ['dashboard'],
  listDomainPages: ['dashboard'],
  listDomains: ['dashboard'],
};
