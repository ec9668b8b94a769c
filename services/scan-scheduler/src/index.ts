/** For environments that run the service inside another process; main.ts is the service's own. */
export { loadConfig, type ScanSchedulerConfig } from './config.ts';
export { type ScanSchedulerOverrides, startScanScheduler } from './service.ts';
