import type { TakenBalance } from './balance.ts';
import type { UnitKey, Units } from './units.ts';

/** What a Reserve says of one item. */
export type Reserved = { periodStartMs: number; balance: TakenBalance } & (
  | { outcome: 'granted' | 'already_settled'; attempt: number; units: Units }
  | { outcome: 'exhausted'; unit: UnitKey }
  | { outcome: 'fingerprint_mismatch' | 'outrun' }
);

/** Nothing is decided yet: what became of the latest attempt shows once the ledger has caught up with usage.v1. */
export interface Doubtful {
  outcome: 'doubtful';
  doubtfulAttempt: number;
}
