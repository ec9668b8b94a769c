/**
 * Why a store could not be examined: the closed list that observations carry. A reason says what the visit met, not
 * whose fault it is; adding one is a change of the observation's contract.
 */
export const unreachableReasons = [
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'tls_failure',
  'timeout',
  'server_error',
  'too_many_redirects',
  'blocked_address',
  'invalid_response',
] as const;

export const refusedReasons = ['robots_disallowed', 'robots_unavailable', 'forbidden', 'rate_limited'] as const;

export type UnreachableReason = (typeof unreachableReasons)[number];
export type RefusedReason = (typeof refusedReasons)[number];
export type FailureReason = UnreachableReason | RefusedReason;

/** A visit that ends without a page to examine. It is a result, not a fault: the observation says why. */
export class VisitFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, detail: string, options?: ErrorOptions) {
    super(`${reason}: ${detail}`, options);
    this.name = 'VisitFailure';
    this.reason = reason;
  }

  get refused(): boolean {
    return (refusedReasons as readonly string[]).includes(this.reason);
  }
}
