export { findCopy, importsOf, ownerOf, runStep } from './operations/import-steps.ts';
export { create as createList } from './operations/lists.ts';
export { maxPage, readAll } from './operations/read-all.ts';
export { readStoreQuota, requireQuota } from './operations/store-quota.ts';
export type { ListCopy } from './outbound/list-imports.ts';
