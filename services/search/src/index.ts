/** Exports for programs that run the service inside their own process. main.ts runs it in its own process. */
export { loadConfig, type SearchConfig } from './config.ts';
export { migration } from './migration.ts';
export { startSearch } from './service.ts';
