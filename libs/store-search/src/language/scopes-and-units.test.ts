import { unitsOf } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { parsedQuery } from '../../test/requests.ts';
import { historyWindowOf } from './history-window.ts';
import { scopesOf, scopesOfFlat, unitsOfCount, unitsOfPage, unitsOfWalk } from './scopes-and-units.ts';

const plain = parsedQuery({});
const withChanges = parsedQuery({ where: { dropped: [{ any: ['yotpo'] }] } });

it('a query needs read:signals for changes and read:watchlists for lists, in both forms', () => {
  expect(scopesOf({ platform: {} })).toEqual(['read:stores']);
  expect(scopesOf({ moved: {}, list: {} })).toEqual(['read:stores', 'read:signals', 'read:watchlists']);
  expect(scopesOfFlat(['platform', 'limit'])).toEqual(['read:stores']);
  expect(scopesOfFlat(['dropped_from'])).toEqual(['read:stores', 'read:signals']);
  expect(scopesOfFlat(['moved_to_platform', 'list_none'])).toEqual(['read:stores', 'read:signals', 'read:watchlists']);
});

it('a page bills its rows, and one history_query if it shows changes and has a row', () => {
  expect(unitsOfPage(plain, 50)).toEqual(unitsOf({ lookupCached: 50 }));
  expect(unitsOfPage(withChanges, 50)).toEqual(unitsOf({ lookupCached: 50, historyQuery: 1 }));
  expect(unitsOfPage(withChanges, 0)).toEqual(unitsOf({}));
});

it('a count bills one history_query if it counts changes, and nothing else', () => {
  expect(unitsOfCount(plain)).toEqual(unitsOf({}));
  expect(unitsOfCount(withChanges)).toEqual(unitsOf({ historyQuery: 1 }));
});

it('a walk bills its rows, and a history_query for each page with changes', () => {
  expect(unitsOfWalk(plain, 101, 50)).toEqual(unitsOf({ lookupCached: 101 }));
  expect(unitsOfWalk(withChanges, 101, 50)).toEqual(unitsOf({ lookupCached: 101, historyQuery: 3 }));
  expect(unitsOfWalk(withChanges, 0, 50)).toEqual(unitsOf({}));
});

it('changes are shown from the first day of the plan, which truncates a request that asks for more', () => {
  const nowMs = Date.parse('2026-11-30T12:00:00Z');
  const windowOf = (from?: string) => {
    const moved = { to_platform: ['shopify'], ...(from && { effective: { from } }) };
    return historyWindowOf(parsedQuery({ where: { moved } }), { nowMs, historyDays: 30 });
  };
  expect(historyWindowOf(plain, { nowMs, historyDays: 30 })).toBeUndefined();
  expect(windowOf('2026-10-31T00:00:00Z')).toEqual({ from: 20_261_031, isTruncatedByPlan: false });
  expect(windowOf('2026-10-30T00:00:00Z')).toEqual({ from: 20_261_031, isTruncatedByPlan: true });
  expect(windowOf()).toEqual({ from: 20_261_031, isTruncatedByPlan: true });
});
