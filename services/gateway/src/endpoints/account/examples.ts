/** The account in the examples of openapi.json. */
const counters = (lookupCached: number, lookupLive: number, historyQuery: number, refreshRequested: number) => ({
  history_query: historyQuery,
  lookup_cached: lookupCached,
  lookup_live: lookupLive,
  refresh_requested: refreshRequested,
});

export const periodExample = {
  starts_at: '2026-01-01T00:00:00.000Z',
  ends_at: '2026-02-01T00:00:00.000Z',
  included: counters(250_000, 5_000, 25_000, 5_000),
  used: counters(18_204, 311, 0, 0),
};

export const accountExample = {
  key: {
    id: 'key_01kandxv3w9p4nsbq7g8e2hm5t',
    label: 'Production',
    prefix: 'svc_live_a1B2',
    environment: 'live',
    scopes: ['read:stores', 'write:scans'],
    expires_at: null,
  },
  workspace: { id: 'ws_01kandxv3w9p4nsbq7g8e2hm5t', name: 'Example Ltd' },
  plan: {
    slug: 'growth',
    limits: {
      concurrency: 20,
      enrich_batch_max: 100,
      freshness_days: 7,
      history_days: 365,
      live_refreshes_per_period: 5_000,
      rpm: 600,
    },
    quotas: { lists: 100, list_stores: 250_000, watchlists: 50, watched_stores: 25_000, webhooks: 20 },
  },
  period: periodExample,
};
