import { dayMs, type MovableClock } from '@shopscope/clock';
import type { LocalAnswer, LocalRoute, Logger } from '@shopscope/telemetry';

/** This is shorter than the 30 days for which metering keeps the record of an ended charge, so that a retry in the past finds its charge. */
const maxOffsetMs = 28 * dayMs;

/**
 * `PUT /development/clock` with `{"now_ms": …}` or `{"offset_ms": …}` moves the time of this instance. The offset 0
 * restores the real time.
 */
export const developmentClockRoute = (clock: MovableClock, logger: Logger): LocalRoute => ({
  method: 'PUT',
  path: '/development/clock',
  handle(body): LocalAnswer {
    const offsetMs = offsetOf(body, clock);
    if (offsetMs === undefined) return refused('send {"now_ms": …} or {"offset_ms": …}, as a whole number');
    if (Math.abs(offsetMs) > maxOffsetMs) return refused('the time can be moved by at most 28 days');
    clock.setOffset(offsetMs);
    const nowMs = clock.now();
    logger.warn({ nowMs, offsetMs }, 'the development clock was moved');
    return { status: 200, body: { now_ms: nowMs, offset_ms: offsetMs } };
  },
});

function offsetOf(body: unknown, clock: MovableClock): number | undefined {
  if (typeof body !== 'object' || body === null || Object.keys(body).length !== 1) return undefined;
  const { now_ms: nowMs, offset_ms: offsetMs } = body as { now_ms?: unknown; offset_ms?: unknown };
  if (isWhole(nowMs)) return clock.offsetTo(nowMs);
  return isWhole(offsetMs) ? offsetMs : undefined;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const refused = (error: string): LocalAnswer => ({ status: 400, body: { error } });
