import { metricsOf, type Registry } from '@shopscope/telemetry';

/** The metrics of one connection. All connections of a process share them, with different values of `use`. */
export function createMetrics(registry: Registry, use: string) {
  const { gauge, counter } = metricsOf(registry);
  const ofNode = (name: string, help: string) => gauge(name, help, ['use', 'node']);
  const available = ofNode('redis_available', '1 while the node of Redis responds and accepts writes');
  const replica = ofNode('redis_replica', '1 while the server that responds as the primary is a replica');
  const usedBytes = ofNode('redis_memory_used_bytes', 'Memory that the node of Redis uses');
  const maxBytes = ofNode('redis_memory_max_bytes', 'The setting maxmemory of the node; 0 without a limit');
  const primaryChanges = counter('redis_primary_changes_total', 'Changes and restarts of the primary', ['use']);
  const slots = gauge('redis_cluster_unavailable_slots', 'Slots of Redis Cluster that no node serves', ['use']);
  primaryChanges.inc({ use }, 0);
  return {
    available: (node: string, state: boolean) => available.set({ use, node }, state ? 1 : 0),
    replica: (node: string, state: boolean) => replica.set({ use, node }, state ? 1 : 0),
    primaryChanged: () => primaryChanges.inc({ use }),
    unavailableSlots: (count: number) => slots.set({ use }, count),
    /** Reads the text of INFO memory. A `maxmemory` of 0 means no limit. */
    memory(node: string, info: string) {
      usedBytes.set({ use, node }, Number(fieldOf(info, 'used_memory') ?? 0));
      maxBytes.set({ use, node }, Number(fieldOf(info, 'maxmemory') ?? 0));
    },
    forget(node: string) {
      for (const each of [available, usedBytes, maxBytes]) each.remove({ use, node });
    },
  };
}

/** A field of the text of INFO or of CLUSTER INFO. */
export const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:([^\\r\\n]*)`, 'm').exec(info)?.[1];
