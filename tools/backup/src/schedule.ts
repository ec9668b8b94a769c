import { dayMs, hourMs } from '@shopscope/clock';

/** A failed dump is repeated after this time, and until one succeeds. */
const retryMs = hourMs;

/**
 * Returns the time of the next dump: daily at `timeOfDayMs` after midnight, UTC.
 *
 * - No good dump has started since the last daily time -> at once, also when no process ran at that time.
 * - A dump since then has failed -> an hour after its start.
 */
export function nextDumpMs(options: {
  nowMs: number;
  timeOfDayMs: number;
  lastGoodMs: number | undefined;
  lastAttemptMs: number | undefined;
}): number {
  const { nowMs, timeOfDayMs, lastGoodMs, lastAttemptMs } = options;
  const dueMs = timeOfDayMs + dayMs * Math.floor((nowMs - timeOfDayMs) / dayMs);
  const isSince = (ms: number | undefined) => ms !== undefined && ms >= dueMs && ms <= nowMs;
  if (isSince(lastGoodMs)) return dueMs + dayMs;
  return isSince(lastAttemptMs) ? Math.max(nowMs, Number(lastAttemptMs) + retryMs) : nowMs;
}
