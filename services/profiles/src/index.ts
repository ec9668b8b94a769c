/** For processes that run several services, for example in tests. main.ts runs the service alone. */
export { loadConfig, type ProfilesConfig } from './config.ts';
export { startProfiles } from './service.ts';
