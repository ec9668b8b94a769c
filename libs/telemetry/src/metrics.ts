import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';
export { Registry } from 'prom-client';

/** Returns the registry's metric of this name. The first call creates it. Several clients of one kind in a process share metrics. */
function sharedMetric<T extends object>(
  registry: Registry,
  Kind: new (config: never) => T,
  name: string,
  make: () => T,
): T {
  const found: object | undefined = registry.getSingleMetric(name);
  if (found === undefined) return make();
  if (!(found instanceof Kind)) throw new Error(`the registry has ${name} as another kind of metric`);
  return found;
}

/** Creates the metrics of a registry. It is the only way: other packages get the classes of metrics as types. */
export function metricsOf(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      sharedMetric(registry, Counter<Label>, name, () => new Counter({ name, help, labelNames, registers })),
    gauge: <Label extends string = string>(name: string, help: string, labelNames: readonly Label[] = []) =>
      sharedMetric(registry, Gauge<Label>, name, () => new Gauge({ name, help, labelNames, registers })),
    /** A gauge whose values `collect` sets at each scrape. It is not shared: a second one of the name throws. */
    collectedGauge: <Label extends string = string>(
      name: string,
      help: string,
      collect: (gauge: Gauge<Label>) => void | Promise<void>,
      labelNames: readonly Label[] = [],
    ) =>
      new Gauge<Label>({
        name,
        help,
        labelNames,
        registers,
        collect() {
          return collect(this);
        },
      }),
    histogram: <Label extends string = string>(
      name: string,
      help: string,
      buckets: readonly number[],
      labelNames: readonly Label[] = [],
    ) =>
      sharedMetric(
        registry,
        Histogram<Label>,
        name,
        () => new Histogram({ name, help, buckets: [...buckets], labelNames, registers }),
      ),
  };
}

/** Buckets in seconds for latencies: from 0.5 ms to the time limit of a request, 10 s. */
export const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The time between samples of the event loop. By default, prom-client wakes an idle process a hundred times a second for them. That is half
 * of the cost of an idle service. The metrics `nodejs_eventloop_lag_*` contain this time: an idle process has 0.1 s.
 */
const loopSampleMs = 100;

/**
 * Creates the metrics registry of a service, with the metrics of the process if `process` is true. A process may have several registries.
 */
export function createRegistry(options: { service: string; process?: boolean }): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  if (options.process) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSampleMs });
  return registry;
}
