import type { Access } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. */
export const subscriptionsAccess: Access<typeof SubscriptionsServiceService> = {
  createList: ['gateway'],
  getList: ['gateway'],
  listLists: ['gateway'],
  updateList: ['gateway'],
  deleteList: ['gateway'],
  addListStores: ['gateway'],
  removeListStores: ['gateway'],
  removeListStore: ['gateway'],
  listListStores: ['gateway'],
  listListDomains: ['gateway'],
  filterListDomains: ['gateway'],
  createWatchlist: ['gateway'],
  getWatchlist: ['gateway'],
  listWatchlists: ['gateway'],
  updateWatchlist: ['gateway'],
  deleteWatchlist: ['gateway'],
  addWatchlistStores: ['gateway'],
  removeWatchlistStores: ['gateway'],
  removeWatchlistStore: ['gateway'],
  listWatchlistStores: ['gateway'],
  quoteListEnrich: ['gateway'],
  startListEnrich: ['gateway'],
  getBulkJob: ['gateway'],
  listBulkJobs: ['gateway'],
  cancelBulkJob: ['gateway'],
  listBulkJobResults: ['gateway'],
  listEvents: ['gateway', 'webhooks'],
};
