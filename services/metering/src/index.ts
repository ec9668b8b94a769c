/** For environments that run the service inside another process; main.ts is the service's own. */
export { loadConfig, type MeteringConfig } from './config.ts';
export { type MeteringOverrides, startMetering } from './service.ts';
