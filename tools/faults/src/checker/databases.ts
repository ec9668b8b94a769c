import { type Db, MongoClient } from 'mongodb';
import type { Units } from '../clients/history.ts';

/**
 * Reads ledger, allowances, jobs and observations directly from MongoDB, as documents. It uses neither the links nor code of
 * the services.
 */
export interface Databases {
  /** Net units of every charge of the workspace in the ledger. */
  charges(workspaceId: string): Promise<BilledCharge[]>;
  /** Units that the workspace has taken of this period's allowance: used and reserved together. */
  takenOf(workspaceId: string): Promise<number>;
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
}

export async function openDatabases(mongodbUrl: string): Promise<Databases> {
  const client = await new MongoClient(mongodbUrl, { serverSelectionTimeoutMS: 5_000 }).connect();
  const database = (name: string): Db => client.db(name);
  return {
    async charges(workspaceId) {
      const entries = database('metering').collection<LedgerDocument>('ledger').find({ workspaceId });
      return sumCharges(await entries.toArray());
    },
    async takenOf(workspaceId) {
      const found = await database('metering').collection('allowances').find({ workspaceId }).toArray();
      return Math.max(0, ...found.map(({ taken }) => Number(taken?.lookupCached ?? 0)));
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
export function sumCharges(entries: readonly LedgerDocument[]): BilledCharge[] {
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
