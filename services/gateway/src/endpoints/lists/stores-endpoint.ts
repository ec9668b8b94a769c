import { lists } from '../store-groups/store-group.ts';
import { storesEndpoints } from '../store-groups/stores-endpoints.ts';
import { shared } from './contract.ts';

export const [addListStores, listListStores, removeListStores, removeListStore] = storesEndpoints({
  ...shared,
  kind: lists,
  idPrefix: 'lst',
  quota: 'list_stores',
});
