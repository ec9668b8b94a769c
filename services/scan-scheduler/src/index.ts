/** For environments that run the service inside another process. main.ts runs it in a separate process. */
export { loadConfig, type ScanSchedulerConfig } from './config.ts';
export { type ScanSchedulerOverrides, startScanScheduler } from './service.ts';
