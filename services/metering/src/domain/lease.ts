import type { LeasableUnit } from '@shopscope/proto';

/**
 * A lease: units of one allowance that one gateway process holds and pays charges with. All are of one billing unit. Amounts are
 * totals since the lease began.
 *
 *   open --final, or ended for 40 s--> closing --its count is closed--> removed
 *
 * - `granted` is part of the allowance taken. A charge of the lease moves a unit from lent to used, so the allowance taken
 *   stays the same.
 * - The count of a lease is the number of its units that the ledger has settled: charged, or voided. When the count is
 *   closed, the rest returns to the allowance. An event that arrives afterwards is late.
 */
export interface Lease {
  id: string;
  gatewayId: string;
  unit: LeasableUnit;
  /** Number of the latest call that changed the lease. */
  call: number;
  granted: number;
  spent: number;
  openedAt: Date;
  /** The gateway spends nothing after it. Each call moves it. */
  endsAt: Date;
  /** How long the units may be spent after the latest call. */
  usableMs: number;
  /** No call changes it any more. */
  isClosing: boolean;
  /** It is closing, and {@link closeAfterMs} have passed since its end. */
  isEnded: boolean;
}

/** A gateway's call about one lease. */
export interface LeaseAsk {
  workspaceId: string;
  leaseId: string;
  unit: LeasableUnit;
  call: number;
  sentAtMs: number;
  wanted: number;
  spent: number;
  isFinal: boolean;
  periodStartMs: number;
}

/** A lease lasts this long after a call when little is left of the allowance, so that idle units return soon. */
export const shortLeaseMs = 2_000;
/** A lease lasts this long after a call when the units left are {@link plentyFactor} times what the call lends. */
export const longLeaseMs = 16_000;
/**
 * While a long lease lasts, its gateway spends about what the call lends. So even with as many gateways as may share an
 * allowance, long leases have ended before the allowance does.
 */
export const plentyFactor = 64;
/**
 * The first call opens a lease only within this time of its sending, in either direction of the clocks' difference. A
 * lease stays for twice this time, so a first call that is late or repeated cannot open it again.
 */
export const openWithinMs = 20_000;
/**
 * A request ends at most 10.5 s after its start, so the events of a lease are in usage.v1 this long after its end. Also the
 * shortest life of a lease: see {@link openWithinMs}.
 */
export const closeAfterMs = 40_000;
export const maxUnspent = 4_096;
/** Both bounds are for the leases of one unit, so that leases of one unit keep out none of another. */
export const maxLeasesPerGateway = 2;
export const maxLeasesPerAllowance = 64;
/** At most one part in this many of what is left is lent at a time. */
export const roomDivisor = 16;

/** Units that gateways hold and have not spent, as far as they have said. */
export const unspent = (leases: readonly Lease[]): number =>
  leases.reduce((sum, { granted, spent }) => sum + granted - spent, 0);

/** Name of a lease and of its count: `allowance` is an allowanceKey. */
export const leaseCountKey = (allowance: string, leaseId: string): string => `${allowance}/${leaseId}`;

/** The inverse of {@link leaseCountKey}. */
export function partsOfCountKey(key: string): { allowance: string; leaseId: string } {
  const end = key.lastIndexOf('/');
  return { allowance: key.slice(0, end), leaseId: key.slice(end + 1) };
}
