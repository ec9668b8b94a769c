import * as proto from '@shopscope/proto';
import type { Reserved } from '../../domain/reserved.ts';

/** The contract keeps the name OUTRUN for a stale item. */
const outcomes: Record<Reserved['outcome'], proto.ReserveOutcome> = {
  granted: proto.ReserveOutcome.GRANTED,
  already_settled: proto.ReserveOutcome.ALREADY_SETTLED,
  exhausted: proto.ReserveOutcome.EXHAUSTED,
  lent: proto.ReserveOutcome.LENT,
  fingerprint_mismatch: proto.ReserveOutcome.FINGERPRINT_MISMATCH,
  stale: proto.ReserveOutcome.OUTRUN,
};

/** The outcome of an undecided item is UNSPECIFIED: the item may or may not be reserved. */
export function encodeReserved(reserved: Reserved | undefined): proto.ReserveResult {
  if (!reserved) return proto.ReserveResult.fromPartial({ outcome: proto.ReserveOutcome.UNSPECIFIED });
  const decided = reserved.outcome === 'granted' || reserved.outcome === 'already_settled';
  return {
    outcome: outcomes[reserved.outcome],
    attempt: decided ? reserved.attempt : 0,
    units: decided ? reserved.units : undefined,
    periodStartMs: reserved.periodStartMs,
    exhaustedUnit: reserved.outcome === 'exhausted' ? proto.unitNames[reserved.unit] : '',
    lentForMs: reserved.outcome === 'lent' ? Math.round(reserved.forMs) : 0,
    balance: reserved.balance,
  };
}
