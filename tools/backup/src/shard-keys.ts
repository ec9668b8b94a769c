/** A shard key: its fields in their order. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** The shard keys that the services declare, by database and collection. tools/checks compares them with the declarations. */
export const shardKeys: Readonly<Record<string, Readonly<Record<string, ShardKey>>>> = {
  dashboard: { key_activity: { workspaceId: 1 }, request_batches: { workspaceId: 1 } },
  keys: { audit_entries: { workspaceId: 1 }, audit_heads: { _id: 1 } },
  metering: {
    charges: { workspaceId: 1 },
    ledger: { workspaceId: 1 },
    refunds: { workspaceId: 1 },
    allowances: { _id: 1 },
    usage_counters: { _id: 1 },
    lease_counts: { _id: 1 },
    checkpoints: { _id: 1 },
  },
  profiles: { stores: { _id: 1 }, store_bodies: { _id: 1 }, observations: { domain: 1 }, signals: { domain: 1 } },
  scan_scheduler: {
    jobs: { workspaceId: 1, domain: 1 },
    scans: { domain: 1 },
    scan_targets: { _id: 1 },
    queue_starts: { _id: 'hashed' },
    pacing_targets: { _id: 'hashed' },
  },
  subscriptions: {
    lists: { workspaceId: 1 },
    list_stores: { workspaceId: 1, listId: 1 },
    watchlists: { workspaceId: 1 },
    watched_stores: { domain: 1 },
    quotas: { _id: 1 },
    events: { workspaceId: 1 },
    sequences: { _id: 1 },
    rescans: { workspaceId: 1 },
    scan_failures: { _id: 1 },
    rescan_queue: { _id: 1 },
    bulk_jobs: { workspaceId: 1 },
    bulk_job_steps: { workspaceId: 1, jobId: 1 },
    bulk_job_results: { workspaceId: 1, jobId: 1 },
    bulk_job_parts: { workspaceId: 1, jobId: 1 },
    fan_outs: { _id: 1 },
  },
  webhooks: {
    endpoints: { workspaceId: 1 },
    queues: { workspaceId: 1 },
    deliveries: { workspaceId: 1 },
    closings: { workspaceId: 1 },
    replays: { workspaceId: 1 },
    quotas: { _id: 1 },
  },
};

/**
 * Returns the commands that shard the collections of a restored database. They run before the first document is inserted, while shardCollection
 * still creates the index of the key. Collections of test data have the keys of live data.
 */
export const shardCommands = (
  database: string,
  collections: readonly string[],
  keys: Readonly<Record<string, ShardKey>> = shardKeys[database] ?? {},
): { shardCollection: string; key: ShardKey }[] =>
  collections.flatMap((name) => {
    const key = keys[name.replace(/^test_/, '')];
    return key ? [{ shardCollection: `${database}.${name}`, key }] : [];
  });
