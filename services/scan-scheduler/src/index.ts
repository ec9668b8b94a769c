/** For environments that run the service inside another process. main.ts runs it in a separate process. */
export { loadConfig, type ScanSchedulerConfig } from './config.ts';
export { startScanScheduler } from './service.ts';
