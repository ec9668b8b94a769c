/** Exports for programs that run the service inside their own process. main.ts runs it in its own process. */

export { collections } from './app/wiring/collections.ts';
export { edgePaths } from './app/wiring/create-app.ts';
export { type DashboardConfig, loadConfig } from './config.ts';
export { migration } from './migration.ts';
export { startDashboard } from './service.ts';
