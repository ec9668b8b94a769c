import type { PageFailureCode } from '@shopscope/fingerprint';
import type { OutboundError } from '@shopscope/outbound-http';

/**
 * The reasons why a store could not be examined. The list is closed and part of the contract of observations. A reason states what the
 * visit encountered. It does not state a cause.
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

/** The site answered, but not with its own page. The visit saw nothing of the store. */
export const pageReasons = [
  'challenged',
  'waiting_room',
  'consent_wall',
  'age_wall',
  'login_wall',
  'interstitial_page',
  'maintenance_page',
  'empty_page',
  'error_page',
  'redirect_page',
  'undecodable',
  'not_html',
] as const satisfies readonly PageFailureCode[];

export const refusedReasons = [
  'robots_disallowed',
  'robots_unavailable',
  'forbidden',
  'rate_limited',
  'not_examinable',
] as const;

/** Failures that may be ours. They reveal nothing about the store, so no observation contains them and the scan is repeated. */
export const undecidedReasons = ['dns_unavailable', 'egress_broken'] as const;

export type UnreachableReason = (typeof unreachableReasons)[number];
export type RefusedReason = (typeof refusedReasons)[number];
export type UndecidedReason = (typeof undecidedReasons)[number];
export type PageReason = (typeof pageReasons)[number];
export type FailureReason = UnreachableReason | PageReason | RefusedReason | UndecidedReason;

/**
 * A visit that ended without a page to examine. This is a result and not a defect: the observation contains the reason, unless the failure
 * is undecided.
 */
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

  /** Whether the site answered with something else than its own page. */
  get isNotTheStore(): boolean {
    return (pageReasons as readonly string[]).includes(this.reason);
  }

  /** Whether the failure may be ours. */
  get undecided(): boolean {
    return (undecidedReasons as readonly string[]).includes(this.reason);
  }
}

/** The failure of a request as the failure of its visit. */
export const visitFailureOf = ({ code, detail, cause }: OutboundError): VisitFailure =>
  new VisitFailure(code, detail, { cause });

/** Whether the error is a visit failure that may be ours. */
export const isUndecided = (error: unknown): error is VisitFailure => error instanceof VisitFailure && error.undecided;

/**
 * The examination of a site's data was ended, because it took too much time or memory. It is not a VisitFailure, because no further request
 * of the visit could lead to a result.
 */
export class NotExaminableError extends Error {
  constructor(detail: string) {
    super(`not examinable: ${detail}`);
    this.name = 'NotExaminableError';
  }
}
