/** Logs, metrics, request origin and admin port of every service. */
export {
  type AdminServer,
  type AdminServerOptions,
  adminPaths,
  type Readiness,
  startAdminServer,
} from './admin-server.ts';
export { errorLine } from './error-line.ts';
export type { LocalAnswer, LocalRoute } from './local-route.ts';
export { createLogger, flushLogger, type Logger, type LoggerOptions } from './logger.ts';
export {
  type Counter,
  createRegistry,
  type Gauge,
  type Histogram,
  latencyBuckets,
  metricsOf,
  Registry,
} from './metrics.ts';
export { noOrigin, type Origin, originFields, parseTraceparent, traceIdOf } from './origin.ts';
export { countDroppedLines } from './standard-output.ts';
