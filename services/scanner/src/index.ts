/** The scanner service: the only process that touches the outside web. */
export { loadConfig, type ScannerConfig } from './config.ts';
export { type ScannerOverrides, startScanner } from './service.ts';
