import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

/**
 * If Retry-After is longer, the error is thrown at once, and the caller decides whether to wait. The minute of the rate
 * limit is shorter.
 */
export const maxRetryAfterMs = 65_000;
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;
/** The contract: "retry once after a few seconds". */
const internalErrorPauseMs = 2_000;

/**
 * Returns the pause before the next attempt in milliseconds, or null if the error is final.
 *
 * - No response, or a response of a proxy that failed -> exponential backoff with full jitter.
 * - 429, 503 -> Retry-After and a short random time, so that clients do not return at the same instant.
 * - 500 -> one further attempt.
 * - Every other answer is final.
 *
 * Call it only for requests that may be repeated: GET, PATCH, DELETE, and POST with an Idempotency-Key.
 *
 * @param attempts attempts so far, from 1
 */
export function pauseBeforeRetry(
  error: unknown,
  { attempts, maxRetries, random }: { attempts: number; maxRetries: number; random: () => number },
): number | null {
  if (attempts > maxRetries) return null;
  const backoffMs = random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempts - 1));
  if (error instanceof ConnectionError || error instanceof TimeoutError) return backoffMs;
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterMs } = error;
  if (status === 429 || status === 503) {
    if (retryAfterMs === undefined) return backoffMs;
    return retryAfterMs <= maxRetryAfterMs ? retryAfterMs + random() * firstBackoffMs : null;
  }
  if (status === 500) return attempts === 1 ? internalErrorPauseMs + backoffMs : null;
  return status === 502 || status === 504 ? backoffMs : null;
}
