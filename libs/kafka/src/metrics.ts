import type { Registry } from '@shopscope/telemetry';

/** The registry's metric of this name, created at the first call. Producers and consumers of one process share metrics. */
export function shared<T>(registry: Registry, name: string, make: () => T): T {
  return (registry.getSingleMetric(name) as T | undefined) ?? make();
}
