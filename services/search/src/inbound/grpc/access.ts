import type { Access } from '@shopscope/grpc';
import type { SearchServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. */
export const searchAccess: Access<typeof SearchServiceService> = {
  findStores: ['gateway', 'subscriptions'],
  countStores: ['gateway', 'dashboard', 'subscriptions'],
};
