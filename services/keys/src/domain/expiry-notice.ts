import { dayMs } from '@shopscope/clock';
import type { Key } from './key.ts';

/** The numbers of days before the expiry of a key at which its workspace gets a notice, the earliest first. */
const noticeDays = [7, 1] as const;

/**
 * Returns the time of the next notice later than `afterMs`, or null if none follows. A key gets only the notices whose time is later than its
 * creation. The key of the dashboard has no expiry, and it gets none.
 */
export function nextNoticeAfter(
  { createdAt, expiresAt, use }: Pick<Key, 'createdAt' | 'expiresAt' | 'use'>,
  afterMs: number,
): Date | null {
  if (!expiresAt || use === 'dashboard') return null;
  const earliestMs = Math.max(afterMs, createdAt.getTime());
  const times = noticeDays.map((days) => expiresAt.getTime() - days * dayMs);
  const next = times.find((at) => at > earliestMs);
  return next === undefined ? null : new Date(next);
}

/**
 * Returns the days of the latest notice that is due. A notice that a later one has replaced, for example because no instance ran for a week,
 * is left out. Returns undefined if the key has expired.
 */
export function daysLeftAt({ expiresAt }: Pick<Key, 'expiresAt'>, nowMs: number): number | undefined {
  const leftMs = expiresAt ? expiresAt.getTime() - nowMs : 0;
  return leftMs > 0 ? noticeDays.findLast((days) => leftMs <= days * dayMs) : undefined;
}
