/** Exports for programs that run the service inside their own process. main.ts runs it in its own process. */
export { loadConfig, type WebhooksConfig } from './config.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/stores.ts';
export { startWebhooks } from './service.ts';
