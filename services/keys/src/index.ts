/** Exports for programs that run the service inside their own process. main.ts runs it in its own process. */
export { type KeysConfig, loadConfig } from './config.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/collections.ts';
export { startKeys } from './service.ts';
