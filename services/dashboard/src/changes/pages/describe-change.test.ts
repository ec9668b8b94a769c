import { expect, it } from 'vitest';
import { changeOf } from '../domain/change.ts';
import { describeChange } from './describe-change.tsx';

const watchlists = { wl_1: 'Rivals' };
const described = (type: string, data: object) => {
  const event = { id: 'evt_1', sequence: 1, type, created_at: '2026-01-01T00:00:00Z', data };
  return describeChange(changeOf(event as never), '/workspaces/ws_1', watchlists);
};

it.each([
  ['succeeded', 'Succeeded: 4 of 5 done, 1 failed'],
  ['failed', 'Failed: 4 of 5 done, 1 failed'],
  ['canceled', 'Canceled: 4 of 5 done, 1 failed'],
  [undefined, 'Ended: 4 of 5 done, 1 failed'],
])('the end of a job says its state %s before its counts', (state, text) => {
  const progress = { total: 5, done: 4, failed: 1 };
  expect(described('job.finished', { type: 'enrich', job_id: 'job_1', state, progress }).text).toBe(text);
});

it.each(['watchlist.paused', 'watchlist.resumed', 'watchlist.rescans_paused', 'watchlist.rescans_resumed'])(
  'the event %s links its watchlist, unless it was deleted',
  (type) => {
    const { subject, to } = described(type, { watchlist_id: 'wl_1', name: 'Rivals' });
    expect([subject, to]).toEqual(['Rivals', '/workspaces/ws_1/watchlists/wl_1']);
    const deleted = described(type, { watchlist_id: 'wl_2', name: 'Former' });
    expect([deleted.subject, deleted.to]).toEqual(['Former', undefined]);
  },
);
