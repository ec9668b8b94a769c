import { type Period, periodAt } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';

/** The current period and the 12 before it can be shown, because labels of revoked keys are kept for that time. */
const shownPeriods = 13;

/** A period that a page shows, with the names of its neighbours. */
export type ShownPeriod = ReturnType<typeof shownPeriod>;

/** The period with this name, or the current period without a name. Throws `not_found` if the period is not shown. */
export function shownPeriod(name: string | null, nowMs: number) {
  const index = name === null ? 0 : indexOf(name, nowMs);
  if (!(index >= 0 && index < shownPeriods)) {
    throw new AppError('not_found', 'Usage is shown for this month and the 12 months before it.');
  }
  return {
    ...monthsAgo(nowMs, index),
    /** For example "2026-11". */
    name: nameOf(monthsAgo(nowMs, index)),
    isCurrent: index === 0,
    older: index + 1 < shownPeriods ? nameOf(monthsAgo(nowMs, index + 1)) : undefined,
    newer: index > 0 ? nameOf(monthsAgo(nowMs, index - 1)) : undefined,
  };
}

/** The number of months before the current one; NaN if the text is not the name of a month. */
function indexOf(name: string, nowMs: number): number {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name);
  if (!match) return Number.NaN;
  const now = new Date(nowMs);
  return now.getUTCFullYear() * 12 + now.getUTCMonth() - (Number(match[1]) * 12 + Number(match[2]) - 1);
}

function monthsAgo(nowMs: number, months: number): Period {
  const now = new Date(nowMs);
  return periodAt(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}

const nameOf = ({ startMs }: Period) => new Date(startMs).toISOString().slice(0, 7);
