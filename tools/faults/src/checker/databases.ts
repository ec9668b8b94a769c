import { type Db, MongoClient } from 'mongodb';
import type { Units } from '../clients/history.ts';

/**
 * Reads ledger, allowances, jobs and observations directly from MongoDB, as documents. It uses neither the links nor code of
 * the services.
 */
export interface Databases {
  /** Net units of every charge of the workspace in the ledger. */
  charges(workspaceId: string): Promise<BilledCharge[]>;
  /** Units that these workspaces have taken of this period's allowance (used, reserved and lent), and their leases. */
  allowancesOf(workspaceIds: readonly string[]): Promise<Map<string, AllowanceRecord>>;
  /** Net units of these workspaces in the ledger. */
  usedBy(workspaceIds: readonly string[]): Promise<Map<string, number>>;
  /** Charges that hold or held units of the workspace. */
  holders(workspaceId: string): Promise<Holder[]>;
  jobs(workspaceId: string): Promise<JobRecord[]>;
  /** Scans that are leased now. */
  heldLeases(): Promise<HeldLease[]>;
  /** These scans with the sequences of their merged observations. A scan that does not exist is left out. */
  scans(ids: readonly string[]): Promise<ScanRecord[]>;
  /** Names of metering's transactions that have been open for longer than {@link longMicros}. */
  longTransactions(): Promise<ReadonlySet<string>>;
  /** Number of pairs of domain and sequence that more than one merged observation has. */
  repeatedSequences(): Promise<number>;
  close(): Promise<void>;
}

export interface BilledCharge {
  chargeId: string;
  keyId: string;
  units: Units;
  /** Number of counted attempts. More than one means that the charge was billed twice. */
  counted: number;
}

export interface AllowanceRecord {
  taken: number;
  leases: LeaseRecord[];
}

/** Look-ups of an allowance that a gateway holds. Amounts are totals since the lease began. */
export interface LeaseRecord {
  id: string;
  openedAtMs: number;
  endsAtMs: number;
  granted: number;
  /** As the gateway has told. */
  spent: number;
  /** In the ledger. */
  settled: number;
}

/** A charge, with the wall-clock instant from which it holds units. */
export interface Holder {
  chargeId: string;
  sinceMs: number;
}

export interface JobRecord {
  id: string;
  domain: string;
  state: string;
  chargeId: string;
  /** Number of leases. */
  attempts: number;
}

export interface ScanRecord {
  id: string;
  domain: string;
  state: string;
  /** Number of leases. */
  attempts: number;
  /** Sequence of its latest lease. */
  sequence: number;
  /** Sequences of its merged observations. */
  merged: number[];
}

export interface HeldLease extends Pick<ScanRecord, 'id' | 'domain' | 'attempts' | 'sequence'> {
  token: string;
  scannerId: string;
}

/** A transaction normally takes a few milliseconds. */
const longMicros = 300_000;

interface LedgerDocument {
  _id: string;
  keyId: string;
  units: { lookupCached?: number; lookupLive?: number };
  kind: string;
  occurredAt: Date;
}

interface AllowanceDocument {
  _id: string;
  workspaceId: string;
  taken?: { lookupCached?: number };
  leases?: { id: string; openedAt: Date; endsAt: Date; granted: number; spent: number }[];
}

/** A request ends at most this long after its start, so a void follows its charge within this time. */
const longestRequestMs = 10_500;

/** Reservations have a record. A charge that a lease pays for has only its ledger entry. */
export function holdersOf(
  reserved: readonly { _id: string; firstSeenAt: Date }[],
  entries: readonly Pick<LedgerDocument, '_id' | 'kind' | 'occurredAt'>[],
): Holder[] {
  const since = new Map(reserved.map(({ _id, firstSeenAt }) => [_id, firstSeenAt.getTime()]));
  for (const { _id, kind, occurredAt } of entries) {
    const [chargeId = ''] = _id.split('/');
    if (since.has(chargeId)) continue;
    since.set(chargeId, occurredAt.getTime() - (kind === 'charge' ? 0 : longestRequestMs));
  }
  return [...since].map(([chargeId, sinceMs]) => ({ chargeId, sinceMs }));
}

export async function openDatabases(mongodbUrl: string): Promise<Databases> {
  const client = await new MongoClient(mongodbUrl, { serverSelectionTimeoutMS: 5_000 }).connect();
  const database = (name: string): Db => client.db(name);
  return {
    async charges(workspaceId) {
      const entries = database('metering').collection<LedgerDocument>('ledger').find({ workspaceId });
      return sumCharges(await entries.toArray());
    },
    async allowancesOf(workspaceIds) {
      const wanted = { workspaceId: { $in: [...workspaceIds] } };
      const found = await database('metering').collection<AllowanceDocument>('allowances').find(wanted).toArray();
      const keyOf = (allowance: string, lease: string) => `${allowance}/${lease}`;
      const keys = found.flatMap(({ _id, leases = [] }) => leases.map(({ id }) => keyOf(_id, id)));
      const counts = await database('metering')
        .collection<{ _id: string; settled: number }>('lease_counts')
        .find({ _id: { $in: keys } })
        .toArray();
      const settled = new Map(counts.map((count) => [count._id, count.settled]));
      return new Map(
        found.map(({ _id, workspaceId, taken, leases = [] }) => [
          workspaceId,
          {
            taken: Number(taken?.lookupCached ?? 0),
            leases: leases.map(({ id, openedAt, endsAt, granted, spent }) => ({
              ...{ id, openedAtMs: openedAt.getTime(), endsAtMs: endsAt.getTime() },
              ...{ granted, spent, settled: settled.get(keyOf(_id, id)) ?? 0 },
            })),
          },
        ]),
      );
    },
    async usedBy(workspaceIds) {
      const sums = await database('metering')
        .collection('ledger')
        .aggregate<{ _id: string; used: number }>([
          { $match: { workspaceId: { $in: [...workspaceIds] } } },
          { $group: { _id: '$workspaceId', used: { $sum: '$units.lookupCached' } } },
        ])
        .toArray();
      return new Map(sums.map(({ _id, used }) => [_id, used]));
    },
    async holders(workspaceId) {
      const reserved = await database('metering')
        .collection<{ _id: string; firstSeenAt: Date }>('charges')
        .find({ workspaceId })
        .toArray();
      const entries = await database('metering').collection<LedgerDocument>('ledger').find({ workspaceId }).toArray();
      return holdersOf(reserved, entries);
    },
    async jobs(workspaceId) {
      const found = await database('scan_scheduler').collection('jobs').find({ workspaceId }).toArray();
      return found.map(({ _id, domain, state, chargeId, attempts }) => ({
        id: String(_id),
        domain,
        state,
        chargeId,
        attempts: Number(attempts),
      }));
    },
    async heldLeases() {
      const found = await database('scan_scheduler').collection('scans').find({ state: 'leased' }).toArray();
      return found.map(({ _id, domain, attempts, sequence, lease }) => ({
        ...{ id: String(_id), domain, attempts, sequence },
        ...{ token: String(lease?.token), scannerId: String(lease?.scannerId) },
      }));
    },
    async scans(ids) {
      const wanted = { _id: { $in: [...ids] } };
      const scans = await database('scan_scheduler').collection<{ _id: string }>('scans').find(wanted).toArray();
      const merged = await database('profiles').collection<{ _id: string }>('observations').find(wanted).toArray();
      return (scans as unknown as (Omit<ScanRecord, 'id' | 'merged'> & { _id: string })[]).map(({ _id, ...scan }) => ({
        ...{ id: _id, domain: scan.domain, state: scan.state, attempts: scan.attempts, sequence: scan.sequence },
        merged: merged.flatMap((one) => (one._id === _id && 'sequence' in one ? [Number(one.sequence)] : [])),
      }));
    },
    async longTransactions() {
      const isLong = { appName: 'metering', 'transaction.timeOpenMicros': { $gt: longMicros } };
      const open = await database('admin')
        .aggregate([{ $currentOp: { idleSessions: true } }, { $match: isLong }])
        .toArray();
      return new Set(open.map(({ lsid, transaction }) => `${lsid?.id}/${transaction?.parameters?.txnNumber}`));
    },
    async repeatedSequences() {
      const observations = database('profiles').collection('observations');
      const groups = [
        { $group: { _id: { domain: '$domain', sequence: '$sequence' }, count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ];
      return (await observations.aggregate(groups).toArray()).length;
    },
    close: () => client.close(),
  };
}

/** Sums ledger entries by charge. An entry's id is `charge/attempt/sequence`. */
export function sumCharges(entries: readonly Pick<LedgerDocument, '_id' | 'keyId' | 'units'>[]): BilledCharge[] {
  const attempts = new Map<string, { chargeId: string; keyId: string; units: Units }>();
  for (const { _id, keyId, units } of entries) {
    const [chargeId = '', attempt = ''] = _id.split('/');
    const id = `${chargeId}/${attempt}`;
    const sum = attempts.get(id) ?? { chargeId, keyId, units: { lookupCached: 0, lookupLive: 0 } };
    sum.units.lookupCached += units.lookupCached ?? 0;
    sum.units.lookupLive += units.lookupLive ?? 0;
    attempts.set(id, sum);
  }
  const charges = new Map<string, BilledCharge>();
  for (const { chargeId, keyId, units } of attempts.values()) {
    const charge = charges.get(chargeId) ?? {
      chargeId,
      keyId,
      units: { lookupCached: 0, lookupLive: 0 },
      counted: 0,
    };
    charge.units.lookupCached += units.lookupCached;
    charge.units.lookupLive += units.lookupLive;
    if (units.lookupCached !== 0 || units.lookupLive !== 0) charge.counted += 1;
    charges.set(chargeId, charge);
  }
  return [...charges.values()];
}
