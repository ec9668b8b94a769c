import { setTimeout as delay } from 'node:timers/promises';
import { drainDelayMs } from '@shopscope/config';
import {
  countDroppedLines,
  createLogger,
  createRegistry,
  type Logger,
  type Readiness,
  type Registry,
  startAdminServer,
} from '@shopscope/telemetry';
import { createResources, type Resources } from './resources.ts';

export interface ServiceShellOptions {
  name: string;
  config: {
    HOST: string;
    ADMIN_PORT: number;
    INSTANCE_ID: string;
    LOG_LEVEL: string;
    SHOPSCOPE_ENV?: string;
    DRAIN_DELAY_MS?: number | undefined;
  };
  /** Made by runService; tests leave it out. */
  logger?: Logger | undefined;
  /** Process-wide metrics belong to one service per process: main.ts sets it, an in-process environment does not. */
  processMetrics?: boolean | undefined;
  stopTimeoutMs?: number;
}

/** What every composition root begins with: logger, metrics, cleanups, readiness and the admin port. */
export interface ServiceShell {
  logger: Logger;
  registry: Registry;
  resources: Resources;
  adminUrl: string;
  /** A named component that readiness depends on; `check` answers quickly from state it has at hand. */
  addCheck(name: string, check: () => boolean): void;
  /** Ready from now on, as far as the checks agree. */
  markReady(): void;
  /** Not ready from now on: the first step of a stop. */
  markDraining(): void;
  /** Not ready from now on; resolves when callers have had the time to notice, until which everything is served. */
  drain(): Promise<void>;
  readonly draining: boolean;
}

/** Starts the admin port at once (alive, not ready) and returns the shell that the service fills. */
export async function startShell(options: ServiceShellOptions): Promise<ServiceShell> {
  const { name, config } = options;
  const logger =
    options.logger ?? createLogger({ service: name, instance: config.INSTANCE_ID, level: config.LOG_LEVEL });
  const registry = createRegistry({ service: name, process: options.processMetrics ?? false });
  countDroppedLines(logger, registry);
  const resources = createResources({
    timeoutMs: options.stopTimeoutMs ?? 15_000,
    onError: (resource, error) => logger.error({ err: error, resource }, 'a resource did not stop cleanly'),
  });
  const checks = new Map<string, () => boolean>();
  let started = false;
  let draining = false;

  const readiness = (): Readiness => {
    const components: Record<string, string> = { service: draining ? 'draining' : started ? 'ok' : 'starting' };
    for (const [component, check] of checks) components[component] = check() ? 'ok' : 'unavailable';
    return { ready: Object.values(components).every((state) => state === 'ok'), components };
  };
  const admin = await startAdminServer({ host: config.HOST, port: config.ADMIN_PORT, registry, readiness });
  resources.onStop('admin server', () => admin.close());

  return {
    logger,
    registry,
    resources,
    adminUrl: admin.url,
    addCheck: (component, check) => checks.set(component, check),
    markReady: () => {
      started = true;
    },
    markDraining: () => {
      draining = true;
    },
    async drain() {
      draining = true;
      await delay(drainDelayMs(config));
    },
    get draining() {
      return draining;
    },
  };
}
