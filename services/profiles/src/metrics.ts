import { Counter, Gauge, Histogram, latencyBuckets, type Registry } from '@shopscope/telemetry';

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
      help: 'Duration of one transaction that merges up to 100 observations',
      buckets: latencyBuckets,
      registers,
    }),
    signals: new Counter({
      name: 'profiles_signals_total',
      help: 'Signals by type and new state',
      labelNames: ['type', 'state'],
      registers,
    }),
    permitted: new Counter({
      name: 'profiles_observations_permitted_total',
      help: 'Observations of scanners that may be merged, by the principal of their permit: scan-scheduler or replay',
      labelNames: ['by'],
      registers,
    }),
    refused: new Counter({
      name: 'profiles_observations_refused_total',
      help: 'Observations that went to the dead letters because of their permit, by reason',
      labelNames: ['reason'],
      registers,
    }),
    futureObservations: new Counter({
      name: 'profiles_future_observations_total',
      help: 'Observations dated more than 10 s after their merge: the clock of a scanner is ahead, or that of profiles behind',
      registers,
    }),
    unknownSlugs: new Counter({
      name: 'profiles_unknown_slugs_total',
      help: 'Detected technologies that were omitted because the vocabulary does not have them',
      registers,
    }),
    incompleteProfiles: new Counter({
      name: 'profiles_incomplete_profiles_total',
      help: 'Merged observations after which a profile does not list every technology that was observed',
      registers,
    }),
    corpusCountedAt: new Gauge({
      name: 'profiles_corpus_counted_at_seconds',
      help: 'Time of the latest count of the corpus that this instance has, in seconds since 1970; 0 while it has none',
      registers,
    }),
    corpusCountDuration: new Gauge({
      name: 'profiles_corpus_count_duration_seconds',
      help: 'Duration of the latest count of the corpus by this instance, with its pauses',
      registers,
    }),
    signalPages: new Counter({
      name: 'profiles_signal_pages_total',
      help: 'Pages of history and search by their end: last, full, or cut at the most entries that a page examines',
      labelNames: ['query', 'end'],
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
