/** Exports for programs that run the service inside their own process. main.ts runs it in its own process. */
export { loadConfig, type ScanSchedulerConfig } from './config.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/stores.ts';
export { startScanScheduler } from './service.ts';
