import type { Access } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';

/** Who may call what. The corpus is read here and written by observations alone. */
export const profilesAccess: Access<typeof ProfilesServiceService> = {
  getStores: ['gateway', 'dashboard'],
  listTechnologies: ['gateway', 'dashboard'],
};
