import { failureOf, OutboundError } from '@shopscope/outbound-http';
import { isUndecided, visitFailureOf } from '../../domain/reasons.ts';

/**
 * Returns the failure of the visit that follows from a failed request. The caller throws it.
 *
 * - The failure is an undecided VisitFailure -> the failure itself, even if a time limit has passed meanwhile.
 * - The connection or the request failed -> VisitFailure with the matching reason.
 * - Otherwise -> what `failureOf` returns: the reason of an abort, or a defect of the scanner.
 */
export function failureOfVisit(error: unknown, abort: AbortSignal): unknown {
  if (isUndecided(error)) return error;
  const failure = failureOf(error, abort);
  return failure instanceof OutboundError ? visitFailureOf(failure) : failure;
}
