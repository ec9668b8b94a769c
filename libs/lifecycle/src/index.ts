/** Start, readiness and stop of every service. */
export { closeServer, listen } from './http-server.ts';
export { createResources, type Resources } from './resources.ts';
export { type RunOptions, runService } from './run-service.ts';
export type { RunningService } from './running-service.ts';
export { type ServiceShell, type ServiceShellOptions, startShell } from './shell.ts';
