/** The scanner service: the only process that sends requests to stores on the web. */
export { loadConfig, type ScannerConfig } from './config.ts';
export { robotName } from './domain/robot.ts';
export { migration } from './migration.ts';
export { type ScannerOverrides, startScanner } from './service.ts';
