/** The public HTTP API. */
export { type GatewayConfig, loadConfig } from './config.ts';
export { migration } from './migration.ts';
export { startGateway } from './wiring/start-gateway.ts';
