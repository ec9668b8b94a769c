import { setTimeout as delay } from 'node:timers/promises';
import { drainDelayMs } from '@shopscope/config';
import {
  countDroppedLines,
  createLogger,
  createRegistry,
  type LocalRoute,
  type Logger,
  type Readiness,
  type Registry,
  startAdminServer,
} from '@shopscope/telemetry';
import { type CleanupStack, createCleanupStack } from './cleanup-stack.ts';

export interface ServiceShellOptions {
  name: string;
  config: {
    HOST: string;
    ADMIN_PORT: number;
    INSTANCE_ID: string;
    LOG_LEVEL: string;
    SHOPSCOPE_ENV?: string;
    DRAIN_DELAY_MS?: number | undefined;
    DEVELOPMENT_CLOCK?: boolean;
  };
  /** The logger of runService. Default: a new logger, for tests. */
  logger?: Logger | undefined;
  /** Whether the registry has the metrics of the process. Only main.ts sets it, because one service per process may have them. */
  processMetrics?: boolean | undefined;
  stopTimeoutMs?: number;
}

/** The common parts of every composition root: logger, metrics, cleanups, readiness and the admin port. */
export interface ServiceShell {
  logger: Logger;
  registry: Registry;
  resources: CleanupStack;
  adminUrl: string;
  /** Adds a component that readiness depends on. `check` returns stored state, without I/O. */
  addCheck(name: string, check: () => boolean): void;
  /** Adds a route of the admin port that only programs on this machine may call. It is for development. */
  addLocalRoute(route: LocalRoute): void;
  /** From now on, the service is ready while all checks are true. */
  markReady(): void;
  /**
   * Ends readiness, and resolves after the drain delay, in which callers detect it. It is the first step of a stop: the service still serves.
   */
  drain(): Promise<void>;
  readonly draining: boolean;
}

/** Starts the admin port, which reports that the service is alive and not ready. Returns the shell. */
export async function startShell(options: ServiceShellOptions): Promise<ServiceShell> {
  const { name, config } = options;
  const logger =
    options.logger ?? createLogger({ service: name, instance: config.INSTANCE_ID, level: config.LOG_LEVEL });
  const registry = createRegistry({ service: name, process: options.processMetrics ?? false });
  countDroppedLines(logger, registry);
  const resources = createCleanupStack({
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
  const localRoutes: LocalRoute[] = [];
  const { HOST: host, ADMIN_PORT: port } = config;
  const admin = await startAdminServer({ host, port, registry, readiness, localRoutes });
  resources.onStop('admin server', () => admin.close());

  return {
    logger,
    registry,
    resources,
    adminUrl: admin.url,
    addCheck: (component, check) => checks.set(component, check),
    addLocalRoute: (route) => void localRoutes.push(route),
    markReady: () => {
      started = true;
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
