/** The public HTTP API. */
export { type GatewayConfig, loadConfig } from './config.ts';
export { type GatewayOverrides, startGateway } from './wiring/start-gateway.ts';
