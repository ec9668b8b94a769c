import type { Balance, UnitKey, Units } from '@shopscope/proto';

/** The decision of a Reserve about one item. `stale` changes nothing; see ReserveDecision in charge.ts. */
export type Reserved = { periodStartMs: number; balance: Balance } & (
  | { outcome: 'granted' | 'already_settled'; attempt: number; units: Units }
  | { outcome: 'exhausted'; unit: UnitKey }
  /** The allowance would have enough units if leases held none. The last of these leases ends in `forMs`. */
  | { outcome: 'lent'; forMs: number }
  | { outcome: 'fingerprint_mismatch' | 'stale' }
);

/** Nothing is decided yet, because events of the latest attempt may be durable in usage.v1 and not yet in the ledger. */
export interface NeedsCatchUp {
  outcome: 'needs_catch_up';
  unverifiedAttempt: number;
}
