/** Start, readiness and stop of every service. */

export { type CleanupStack, createCleanupStack } from './cleanup-stack.ts';
export { closeServer, listen } from './http-server.ts';
export { type Migration, migrate, readMigrationSettings } from './migration.ts';
export { type RunOptions, runService } from './run-service.ts';
export type { RunningService } from './running-service.ts';
export type { ServiceShell } from './shell.ts';
export { type ServiceOverrides, type ServiceParts, startService } from './start-service.ts';
