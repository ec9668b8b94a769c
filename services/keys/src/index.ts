/** For programs that run the service in their own process. The service's own process starts in main.ts. */
export { type KeysConfig, loadConfig } from './config.ts';
export { startKeys } from './service.ts';
