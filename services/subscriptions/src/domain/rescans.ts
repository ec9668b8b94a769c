import { dayMs, periodAt } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';

/**
 * The pace of the rescans of a watchlist (decision 73). The interval has one part per store, and the watchlist takes a
 * turn after each part. Each turn rescans the store whose latest turn or addition is the oldest. Turns therefore stay
 * even when stores are added or removed, and each store has one turn per interval. If the budget is too small for this,
 * turns are further apart, so that the budget lasts until the end of the period.
 */
export interface Rescans {
  /** Null if there are no rescans. */
  intervalDays: number | null;
  /** The days in which each store has one turn: the interval, or the freshness of the plan if that is longer. */
  paceDays: number;
  /** The maximum number of units in a period. Null if only the allowance limits them. */
  budget: number | null;
  /** The key that has set the interval. It pays. Empty without an interval. */
  keyId: string;
  paused: RescansPaused | null;
  /**
   * The time of the next turn. While the budget or the allowance is spent, the time at which that ends. Null if there
   * is no such time.
   */
  nextAt: Date | null;
  /** When the timer has to look at the watchlist. Null if it does not have to. */
  wakeAt: Date | null;
  /** The number of turns so far. The charge of a rescan is named after its turn, so the number never decreases. */
  turn: number;
  /** The units of the budget that are spent or held by rescans in progress, in the period that began at `periodStart`. */
  taken: number;
  periodStart: Date;
  /** The number of announced changes, which names their events. */
  changes: number;
}

export type RescansPaused = 'budget_exhausted' | 'allowance_exhausted' | 'key_revoked';

/** The members of a watchlist that decide its pace. */
interface Paced {
  state: 'active' | 'paused';
  storeCount: number;
  rescans: Rescans;
}

const maxIntervalDays = 3_650;
/** Turns that are later than this are left out, so that no burst follows an outage. */
export const maxLateMs = 60 * 60_000;

export const newRescans = (now: Date): Rescans => ({
  intervalDays: null,
  paceDays: 0,
  budget: null,
  keyId: '',
  paused: null,
  nextAt: null,
  wakeAt: null,
  turn: 0,
  taken: 0,
  periodStart: new Date(periodAt(now.getTime()).startMs),
  changes: 0,
});

/** The members that a call sets. The others are undefined. */
export interface RescansChange {
  interval?: { days?: number | undefined } | undefined;
  budget?: { refreshRequested?: number | undefined } | undefined;
  keyId: string;
}

/** Returns the rescans after a call. Setting an interval ends every pause: the next turn shows whether its reason still holds. */
export function changedRescans(
  before: Paced,
  state: Paced['state'],
  { interval, budget, keyId }: RescansChange,
  now: Date,
): Rescans {
  let { rescans } = before;
  if (interval) {
    const intervalDays = parseIntervalDays(interval.days);
    if (intervalDays !== null && !keyId) throw invalidField('key_id', 'is required with an interval');
    const payer = intervalDays === null ? '' : keyId;
    const nextAt = rescans.paused ? null : rescans.nextAt;
    rescans = { ...rescans, intervalDays, paceDays: intervalDays ?? 0, keyId: payer, paused: null, nextAt };
  }
  if (budget) rescans = { ...rescans, budget: budget.refreshRequested ?? null };
  const isChanged = interval || budget || state !== before.state;
  return isChanged ? scheduled(before, { ...before, state, rescans }, now) : rescans;
}

function parseIntervalDays(days: number | undefined): number | null {
  if (days === undefined) return null;
  if (days >= 1 && days <= maxIntervalDays) return days;
  throw invalidField('rescan_interval_days', `must be from 1 to ${maxIntervalDays}`);
}

/**
 * Returns the rescans after a change of the interval, the budget, the state or the stores. The remaining share of the
 * time to the next turn stays the same, so that repeated changes neither hurry nor delay it. The timer looks at once,
 * because it knows the plan and the key.
 */
export function scheduled(before: Paced, watchlist: Paced, now: Date): Rescans {
  let rescans = inPeriod(watchlist.rescans, now);
  if (rescans.intervalDays === null) return { ...rescans, paused: null, nextAt: null, wakeAt: null };
  if (rescans.paused === 'budget_exhausted' && leftOf(rescans) > 0)
    rescans = { ...rescans, paused: null, nextAt: null };
  if (rescans.paused) return rescans;
  if (leftOf(rescans) === 0) return pausedUntil(rescans, 'budget_exhausted', endOfPeriod(now));
  if (watchlist.state === 'paused' || watchlist.storeCount === 0) return { ...rescans, nextAt: null, wakeAt: null };
  const { nextAt } = rescans;
  const paced = { ...watchlist, rescans };
  return { ...rescans, nextAt: nextAt ? movedTurn(nextAt, before, paced, now) : firstTurn(paced, now), wakeAt: now };
}

function movedTurn(nextAt: Date, before: Paced, watchlist: Paced, now: Date): Date {
  const waitMs = nextAt.getTime() - now.getTime();
  return waitMs <= 0 ? nextAt : after(now, (waitMs * stepMs(watchlist, now)) / stepMs(before, now));
}

/** Returns the rescans. Their budget is full again if a period has begun. */
export function inPeriod(rescans: Rescans, now: Date): Rescans {
  const periodStart = new Date(periodAt(now.getTime()).startMs);
  return periodStart > rescans.periodStart ? { ...rescans, periodStart, taken: 0 } : rescans;
}

export const pausedUntil = (rescans: Rescans, paused: RescansPaused, until: Date | null): Rescans => ({
  ...rescans,
  paused,
  nextAt: until,
  wakeAt: until,
});

export const endOfPeriod = (now: Date): Date => new Date(periodAt(now.getTime()).endMs);

/** The units of the budget that no rescan has taken. */
export const leftOf = ({ budget, taken }: Pick<Rescans, 'budget' | 'taken'>): number =>
  budget === null ? Number.POSITIVE_INFINITY : Math.max(0, budget - taken);

/**
 * The first turn is in the middle of the first part, so that watchlists with the same start have different first turns.
 */
function firstTurn(watchlist: Paced, from: Date): Date {
  const { rescans } = watchlist;
  const restMs = endOfPeriod(from).getTime() - from.getTime();
  return after(from, Math.max(partMs(watchlist), restMs / leftOf(rescans)) / 2);
}

/** The turn that follows a turn at `from`. */
const followingTurn = (watchlist: Paced, from: Date): Date => after(from, stepMs(watchlist, from));

function stepMs(watchlist: Paced, from: Date): number {
  const restMs = endOfPeriod(from).getTime() - from.getTime();
  // Half a part remains after the last turn of a budget.
  return Math.max(partMs(watchlist), restMs / (leftOf(watchlist.rescans) + 0.5));
}

const partMs = ({ rescans, storeCount }: Paced): number => (rescans.paceDays * dayMs) / storeCount;
const after = (from: Date, ms: number) => new Date(Math.ceil(from.getTime() + ms));

/** Takes the turns that are due, at most `limit`, each with a unit of the budget. */
export function takeTurns(watchlist: Paced, now: Date, limit: number): { rescans: Rescans; turns: number } {
  let rescans = inPeriod(watchlist.rescans, now);
  let turns = 0;
  const { nextAt } = rescans;
  if (!nextAt || rescans.paused) return { rescans: { ...rescans, wakeAt: nextAt }, turns };
  let at = new Date(Math.max(nextAt.getTime(), now.getTime() - maxLateMs, rescans.periodStart.getTime()));
  while (at <= now && turns < limit && leftOf(rescans) > 0) {
    turns++;
    rescans = { ...rescans, turn: rescans.turn + 1, taken: rescans.taken + 1 };
    at = followingTurn({ ...watchlist, rescans }, at);
  }
  return { rescans: { ...rescans, nextAt: at, wakeAt: at }, turns };
}

/** The time of the next rescan, or null if none comes. */
export const nextRescanAt = ({ state, rescans }: Pick<Paced, 'state' | 'rescans'>): Date | null =>
  state === 'active' && !rescans.paused ? rescans.nextAt : null;

/** The units that rescans will spend until the end of the period, if every one of them is billed. */
export function forecastOf(watchlist: Paced, now: Date): number {
  const nextAt = nextRescanAt(watchlist);
  const endMs = endOfPeriod(now).getTime();
  if (!nextAt || nextAt.getTime() >= endMs) return 0;
  const turns = 1 + Math.floor((endMs - 1 - Math.max(nextAt.getTime(), now.getTime())) / partMs(watchlist));
  return Math.min(turns, leftOf(inPeriod(watchlist.rescans, now)));
}
