import { createDeadline, exponentialBackoff, retry } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { CallOptions } from '@shopscope/grpc';

export interface Patience {
  /** No further attempt begins. */
  abort?: AbortSignal | undefined;
  /** The same call is repeated after a pause. */
  onRetry?: ((error: unknown) => void) | undefined;
  clock?: Pick<Clock, 'sleep'> | undefined;
}

const callTimeoutMs = 10_000;
/** How long a service may be away: longer than a restart. */
const retryForMs = 60_000;

/** Repeats an idempotent call while its service is unavailable, for at most a minute. A refusal rejects at once. */
export function patientCall<T>(
  call: (options: CallOptions) => Promise<T>,
  { abort, onRetry, clock }: Patience,
): Promise<T> {
  return retry(() => call({ deadline: createDeadline(callTimeoutMs) }), {
    deadline: createDeadline(retryForMs),
    ...(abort && { abort }),
    ...(clock && { clock }),
    onFailure: (error) => onRetry?.(error),
    pauseMs: (attempt, error) =>
      isTransient(error) ? exponentialBackoff(attempt, { firstMs: 200, maxMs: 5_000 }) : undefined,
  });
}

/** UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED. */
const permanentStatuses: unknown[] = [16, 7, 12];

function isTransient(error: unknown): boolean {
  if (!(error instanceof AppError) || error.status < 500) return false;
  return !permanentStatuses.includes((error.cause as { code?: unknown } | undefined)?.code);
}
