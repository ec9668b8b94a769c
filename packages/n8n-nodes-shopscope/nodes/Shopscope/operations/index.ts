import { enrichStores } from './enrich-stores.ts';
import { addListStores, removeListStores } from './list-members.ts';
import { createList, enrichList, getListStores, getLists } from './lists.ts';
import type { Operation } from './operation.ts';
import { searchSignals } from './signals.ts';
import { findStores, getStore, scanStore } from './stores.ts';

/** `resource.operation`, as the parameters of the node name them. */
export const operations: Readonly<Record<string, Operation>> = {
  'store.get': getStore,
  'store.enrich': enrichStores,
  'store.find': findStores,
  'store.scan': scanStore,
  'signal.search': searchSignals,
  'list.getAll': getLists,
  'list.create': createList,
  'list.addStores': addListStores,
  'list.removeStores': removeListStores,
  'list.getStores': getListStores,
  'list.enrich': enrichList,
};
