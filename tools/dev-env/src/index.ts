export { type DevEnv, type DevEnvOptions, startDevEnv } from './dev-env.ts';
export { migrations } from './migrations.ts';
export { settle } from './settle.ts';
export { driveTraffic } from './traffic.ts';
