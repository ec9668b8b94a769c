/** Exports for programs that run the service inside their own process. main.ts runs it in its own process. */
export { loadConfig, type SubscriptionsConfig } from './config.ts';
export { migration } from './migration.ts';
export { collections } from './outbound/mongo/stores.ts';
export { appendPastSignals } from './past-signals.ts';
export { startSubscriptions } from './service.ts';
