import type { Units } from '@shopscope/proto';

/** What one request bills, for its log line: written by its charge, read when its response has ended. */
export interface Billing {
  /** From the moment the request asks for its units, or repeats an answer that this charge billed. */
  chargeId: string | undefined;
  /** Billed by this request, or perhaps billed when its answer was withheld; undefined once the charge is void. */
  units: Units | undefined;
  /** An earlier execution under the same Idempotency-Key billed it: `settled_before` ran again, `replayed` did not. */
  earlier: 'settled_before' | 'replayed' | undefined;
}

export const noBilling = (): Billing => ({ chargeId: undefined, units: undefined, earlier: undefined });
