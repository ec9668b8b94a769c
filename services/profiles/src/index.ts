/** For environments that run the service inside another process; main.ts is the service's own. */
export { loadConfig, type ProfilesConfig } from './config.ts';
export { type ProfilesOverrides, startProfiles } from './service.ts';
