import { type Clock, MovableClock, systemClock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import { developmentClockRoute } from './development-clock.ts';
import type { RunningService } from './running-service.ts';
import { type ServiceShell, type ServiceShellOptions, startShell } from './shell.ts';

/** The settings of main.ts and tests for a service that they start. */
export interface ServiceOverrides {
  logger?: Logger;
  clock?: Clock;
  /** See {@link ServiceShellOptions}. */
  processMetrics?: boolean;
  /** Called after a permanent failure of a consumer. Default: logs it. */
  onFatal?(error: unknown): void;
}

/** The shell of a service, with its clock and the report of permanent failures. */
export interface ServiceParts extends ServiceShell {
  clock: Clock;
  onFatal(error: unknown): void;
}

/**
 * Starts a service: `start` creates its resources and registers the cleanup of each. A stop first ends readiness. It then stops the
 * resources in reverse order. With DEVELOPMENT_CLOCK, programs on this machine can move the clock of the service.
 *
 * - `start` fails -> the resources created so far are stopped, and the call rejects.
 */
export async function startService(
  options: Omit<ServiceShellOptions, 'logger' | 'processMetrics'>,
  { clock: source = systemClock, onFatal, ...overrides }: ServiceOverrides,
  start: (parts: ServiceParts) => Promise<Omit<RunningService, 'name' | 'adminUrl' | 'stop'>>,
): Promise<RunningService> {
  const shell = await startShell({ ...options, ...overrides });
  const { adminUrl, resources, logger } = shell;
  const movable = options.config.DEVELOPMENT_CLOCK ? new MovableClock(source) : undefined;
  if (movable) shell.addLocalRoute(developmentClockRoute(movable, logger));
  const clock = movable ?? source;
  const logFatal = (error: unknown) => logger.fatal({ err: error }, 'a part of the service has failed permanently');
  try {
    const started = await start(Object.assign(shell, { clock, onFatal: onFatal ?? logFatal }));
    resources.onStop('readiness', shell.drain);
    return { ...started, name: options.name, adminUrl, stop: resources.stop };
  } catch (error) {
    await resources.stop();
    throw error;
  }
}
