import { type Db, MongoClient } from 'mongodb';
import { areEqual, noUnits, type Units } from '../clients/history.ts';

/**
 * Reads ledger, allowances, jobs and observations directly from MongoDB, as documents. It uses neither the links nor code of
 * the services.
 */
export interface Databases {
  /** Net units of every charge of the workspace in the ledger. */
  charges(workspaceId: string): Promise<BilledCharge[]>;
  /** Units that were given back to the workspace, one entry per canceled job. */
  refunds(workspaceId: string): Promise<RefundRecord[]>;
  /** Units that these workspaces have taken of this period's allowance (used, reserved and lent), and their leases. */
  allowancesOf(workspaceIds: readonly string[]): Promise<Map<string, AllowanceRecord>>;
  /** Net units of these workspaces in the ledger, of the units that leases lend. */
  usedBy(workspaceIds: readonly string[]): Promise<Map<string, LeasableUnits>>;
  /** Charges that hold or held units of the workspace. */
  holders(workspaceId: string): Promise<Holder[]>;
  jobs(workspaceId: string): Promise<JobRecord[]>;
  /** Scans that are leased now. */
  heldLeases(): Promise<HeldLease[]>;
  /** These scans with the sequences of their merged observations. A scan that does not exist is left out. */
  scans(ids: readonly string[]): Promise<ScanRecord[]>;
  /** Names of metering's transactions that have been open for longer than {@link longMicros}. */
  longTransactions(): Promise<ReadonlySet<string>>;
  /**
   * Number of pairs of domain and sequence that more than one merged observation has. A scan of a store that was imported a moment ago may get
   * the import's sequence. profiles then records its observation as superseded and does not merge it.
   */
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

export interface RefundRecord {
  chargeId: string;
  jobId: string;
  keyId: string;
  /** Negative. */
  units: Units;
}

/** The units that leases lend. */
export const leasableUnits = ['lookupCached', 'historyQuery'] as const;
export type LeasableUnit = (typeof leasableUnits)[number];
export type LeasableUnits = Record<LeasableUnit, number>;

export interface AllowanceRecord {
  taken: LeasableUnits;
  leases: LeaseRecord[];
}

/** Units of an allowance that a gateway holds. Amounts are totals since the lease began. */
export interface LeaseRecord {
  id: string;
  unit: LeasableUnit;
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
  /** What the job bills. */
  unit: 'lookup_live' | 'refresh_requested';
  /** Of a canceled job: whether its unit is given back. */
  refund: 'none' | 'owed' | 'given';
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
  /** All of its jobs were canceled, so it ended. */
  isCanceled: boolean;
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
  units: Partial<Units>;
  kind: string;
  occurredAt: Date;
}

interface AllowanceDocument {
  _id: string;
  workspaceId: string;
  taken?: Partial<LeasableUnits>;
  /** Without `unit` a lease lends look-ups. */
  leases?: { id: string; unit?: LeasableUnit; openedAt: Date; endsAt: Date; granted: number; spent: number }[];
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

const leaseKeyOf = (allowance: string, lease: string) => `${allowance}/${lease}`;

/** `settled`: units of leases in the ledger, by the ids of their counts. */
export function allowanceRecordOf(
  { _id, taken, leases = [] }: Omit<AllowanceDocument, 'workspaceId'>,
  settled: ReadonlyMap<string, number>,
): AllowanceRecord {
  return {
    taken: { lookupCached: Number(taken?.lookupCached ?? 0), historyQuery: Number(taken?.historyQuery ?? 0) },
    leases: leases.map(({ id, unit = 'lookupCached', openedAt, endsAt, granted, spent }) => ({
      ...{ id, unit, openedAtMs: openedAt.getTime(), endsAtMs: endsAt.getTime() },
      ...{ granted, spent, settled: settled.get(leaseKeyOf(_id, id)) ?? 0 },
    })),
  };
}

export async function openDatabases(mongodbUrl: string): Promise<Databases> {
  const client = await new MongoClient(mongodbUrl, { serverSelectionTimeoutMS: 5_000 }).connect();
  const database = (name: string): Db => client.db(name);
  return {
    async charges(workspaceId) {
      const entries = database('metering').collection<LedgerDocument>('ledger').find({ workspaceId });
      return sumCharges(await entries.toArray());
    },
    async refunds(workspaceId) {
      const entries = database('metering').collection<LedgerDocument>('ledger').find({ workspaceId });
      return refundsOf(await entries.toArray());
    },
    async allowancesOf(workspaceIds) {
      const wanted = { workspaceId: { $in: [...workspaceIds] } };
      const found = await database('metering').collection<AllowanceDocument>('allowances').find(wanted).toArray();
      const keys = found.flatMap(({ _id, leases = [] }) => leases.map(({ id }) => leaseKeyOf(_id, id)));
      const counts = await database('metering')
        .collection<{ _id: string; settled: number }>('lease_counts')
        .find({ _id: { $in: keys } })
        .toArray();
      const settled = new Map(counts.map((count) => [count._id, count.settled]));
      return new Map(found.map((document) => [document.workspaceId, allowanceRecordOf(document, settled)]));
    },
    async usedBy(workspaceIds) {
      const sums = await database('metering')
        .collection('ledger')
        .aggregate<{ _id: string } & LeasableUnits>([
          { $match: { workspaceId: { $in: [...workspaceIds] } } },
          {
            $group: {
              _id: '$workspaceId',
              lookupCached: { $sum: '$units.lookupCached' },
              historyQuery: { $sum: '$units.historyQuery' },
            },
          },
        ])
        .toArray();
      return new Map(sums.map(({ _id, ...used }) => [_id, used]));
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
      return found.map(({ _id, domain, state, chargeId, attempts, unit, refund }) => ({
        id: String(_id),
        domain,
        state,
        chargeId,
        attempts: Number(attempts),
        unit,
        refund,
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
      const jobs = await database('scan_scheduler')
        .collection('jobs')
        .find({ scanId: { $in: [...ids] } })
        .toArray();
      const statesOf = (id: string) => jobs.filter(({ scanId }) => scanId === id).map(({ state }) => state);
      return (scans as unknown as (Omit<ScanRecord, 'id' | 'merged'> & { _id: string; outcome: string | null })[]).map(
        ({ _id, ...scan }) => ({
          ...{
            id: _id,
            domain: scan.domain,
            state: scan.outcome ?? scan.state,
            attempts: scan.attempts,
            sequence: scan.sequence,
          },
          isCanceled: statesOf(_id).length > 0 && statesOf(_id).every((state) => state === 'canceled'),
          merged: merged.flatMap((one) => (one._id === _id && 'sequence' in one ? [Number(one.sequence)] : [])),
        }),
      );
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
        { $match: { rejection: { $ne: 'superseded' } } },
        { $group: { _id: { domain: '$domain', sequence: '$sequence' }, count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ];
      return (await observations.aggregate(groups).toArray()).length;
    },
    close: () => client.close(),
  };
}

const unitsOf = (units: LedgerDocument['units']): Units => {
  const { lookupCached = 0, lookupLive = 0, refreshRequested = 0, historyQuery = 0 } = units;
  return {
    ...{ lookupCached, lookupLive },
    ...(refreshRequested !== 0 && { refreshRequested }),
    ...(historyQuery !== 0 && { historyQuery }),
  };
};

export const sumOf = (a: Units, b: Units): Units =>
  unitsOf({
    lookupCached: a.lookupCached + b.lookupCached,
    lookupLive: a.lookupLive + b.lookupLive,
    refreshRequested: (a.refreshRequested ?? 0) + (b.refreshRequested ?? 0),
    historyQuery: (a.historyQuery ?? 0) + (b.historyQuery ?? 0),
  });

type Entry = Pick<LedgerDocument, '_id' | 'keyId' | 'units'> & { kind?: string };
/** An entry's id is `charge/attempt/number`; that of a refund is `charge/attempt/job`. */
const attemptOf = ({ _id }: Pick<Entry, '_id'>): string => _id.slice(0, _id.lastIndexOf('/'));

/** Sums ledger entries by charge: what was billed before refunds. A reversal takes back what refunds have left. */
export function sumCharges(entries: readonly Entry[]): BilledCharge[] {
  const charges = new Map<string, BilledCharge>();
  for (const [attempt, mine] of Map.groupBy(entries, attemptOf)) {
    const isReversed = mine.some(({ kind }) => kind === 'reversal');
    const billed = isReversed ? mine : mine.filter(({ kind }) => kind !== 'refund');
    const units = billed.reduce((sum, entry) => sumOf(sum, unitsOf(entry.units)), noUnits);
    const [chargeId = ''] = attempt.split('/');
    const charge = charges.get(chargeId) ?? { chargeId, keyId: mine[0]?.keyId ?? '', units: noUnits, counted: 0 };
    charge.units = sumOf(charge.units, units);
    if (!areEqual(units, noUnits)) charge.counted += 1;
    charges.set(chargeId, charge);
  }
  return [...charges.values()];
}

/** Refunds that reduce usage: those of attempts that were not reversed. */
export function refundsOf(entries: readonly Entry[]): RefundRecord[] {
  const reversed = new Set(entries.filter(({ kind }) => kind === 'reversal').map(attemptOf));
  return entries
    .filter((entry) => entry.kind === 'refund' && !reversed.has(attemptOf(entry)))
    .map(({ _id, keyId, units }) => {
      const [chargeId = '', , jobId = ''] = _id.split('/');
      return { chargeId, jobId, keyId, units: unitsOf(units) };
    });
}
