import type { Deadline } from '@shopscope/async';
import type { Units } from '@shopscope/proto';

/**
 * The billing state of one request. charge-units writes it; send-reply and the access log read it.
 *
 * An error response states that nothing was billed. Therefore no error response is sent while `mayBeBilled` is true: from the
 * beginning of the commit until the charge is void. In that time, only the billed response may be sent.
 */
export class RequestBilling {
  /** Set before units are reserved, and when a stored response of this charge is replayed. */
  chargeId: string | undefined = undefined;
  /** The units that this request bills, or may have billed when its response was withheld. Undefined after a void. */
  units: Units | undefined = undefined;
  /** An earlier execution with the Idempotency-Key was billed. `settled_before`: this one ran, too. `replayed`: this one did not run. */
  earlier: 'settled_before' | 'replayed' | undefined = undefined;

  /** Throws if the deadline has expired or was cancelled. Therefore no commit begins after the response or without a caller. */
  beginCommit(units: Units, deadline: Deadline): void {
    deadline.timeoutMs();
    this.units = units;
  }

  /** Call it when the charge is void. */
  markVoided(): void {
    this.units = undefined;
  }

  get mayBeBilled(): boolean {
    return this.units !== undefined;
  }
}

/**
 * Neither the usage event nor its void is known to be durable. Every status could be wrong, so the connection closes
 * without a response.
 */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('The outcome of the charge is unknown; the response is withheld', { cause });
    this.name = 'OutcomeUnknownError';
  }
}
