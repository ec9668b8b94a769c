import type { Balance, UnitKey, Units } from '@shopscope/proto';

/** The decision of a Reserve about one item. `stale`: nothing changes, see ReserveDecision in charge.ts. */
export type Reserved = { periodStartMs: number; balance: Balance } & (
  | { outcome: 'granted' | 'already_settled'; attempt: number; units: Units }
  | { outcome: 'exhausted'; unit: UnitKey }
  /** The allowance holds the units, but leases have them. The last lease ends in `forMs`. */
  | { outcome: 'lent'; forMs: number }
  | { outcome: 'fingerprint_mismatch' | 'stale' }
);

/** Nothing is decided yet: events of the latest attempt may be durable in usage.v1 and not yet in the ledger. */
export interface NeedsCatchUp {
  outcome: 'needs_catch_up';
  unverifiedAttempt: number;
}
