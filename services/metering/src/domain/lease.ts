import type { LeasableUnit } from '@shopscope/proto';

/**
 * A lease: units of one allowance that one gateway process holds to pay charges. All units are of one billing unit. Amounts are
 * totals since the lease began.
 *
 *   open --final call, or ended for 42 s--> closing --its count is closed--> removed
 *
 * - `granted` is part of the taken units. A charge of the lease moves a unit from lent to used, so the number of taken units
 *   stays the same.
 * - The count of a lease is the number of its units that the ledger has settled: charged or voided. When the count is closed,
 *   the other units return to the allowance. An event that arrives afterwards is late.
 */
export interface Lease {
  id: string;
  gatewayId: string;
  unit: LeasableUnit;
  /** The number of the latest call that changed the lease. */
  call: number;
  granted: number;
  spent: number;
  /** When the lease opened, or when its first call was sent, whichever is later. */
  openedAt: Date;
  /** The gateway spends nothing after this instant. Each call moves it. */
  endsAt: Date;
  /** How long the units may be spent after the latest call. */
  usableMs: number;
  /** Whether the lease is closing: no call changes it any more. */
  isClosing: boolean;
  /** Whether the lease is closing and {@link closeAfterMs} have passed since its end. */
  isEnded: boolean;
}

/** A call of a gateway about one lease. */
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

/** A lease lasts this long after a call if little of the allowance is left, so that idle units return soon. */
export const shortLeaseMs = 2_000;
/** A lease lasts this long after a call if the units left in the allowance are {@link plentyFactor} times the units that the call lends. */
export const longLeaseMs = 16_000;
/**
 * While a long lease lasts, its gateway spends about the units that the call lends. Even if as many gateways as possible share
 * an allowance, long leases therefore end before the allowance does.
 */
export const plentyFactor = 64;
/**
 * The clocks of two members of a replica set may differ by this time. Instants of leases are MongoDB's `$$NOW`, the clock of the primary.
 * After a change of primary, `$$NOW` may therefore be this much earlier or later than the instants that the previous primary wrote.
 */
export const maxClockDifferenceMs = 30_000;
/** The first call opens a lease only if it was sent less than this time ago; the clocks of gateway and MongoDB may differ by as much. */
export const openWithinMs = 20_000;
/** A lease stays at least for this time after its opening. Then its first call, late or repeated, cannot open it again at any primary. */
export const keepMs = openWithinMs + maxClockDifferenceMs;
/** A request ends at most 10.5 s after its start. The events of a lease are therefore in usage.v1 this long after its end, at any primary. */
export const closeAfterMs = maxClockDifferenceMs + 12_000;
export const maxUnspent = 4_096;
/** Both limits count the leases of one billing unit, so that leases of one unit do not exclude leases of another. */
export const maxLeasesPerGateway = 2;
export const maxLeasesPerAllowance = 64;
/** A call lends at most the units left of the allowance, divided by this number. */
export const roomDivisor = 16;

/** Returns the units that gateways hold and have not yet reported as spent. */
export const unspent = (leases: readonly Lease[]): number =>
  leases.reduce((sum, { granted, spent }) => sum + granted - spent, 0);

/** Returns the key of a lease and of its count. `allowance` is an allowanceKey. */
export const leaseCountKey = (allowance: string, leaseId: string): string => `${allowance}/${leaseId}`;

/** The inverse of {@link leaseCountKey}. */
export function partsOfCountKey(key: string): { allowance: string; leaseId: string } {
  const end = key.lastIndexOf('/');
  return { allowance: key.slice(0, end), leaseId: key.slice(end + 1) };
}
