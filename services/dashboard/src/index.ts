/** For programs that run the service in their own process. The service's own process starts in main.ts. */

export { edgePaths } from './app/wiring/create-app.ts';
export { type DashboardConfig, loadConfig } from './config.ts';
export { startDashboard } from './service.ts';
