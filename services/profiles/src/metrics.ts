import { Counter, Histogram, latencyBuckets, type Registry } from '@shopscope/telemetry';

export type ProfilesMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    merges: new Counter({
      name: 'profiles_merges_total',
      help: 'Consumed observations by result: merged, rejected or duplicate',
      labelNames: ['result'],
      registers,
    }),
    mergeDuration: new Histogram({
      name: 'profiles_merge_duration_seconds',
      help: 'Duration of one merge with its transaction',
      buckets: latencyBuckets,
      registers,
    }),
    signals: new Counter({
      name: 'profiles_signals_total',
      help: 'Signals by type and new state',
      labelNames: ['type', 'state'],
      registers,
    }),
    unknownSlugs: new Counter({
      name: 'profiles_unknown_slugs_total',
      help: 'Detected technologies that were omitted because the vocabulary does not have them',
      registers,
    }),
    storesPerLookUp: new Histogram({
      name: 'profiles_stores_per_look_up',
      help: 'Domains per database read',
      buckets: [1, 2, 5, 10, 20, 50, 100],
      registers,
    }),
  };
}
