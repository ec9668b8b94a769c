/** The traffic of a system per day, unless a member says otherwise. */
export interface Load {
  stores: number;
  requests: number;
  /** Requests under an Idempotency-Key: batches of 10 domains. The others are look-ups of one store. All are billed. */
  keyedShare: number;
  scanDays: number;
  signalsPerScan: number;
  /** API keys that are used, each in one workspace. */
  keys: number;
}

/** Bytes of a document with its index entries, of a record, and of a key in Redis, by name. */
export type Sizes = Readonly<Record<string, number>>;

export interface Row {
  name: string;
  /** Documents, records or keys after a year. */
  count: number;
  bytes: number;
}

const days = 365;

/**
 * Returns what a year of this load leaves in the databases. `kept` has the days until deletion. Data without an entry
 * are never deleted.
 */
export function yearOf(load: Load, sizes: Sizes, kept: Readonly<Record<string, number>>): Row[] {
  const scans = load.stores / load.scanDays;
  const keyed = load.requests * load.keyedShare;
  const perDay: Record<string, number> = {
    'profiles.observations': scans,
    'profiles.signals': scans * load.signalsPerScan,
    'metering.charges': keyed,
    'metering.ledger': load.requests,
    'scan_scheduler.jobs': scans,
    'scan_scheduler.scans': scans,
    // This is an upper bound: busy workspaces have several requests in a batch.
    'dashboard.request_batches': load.requests,
    'usage.v1': load.requests,
    'scan-requests.v1': scans,
    'observations.v1': scans,
    'profile-updates.v1': scans,
    'requests.v1': load.requests,
    idem: keyed,
  };
  const always: Record<string, number> = {
    'profiles.stores': load.stores,
    'profiles.store_bodies': load.stores,
    'scan_scheduler.scan_targets': load.stores,
    'metering.usage_counters': load.keys * 2 * 12,
    'metering.allowances': load.keys * 12,
    'keys.keys': load.keys,
  };
  const counts = [
    ...Object.entries(always),
    ...Object.entries(perDay).map(([name, count]) => [name, count * Math.min(kept[name] ?? days, days)] as const),
  ];
  return counts.map(([name, count]) => {
    const size = sizes[name];
    if (size === undefined) throw new Error(`${name} was not measured`);
    return { name, count, bytes: count * size };
  });
}
