/** Looks up stores, requests scans, and charges for both. */
export { chargeScans } from './charge-scans.ts';
export {
  type EnrichDependencies,
  type Enriched,
  type EnrichRequest,
  type EnrichResult,
  enrichStores,
  type FaultReason,
  type UnbilledResults,
} from './enrich-stores.ts';
export { isStale } from './freshness.ts';
export { claimScans, releaseScans, type ScanRequestContext } from './request-scans.ts';
export { createScanSchedulerClient, type ScanSchedulerClient } from './scheduler-client.ts';
export { createStoreLookUps, type FoundStore, type StoreLookUps } from './store-look-ups.ts';
