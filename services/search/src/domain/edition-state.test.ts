import { dayMs, minuteMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import {
  type Edition,
  endedEditions,
  isDue,
  latestOf,
  maxEditions,
  noEditions,
  withEdition,
  withoutEditions,
} from './edition-state.ts';

const edition = (n: number, over: Partial<Edition> = {}): Edition => ({
  id: `edn_${n}`,
  index: 'stores-1',
  pointInTime: `pit-${n}`,
  builtAtMs: n * 15 * minuteMs,
  stores: 100,
  ...over,
});
const stateOf = (...editions: Edition[]) => editions.reduce(withEdition, noEditions);

describe('editions', () => {
  it('an edition is due when the latest one is 15 minutes old', () => {
    const state = stateOf(edition(0));
    expect(isDue(state, 'stores-1', { stores: 100, nowMs: 15 * minuteMs - 1 })).toBe(false);
    expect(isDue(state, 'stores-1', { stores: 100, nowMs: 15 * minuteMs })).toBe(true);
  });

  it('an edition is due when the latest one holds less than 90 % of the stores of now', () => {
    const state = stateOf(edition(0));
    expect(isDue(state, 'stores-1', { stores: 111, nowMs: 0 })).toBe(false);
    expect(isDue(state, 'stores-1', { stores: 112, nowMs: 0 })).toBe(true);
    expect(isDue(stateOf(edition(0, { stores: 0 })), 'stores-1', { stores: 0, nowMs: 0 })).toBe(false);
  });

  it('an edition is due when there is none, or when the latest one is of another index', () => {
    expect(isDue(noEditions, 'stores-1', { stores: 0, nowMs: 0 })).toBe(true);
    expect(isDue(stateOf(edition(0)), 'stores-2', { stores: 100, nowMs: 0 })).toBe(true);
  });

  it('an edition ends after 24 hours, and the latest one stays', () => {
    const [first, second] = [edition(0), edition(1)];
    expect(endedEditions(stateOf(first, second), dayMs - 1)).toEqual([]);
    expect(endedEditions(stateOf(first, second), dayMs)).toEqual([first]);
    expect(endedEditions(stateOf(first, second), 9 * dayMs)).toEqual([first]);
  });

  it('the number of editions is bounded, and the oldest ones end first', () => {
    const state = stateOf(...Array.from({ length: maxEditions + 3 }, (_, n) => edition(n, { builtAtMs: 0 })));
    const ended = endedEditions(state, 0);
    expect(ended.map(({ id }) => id)).toEqual(['edn_0', 'edn_1', 'edn_2']);
    const rest = withoutEditions(state, ended);
    expect(rest.editions).toHaveLength(maxEditions);
    expect(latestOf(rest)?.id).toBe(`edn_${maxEditions + 2}`);
  });
});
