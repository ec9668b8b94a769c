/** Exports for processes that run several services, for example tests, and for the benchmark, which writes stores. main.ts runs only this service. */
export { loadConfig, type ProfilesConfig } from './config.ts';
export { type MergedStore, mergedStore } from './domain/merged-store.ts';
export { storeBody } from './domain/store-body.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/collections.ts';
export { startProfiles } from './service.ts';
