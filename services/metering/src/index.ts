/** Exports for environments that run the service inside another process. main.ts runs it in its own process. */
export { loadConfig, type MeteringConfig } from './config.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/collections.ts';
export { startMetering } from './service.ts';
