/** For environments that run the service inside another process; main.ts is the service's own. */
export { type KeysConfig, loadConfig } from './config.ts';
export { type KeysOverrides, startKeys } from './service.ts';
