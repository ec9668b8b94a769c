import { dayMs, hourMs, minuteMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import {
  changedRescans,
  forecastOf,
  maxLateMs,
  newRescans,
  nextRescanAt,
  type Rescans,
  scheduled,
  takeTurns,
} from './rescans.ts';

const start = new Date('2026-03-01T00:00:00Z');
const periodEnd = new Date('2026-04-01T00:00:00Z');
const later = (from: Date, ms: number) => new Date(from.getTime() + ms);

interface Watched {
  state: 'active' | 'paused';
  storeCount: number;
  rescans: Rescans;
}

function watched(storeCount: number, days: number, budget?: number, now = start): Watched {
  const none: Watched = { state: 'active', storeCount, rescans: newRescans(now) };
  const set = { interval: { days }, budget: { refreshRequested: budget }, keyId: 'key_1' };
  return { ...none, rescans: changedRescans(none, 'active', set, now) };
}

const resized = (watchlist: Watched, storeCount: number, now: Date): Watched => {
  const after = { ...watchlist, storeCount };
  return { ...after, rescans: scheduled(watchlist, after, now) };
};

/** Visits the watchlist every minute until `end`, and returns the number of turns of each hour. */
function hoursOf(
  watchlist: Watched,
  from: Date,
  end: Date,
  { onMinute = (now: Watched, _at: Date) => now, onTurns = (_turns: number, _at: Date) => {} } = {},
): { hours: number[]; watchlist: Watched } {
  const hours: number[] = [];
  let current = watchlist;
  for (let at = from; at < end; at = later(at, minuteMs)) {
    current = onMinute(current, at);
    const { rescans, turns } = takeTurns(current, at, 20);
    current = { ...current, rescans };
    const hour = Math.floor((at.getTime() - from.getTime()) / hourMs);
    hours[hour] = (hours[hour] ?? 0) + turns;
    onTurns(turns, at);
  }
  return { hours, watchlist: current };
}

/** Numbers from 0 to 1, the same in each run. */
function randomsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('the pace of rescans', () => {
  it('25,000 stores at 7 days have 149 turns in each hour, within 10 %', () => {
    const { hours } = hoursOf(watched(25_000, 7), start, later(start, 7 * dayMs));
    expect(hours).toHaveLength(168);
    expect(Math.min(...hours)).toBeGreaterThanOrEqual(134);
    expect(Math.max(...hours)).toBeLessThanOrEqual(163);
    // The turns of the last minute come after the last visit.
    expect(hours.reduce((sum, turns) => sum + turns, 0)).toBeGreaterThanOrEqual(24_997);
  });

  it.each([1, 2, 3])('turns stay even while stores are added and removed at random (%i)', (seed) => {
    const random = randomsOf(seed);
    let watchlist = watched(20_000, 7);
    // Adds and removes up to 2,000 stores in each of 500 calls, at any times of two days.
    const changes = new Map(
      Array.from({ length: 500 }, () => [Math.floor(random() * 2 * 1440), Math.floor((random() - 0.5) * 4_000)]),
    );
    const changing = hoursOf(watchlist, start, later(start, 2 * dayMs), {
      onMinute(current, at) {
        const minute = (at.getTime() - start.getTime()) / minuteMs;
        const count = Math.max(10_000, Math.min(40_000, current.storeCount + (changes.get(minute) ?? 0)));
        return count === current.storeCount ? current : resized(current, count, at);
      },
    });
    const from = later(start, 2 * dayMs);
    watchlist = resized(changing.watchlist, 25_000, from);
    const { hours } = hoursOf(watchlist, from, later(from, 7 * dayMs));
    expect(Math.min(...hours)).toBeGreaterThanOrEqual(134);
    expect(Math.max(...hours)).toBeLessThanOrEqual(163);
  });

  it('each store has a turn within the interval of its latest turn or addition, whatever is added and removed', () => {
    const random = randomsOf(7);
    let queue = Array.from({ length: 700 }, () => start);
    let longestMs = 0;
    const gaps: number[] = [];
    hoursOf(watched(700, 7), start, later(start, 29 * dayMs), {
      onMinute(current, at) {
        if (random() > 0.01) return current;
        if (random() < 0.5) queue = [...queue, ...Array.from({ length: 20 }, () => at)];
        else queue = queue.filter(() => random() > 0.03);
        return resized(current, queue.length, at);
      },
      onTurns(turns, at) {
        for (const before of queue.splice(0, turns)) {
          gaps.push(at.getTime() - before.getTime());
          longestMs = Math.max(longestMs, at.getTime() - before.getTime());
          queue.push(at);
        }
      },
    });
    expect(gaps.length).toBeGreaterThan(2_000);
    expect(longestMs).toBeLessThanOrEqual(7 * dayMs * 1.02);
  });

  it('a watchlist with one store has one turn in each interval', () => {
    const times: Date[] = [];
    hoursOf(watched(1, 3), start, later(start, 10 * dayMs), {
      onTurns: (turns, at) => void (turns > 0 && times.push(at)),
    });
    expect(times).toEqual([1.5, 4.5, 7.5].map((days) => later(start, days * dayMs)));
  });

  it('a change of stores or of the budget in every minute neither hurries nor delays the turns', () => {
    let toggle = 0;
    const { hours } = hoursOf(watched(2_500, 7), start, later(start, 7 * dayMs), {
      onMinute: (current, at) => resized(current, 2_500 + (toggle++ % 2), at),
    });
    const turns = hours.reduce((sum, each) => sum + each, 0);
    expect(turns).toBeGreaterThanOrEqual(2_495);
    expect(turns).toBeLessThanOrEqual(2_506);
  });

  it('an interval that is set again in every minute neither hurries nor delays the turns', () => {
    const set = { interval: { days: 7 }, budget: { refreshRequested: undefined }, keyId: 'key_1' };
    const { hours } = hoursOf(watched(700, 7), start, later(start, 7 * dayMs), {
      onMinute: (current, at) => ({ ...current, rescans: changedRescans(current, 'active', set, at) }),
    });
    const turns = hours.reduce((sum, each) => sum + each, 0);
    expect(turns).toBeGreaterThanOrEqual(698);
    expect(turns).toBeLessThanOrEqual(701);
  });

  it('no burst follows an outage: at most the turns of one hour are made up', () => {
    const { watchlist } = hoursOf(watched(25_000, 7), start, later(start, dayMs));
    const up = later(start, 3 * dayMs);
    const { hours } = hoursOf(watchlist, up, later(up, 2 * hourMs));
    expect(hours[0]).toBeLessThanOrEqual(Math.ceil((149 * (hourMs + maxLateMs)) / hourMs));
    expect(hours[1]).toBeLessThanOrEqual(150);
  });
});

describe('a budget', () => {
  it('a budget that is too small for the interval is used evenly and to the last unit until the end of the period', () => {
    const days: number[] = [];
    const { hours, watchlist } = hoursOf(watched(2_500, 7, 500), start, periodEnd);
    for (const [hour, turns] of hours.entries())
      days[Math.floor(hour / 24)] = (days[Math.floor(hour / 24)] ?? 0) + turns;
    expect(hours.reduce((sum, turns) => sum + turns, 0)).toBe(500);
    expect(watchlist.rescans).toMatchObject({ taken: 500, turn: 500 });
    expect(Math.min(...days)).toBeGreaterThanOrEqual(16);
    expect(Math.max(...days)).toBeLessThanOrEqual(17);
  });

  it('a budget that is set in the middle of a period is spread over the rest of the period', () => {
    const from = new Date('2026-03-25T00:00:00Z');
    const { hours } = hoursOf(watched(2_500, 7, 70, from), from, periodEnd);
    expect(hours.reduce((sum, turns) => sum + turns, 0)).toBe(70);
    const days = Array.from({ length: 7 }, (_, day) => hours.slice(day * 24, day * 24 + 24).reduce((a, b) => a + b, 0));
    expect(days).toEqual([10, 10, 10, 10, 10, 10, 10]);
  });

  it('a budget that is large enough changes nothing: the interval decides', () => {
    const { hours } = hoursOf(watched(700, 7, 100_000), start, later(start, 7 * dayMs));
    expect(hours.reduce((sum, turns) => sum + turns, 0)).toBe(700);
  });

  it('a budget is full again when a period begins', () => {
    const { watchlist } = hoursOf(watched(2_500, 7, 500), start, periodEnd);
    const { hours } = hoursOf(watchlist, periodEnd, later(periodEnd, 30 * dayMs));
    expect(hours.reduce((sum, turns) => sum + turns, 0)).toBe(500);
  });

  it('a budget of zero pauses rescans at once, and a larger budget ends the pause', () => {
    const none = watched(10, 7, 0);
    expect(none.rescans).toMatchObject({ paused: 'budget_exhausted', nextAt: periodEnd });
    expect([nextRescanAt(none), forecastOf(none, start)]).toEqual([null, 0]);
    const more = { interval: undefined, budget: { refreshRequested: 5 }, keyId: '' };
    const rescans = changedRescans(none, 'active', more, start);
    expect(rescans).toMatchObject({ paused: null, budget: 5 });
    expect(forecastOf({ ...none, rescans }, start)).toBe(5);
  });
});

describe('the forecast', () => {
  it.each([
    { stores: 700, days: 7, budget: undefined },
    { stores: 40, days: 30, budget: undefined },
    { stores: 2_500, days: 7, budget: 500 },
    { stores: 700, days: 7, budget: 5_000 },
  ])(
    'the forecast is the number of turns until the end of the period ($stores stores, $days days, budget $budget)',
    (given) => {
      const from = new Date('2026-03-11T07:00:00Z');
      const watchlist = watched(given.stores, given.days, given.budget, from);
      const { hours } = hoursOf(watchlist, from, periodEnd);
      expect(forecastOf(watchlist, from)).toBe(hours.reduce((sum, turns) => sum + turns, 0));
    },
  );

  it('the forecast is zero without an interval, while people pause the watchlist, and without stores', () => {
    const paused = { ...watched(5, 7), state: 'paused' as const };
    const none = { ...watched(5, 7), rescans: newRescans(start) };
    const set = [none, { ...paused, rescans: scheduled(paused, paused, start) }, watched(0, 7)];
    expect(set.map((each) => forecastOf(each, start))).toEqual([0, 0, 0]);
    expect(set.map(nextRescanAt)).toEqual([null, null, null]);
  });
});

it.each([0, 3_651, 4_000_000_000])('an interval of %i days is refused', (days) => {
  expect(() => watched(1, days)).toThrow('rescan_interval_days');
});

it('an interval needs the key that pays, and a change of the interval ends every pause', () => {
  const none: Watched = { state: 'active', storeCount: 3, rescans: newRescans(start) };
  const set = { interval: { days: 7 }, budget: undefined };
  expect(() => changedRescans(none, 'active', { ...set, keyId: '' }, start)).toThrow('key_id');
  const revoked = { ...none, rescans: { ...watched(3, 7).rescans, paused: 'key_revoked' as const, nextAt: null } };
  expect(changedRescans(revoked, 'active', { ...set, keyId: 'key_2' }, start)).toMatchObject({
    paused: null,
    keyId: 'key_2',
    nextAt: expect.any(Date),
  });
});

it.each(['budget_exhausted', 'allowance_exhausted', 'key_revoked', null] as const)(
  'a visit without turns leaves no time that has passed, so that no visit follows at once (%s)',
  (paused) => {
    for (const nextAt of [null, periodEnd]) {
      const due = { ...watched(3, 7).rescans, paused, nextAt, wakeAt: start };
      expect(takeTurns({ state: 'active', storeCount: 3, rescans: due }, start, 20)).toMatchObject({
        turns: 0,
        rescans: { nextAt, wakeAt: nextAt },
      });
    }
  },
);
