/** Exports for programs that run the service inside their own process, and for the benchmark. main.ts runs it in its own process. */
export { loadConfig, type SearchConfig } from './config.ts';
export { migration } from './migration.ts';
export { createStoreFactReader } from './outbound/store-facts.ts';
export { startSearch } from './service.ts';
