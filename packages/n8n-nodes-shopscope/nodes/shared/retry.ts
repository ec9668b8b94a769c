import type { ApiFailure } from './api-failure.ts';

const maxAttempts = 5;
/** A longer Retry-After ends the request at once. The minute of the rate limit is shorter. */
const maxRetryAfterMs = 65_000;
const firstBackoffMs = 500;
const internalErrorPauseMs = 2_000;

/**
 * Returns the pause before the next attempt, or null if the failure is final.
 *
 * - 429, 503 -> Retry-After and a short random time.
 * - No response, 502, 504 -> exponential backoff with full jitter.
 * - 500 -> one further attempt.
 * - Every other answer is final.
 */
export function pauseBeforeRetryMs(
  { status, retryAfterMs }: Pick<ApiFailure, 'status' | 'retryAfterMs'>,
  { attempts, random }: { attempts: number; random(): number },
): number | null {
  if (attempts >= maxAttempts) return null;
  const backoffMs = random() * firstBackoffMs * 2 ** (attempts - 1);
  if ((status === 429 || status === 503) && retryAfterMs !== undefined)
    return retryAfterMs <= maxRetryAfterMs ? retryAfterMs + random() * firstBackoffMs : null;
  if (status === 500) return attempts === 1 ? internalErrorPauseMs + backoffMs : null;
  return [0, 429, 502, 503, 504].includes(status) ? backoffMs : null;
}
