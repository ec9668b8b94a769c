/** For programs that run the service in their own process. The service's own process starts in main.ts. */
export { type DashboardConfig, loadConfig } from './config.ts';
export { edgePaths } from './inbound/http/create-app.ts';
export { type DashboardOverrides, startDashboard } from './service.ts';
