export { type MonthOfScan, monthOf } from './domain/month-of-scan.ts';
export type { Store, StoreSummary } from './domain/store.ts';
