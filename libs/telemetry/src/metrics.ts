import { collectDefaultMetrics, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Buckets in seconds for anything a caller waits for: from below a millisecond to the contract's time bound. */
export const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A service's own metrics registry, with the process's metrics when `process` is set. One process may hold several. */
export function createRegistry(options: { service: string; process?: boolean }): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  if (options.process) collectDefaultMetrics({ register: registry });
  return registry;
}
