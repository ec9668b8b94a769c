/** Exports for processes that run several services, for example tests. main.ts runs only this service. */
export { loadConfig, type ProfilesConfig } from './config.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/collections.ts';
export { startProfiles } from './service.ts';
