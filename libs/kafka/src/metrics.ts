import type { Registry } from '@shopscope/telemetry';

/** The registry's metric of this name, made at the first call: producers and consumers of one process share theirs. */
export function shared<T>(registry: Registry, name: string, make: () => T): T {
  return (registry.getSingleMetric(name) as T | undefined) ?? make();
}
