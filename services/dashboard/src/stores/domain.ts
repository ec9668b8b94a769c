export { type MonthOfScan, monthOf } from './domain/month-of-scan.ts';
export { type Store, type StoreMatch, type StoreSummary, storeSchema } from './domain/store.ts';
export { parseDomain } from './domain/store-domain.ts';
