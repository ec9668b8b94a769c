import { latencyBuckets, metricsOf, type Registry } from '@shopscope/telemetry';

export type ProfilesMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOf(registry);
  return {
    merges: counter('profiles_merges_total', 'Consumed observations by result: merged, rejected or duplicate', [
      'result',
    ]),
    mergeDuration: histogram(
      'profiles_merge_duration_seconds',
      'Duration of one transaction that merges up to 100 observations',
      latencyBuckets,
    ),
    signals: counter('profiles_signals_total', 'Signals by type and new state', ['type', 'state']),
    permitted: counter(
      'profiles_observations_permitted_total',
      'Observations of scanners that may be merged, by the principal of their permit: scan-scheduler or replay',
      ['by'],
    ),
    refused: counter(
      'profiles_observations_refused_total',
      'Observations that went to the dead letters because of their permit, by reason',
      ['reason'],
    ),
    futureObservations: counter(
      'profiles_future_observations_total',
      'Observations dated more than 10 s after their merge: the clock of a scanner is ahead, or that of profiles behind',
    ),
    unknownSlugs: counter(
      'profiles_unknown_slugs_total',
      'Detected technologies that were omitted because the vocabulary does not have them',
    ),
    incompleteProfiles: counter(
      'profiles_incomplete_profiles_total',
      'Merged observations after which a profile does not list every technology that was observed',
    ),
    removedStores: counter('profiles_removed_stores_total', 'Profiles that were removed after an opt-out'),
    oldestRemoval: gauge(
      'profiles_oldest_removal_seconds',
      'How long the oldest step of an opt-out has been due whose stores are not removed yet; 0 if there is none',
    ),
    corpusCountedAt: gauge(
      'profiles_corpus_counted_at_seconds',
      'Time of the latest count of the corpus that this instance has, in seconds since 1970; 0 while it has none',
    ),
    corpusCountDuration: gauge(
      'profiles_corpus_count_duration_seconds',
      'Duration of the latest count of the corpus by this instance, with its pauses',
    ),
    signalPages: counter(
      'profiles_signal_pages_total',
      'Pages of history and search by their end: last, full, or cut at the most entries that a page examines',
      ['query', 'end'],
    ),
    storesPerLookUp: histogram('profiles_stores_per_look_up', 'Domains per database read', [1, 2, 5, 10, 20, 50, 100]),
  };
}
