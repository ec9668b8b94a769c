import { type Db, type Filter, MongoClient } from 'mongodb';
import { areEqual, noUnits, sumOf, type Units } from '../clients/history.ts';

export type Databases = Awaited<ReturnType<typeof openDatabases>>;

export interface BilledCharge {
  chargeId: string;
  keyId: string;
  units: Units;
  /** The number of attempts that count. More than one means that the charge was billed twice. */
  counted: number;
}

export interface RefundRecord {
  chargeId: string;
  jobId: string;
  keyId: string;
  /** The amounts are negative. */
  units: Units;
}

/** The billing units that leases lend. */
export const leasableUnits = ['lookupCached', 'historyQuery'] as const;
export type LeasableUnit = (typeof leasableUnits)[number];
export type LeasableUnits = Record<LeasableUnit, number>;

export interface AllowanceRecord {
  taken: LeasableUnits;
  leases: LeaseRecord[];
}

/** A lease: units of an allowance that a gateway holds. Amounts are totals since the lease began. */
export interface LeaseRecord {
  id: string;
  unit: LeasableUnit;
  openedAtMs: number;
  endsAtMs: number;
  granted: number;
  /** The units that the gateway has reported as spent. */
  spent: number;
  /** The units that the ledger has settled. */
  settled: number;
}

/** A charge, and the wall-clock instant from which it holds units. */
export interface Holder {
  chargeId: string;
  sinceMs: number;
}

export interface JobRecord {
  id: string;
  domain: string;
  state: string;
  chargeId: string;
  /** The number of leases. */
  attempts: number;
  /** The unit that the job bills. */
  unit: 'lookup_live' | 'refresh_requested';
  /** Whether the unit of a canceled job is given back. */
  refund: 'none' | 'owed' | 'given';
}

export interface ScanRecord {
  id: string;
  domain: string;
  state: string;
  /** The number of leases. */
  attempts: number;
  /** The sequence of the latest lease. */
  sequence: number;
  /** The sequences of the merged observations. */
  merged: number[];
  /** Whether the scan has ended because all of its jobs were canceled. */
  isCanceled: boolean;
}

export interface HeldLease extends Pick<ScanRecord, 'id' | 'domain' | 'attempts' | 'sequence'> {
  token: string;
  scannerId: string;
}

/** A turn that is late by less than an hour is taken. */
const hurriedMs = 30 * 60_000;
/** A transaction that takes longer is slowed by a link. It normally takes a few milliseconds. */
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
  /** A lease without `unit` lends look-ups. */
  leases?: { id: string; unit?: LeasableUnit; openedAt: Date; endsAt: Date; granted: number; spent: number }[];
}

type JobDocument = Omit<JobRecord, 'id'> & { _id: string; workspaceId: string; scanId: string };

type ScanDocument = Pick<ScanRecord, 'domain' | 'state' | 'attempts' | 'sequence'> & {
  _id: string;
  outcome: string | null;
  lease?: { token: string; scannerId: string } | null;
};

/** A request ends at most this long after its start. A void therefore follows its charge within this time. */
const longestRequestMs = 10_500;

/** Returns the charges that hold or held units. Reservations have a record. A charge that a lease paid for has only its ledger entry. */
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

/** `settled` has the units of leases that the ledger has settled, by the ids of their counts. */
export function allowanceRecordOf(
  { _id, taken, leases = [] }: Omit<AllowanceDocument, 'workspaceId'>,
  settled: ReadonlyMap<string, number>,
): AllowanceRecord {
  return {
    taken: { lookupCached: Number(taken?.lookupCached ?? 0), historyQuery: Number(taken?.historyQuery ?? 0) },
    leases: leases.map(({ id, unit = 'lookupCached', openedAt, endsAt, granted, spent }) => ({
      id,
      unit,
      openedAtMs: openedAt.getTime(),
      endsAtMs: endsAt.getTime(),
      granted,
      spent,
      settled: settled.get(leaseKeyOf(_id, id)) ?? 0,
    })),
  };
}

/**
 * Reads ledger, allowances, jobs and observations as documents from MongoDB. It uses neither the links nor code of the services, so neither a
 * fault nor a bug of the product changes what it reads.
 */
export async function openDatabases(mongodbUrl: string) {
  const client = await new MongoClient(mongodbUrl, { serverSelectionTimeoutMS: 5_000 }).connect();
  const names = ['metering', 'scan_scheduler', 'profiles', 'subscriptions'];
  const [metering, scheduler, profiles, subscriptions] = names.map((name) => client.db(name)) as [Db, Db, Db, Db];
  const ledgerOf = (workspaceId: string) =>
    metering.collection<LedgerDocument>('ledger').find({ workspaceId }).toArray();
  const scansWhere = (filter: Filter<ScanDocument>) =>
    scheduler.collection<ScanDocument>('scans').find(filter).toArray();
  return {
    /** Resolves to the net units of every charge of the workspace in the ledger. */
    charges: async (workspaceId: string): Promise<BilledCharge[]> => sumCharges(await ledgerOf(workspaceId)),
    /** Resolves to the refunds of the workspace. A canceled job has one. */
    refunds: async (workspaceId: string): Promise<RefundRecord[]> => refundsOf(await ledgerOf(workspaceId)),
    /** Resolves to the units that these workspaces have taken of their allowances (used, reserved and lent), and to their leases. */
    async allowancesOf(workspaceIds: readonly string[]): Promise<Map<string, AllowanceRecord>> {
      const wanted = { workspaceId: { $in: [...workspaceIds] } };
      const found = await metering.collection<AllowanceDocument>('allowances').find(wanted).toArray();
      const keys = found.flatMap(({ _id, leases = [] }) => leases.map(({ id }) => leaseKeyOf(_id, id)));
      const counts = metering.collection<{ _id: string; settled: number }>('lease_counts').find({ _id: { $in: keys } });
      const settled = new Map((await counts.toArray()).map((count) => [count._id, count.settled]));
      return new Map(found.map((document) => [document.workspaceId, allowanceRecordOf(document, settled)]));
    },
    /** Resolves to the net units of these workspaces in the ledger, for the billing units that leases lend. */
    async usedBy(workspaceIds: readonly string[]): Promise<Map<string, LeasableUnits>> {
      const sums = Object.fromEntries(leasableUnits.map((unit) => [unit, { $sum: `$units.${unit}` }]));
      const stages = [
        { $match: { workspaceId: { $in: [...workspaceIds] } } },
        { $group: { _id: '$workspaceId', ...sums } },
      ];
      const found = metering.collection('ledger').aggregate<{ _id: string } & LeasableUnits>(stages);
      return new Map((await found.toArray()).map(({ _id, ...used }) => [_id, used]));
    },
    /** Resolves to the charges that hold or held units of the workspace. */
    async holders(workspaceId: string): Promise<Holder[]> {
      const reserved = metering.collection<{ _id: string; firstSeenAt: Date }>('charges').find({ workspaceId });
      return holdersOf(await reserved.toArray(), await ledgerOf(workspaceId));
    },
    async jobs(workspaceId: string): Promise<JobRecord[]> {
      const found = await scheduler.collection<JobDocument>('jobs').find({ workspaceId }).toArray();
      return found.map(({ _id: id, ...job }) => ({ ...job, id }));
    },
    /** Resolves to the scans that are leased at this moment. */
    async heldLeases(): Promise<HeldLease[]> {
      const found = await scansWhere({ state: 'leased' });
      return found.map(({ _id: id, domain, attempts, sequence, lease }) => ({
        id,
        domain,
        attempts,
        sequence,
        token: String(lease?.token),
        scannerId: String(lease?.scannerId),
      }));
    },
    /** Resolves to these scans with the sequences of their merged observations. A scan that does not exist is left out. */
    async scans(ids: readonly string[]): Promise<ScanRecord[]> {
      const wanted = { $in: [...ids] };
      const scans = await scansWhere({ _id: wanted });
      const observations = profiles.collection<{ _id: string; sequence?: number }>('observations');
      const merged = new Map(
        (await observations.find({ _id: wanted }).toArray()).map((one) => [one._id, one.sequence]),
      );
      const jobs = await scheduler.collection<JobDocument>('jobs').find({ scanId: wanted }).toArray();
      return scans.map(({ _id: id, domain, state, outcome, attempts, sequence }) => {
        const jobsOfScan = jobs.filter(({ scanId }) => scanId === id);
        const mergedSequence = merged.get(id);
        return {
          id,
          domain,
          state: outcome ?? state,
          attempts,
          sequence,
          isCanceled: jobsOfScan.length > 0 && jobsOfScan.every((job) => job.state === 'canceled'),
          merged: mergedSequence === undefined ? [] : [mergedSequence],
        };
      });
    },
    /** Resolves to the names of metering's transactions that have been open for longer than {@link longMicros}. */
    async longTransactions(): Promise<ReadonlySet<string>> {
      const isLong = { appName: 'metering', 'transaction.timeOpenMicros': { $gt: longMicros } };
      const open = await client
        .db('admin')
        .aggregate([{ $currentOp: { idleSessions: true } }, { $match: isLong }])
        .toArray();
      return new Set(open.map(({ lsid, transaction }) => `${lsid?.id}/${transaction?.parameters?.txnNumber}`));
    },
    /**
     * Resolves to the number of pairs of domain and sequence that more than one merged observation has. Superseded observations do not count:
     * the scan of a store that was imported a moment ago may get the sequence of the import, and profiles then does not merge it.
     */
    async repeatedSequences(): Promise<number> {
      const groups = [
        { $match: { rejection: { $ne: 'superseded' } } },
        { $group: { _id: { domain: '$domain', sequence: '$sequence' }, count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ];
      return (await profiles.collection('observations').aggregate(groups).toArray()).length;
    },
    /** Makes the next rescans of the workspace's watchlists due. It is the only write of the bench: a turn per store and day is too slow for a run. */
    async hurryRescans(workspaceId: string): Promise<void> {
      const due = new Date(Date.now() - hurriedMs);
      const isPaced = { workspaceId, 'rescans.nextAt': { $type: 'date' } };
      const { matchedCount } = await subscriptions
        .collection('watchlists')
        .updateMany(isPaced, { $min: { 'rescans.nextAt': due, 'rescans.wakeAt': due } });
      const queue = subscriptions.collection<{ _id: string }>('rescan_queue');
      if (matchedCount > 0) await queue.updateOne({ _id: workspaceId }, { $min: { readyAt: due, dueAt: due } });
    },
    /** Whether a rescan is neither requested nor given up. */
    async hasUnfinishedRescans(workspaceId: string): Promise<boolean> {
      return (await subscriptions.collection('rescans').findOne({ workspaceId, state: 'started' })) !== null;
    },
    close: () => client.close(),
  };
}

type Entry = Pick<LedgerDocument, '_id' | 'keyId' | 'units'> & { kind?: string };
/** The id of an entry is `charge/attempt/number`, and the id of a refund is `charge/attempt/job`. */
const attemptOf = ({ _id }: Pick<Entry, '_id'>): string => _id.slice(0, _id.lastIndexOf('/'));

/**
 * Sums the ledger entries of each charge. Refunds are included only for reversed attempts, because a reversal takes back only the units
 * that were not refunded.
 */
export function sumCharges(entries: readonly Entry[]): BilledCharge[] {
  const charges = new Map<string, BilledCharge>();
  for (const [attempt, ofAttempt] of Map.groupBy(entries, attemptOf)) {
    const isReversed = ofAttempt.some(({ kind }) => kind === 'reversal');
    const billed = isReversed ? ofAttempt : ofAttempt.filter(({ kind }) => kind !== 'refund');
    const units = billed.reduce((sum, entry) => sumOf(sum, entry.units), noUnits);
    const [chargeId = ''] = attempt.split('/');
    const charge = charges.get(chargeId) ?? { chargeId, keyId: ofAttempt[0]?.keyId ?? '', units: noUnits, counted: 0 };
    charge.units = sumOf(charge.units, units);
    if (!areEqual(units, noUnits)) charge.counted += 1;
    charges.set(chargeId, charge);
  }
  return [...charges.values()];
}

/** Returns the refunds that reduce usage. Refunds of reversed attempts do not. */
export function refundsOf(entries: readonly Entry[]): RefundRecord[] {
  const reversed = new Set(entries.filter(({ kind }) => kind === 'reversal').map(attemptOf));
  return entries
    .filter((entry) => entry.kind === 'refund' && !reversed.has(attemptOf(entry)))
    .map(({ _id, keyId, units }) => {
      const [chargeId = '', , jobId = ''] = _id.split('/');
      return { chargeId, jobId, keyId, units: sumOf(noUnits, units) };
    });
}
