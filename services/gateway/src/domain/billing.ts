import type { Deadline } from '@shopscope/async';
import type { Units } from '@shopscope/proto';

/**
 * What one request bills. Its charge writes it. What is sent to the caller depends on it, and the log line tells it.
 *
 * While `committing` an error would be a lie, because errors say that nothing was billed. It begins before the usage
 * event may leave and ends when the charge is void. Otherwise only the answer that bills may be sent.
 */
export class Billing {
  /** From the moment the request asks for its units, or repeats an answer that this charge billed. */
  chargeId: string | undefined = undefined;
  /** Billed by this request, or perhaps billed when its answer was withheld; undefined once the charge is void. */
  units: Units | undefined = undefined;
  /** An earlier execution under the same Idempotency-Key billed it: `settled_before` ran again, `replayed` did not. */
  earlier: 'settled_before' | 'replayed' | undefined = undefined;

  /** Throws when the deadline has expired or was cancelled, so that nothing is billed after the request's answer. */
  beginCommit(units: Units, deadline: Deadline): void {
    deadline.timeoutMs();
    this.units = units;
  }

  /** The charge is void. */
  endCommit(): void {
    this.units = undefined;
  }

  get committing(): boolean {
    return this.units !== undefined;
  }
}
