import { createDeadline, retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { isRetryable } from '@shopscope/errors';
import type { CallOptions } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';

/** Time limit of a call for a page. */
const callTimeoutMs = 3_000;
const pausesMs = [50, 250];

/**
 * Calls another service for a page.
 *
 * - A broken connection -> at most two more attempts within the time limit. Every call is idempotent.
 * - The time limit is reached -> `internal`. The page says what is missing.
 */
export function callService<Result>(
  run: (options: CallOptions) => Promise<Result>,
  origin: Origin,
  clock: Clock = systemClock,
): Promise<Result> {
  const deadline = createDeadline(callTimeoutMs, { clock });
  const pauseMs = (attempt: number, error: unknown) => (isRetryable(error) ? pausesMs[attempt - 1] : undefined);
  return retry(() => run({ deadline, origin }), { deadline, pauseMs, clock });
}
