import { hourMs, ManualClock } from '@shopscope/clock';
import { describe, expect, it, vi } from 'vitest';
import { createKeyActivityCounter } from './key-activity.ts';

const one = { workspaceId: 'ws_1', keyId: 'key_1' };
const two = { workspaceId: 'ws_1', keyId: 'key_2' };

function setUp(maxCounts = 10_000) {
  const clock = new ManualClock(Date.UTC(2026, 0, 15, 12, 59));
  const onDropped = vi.fn();
  const counter = createKeyActivityCounter({ clock, onDropped, maxCounts });
  return { clock, counter, onDropped };
}

describe('the counter of key activity', () => {
  it('the counter of key activity counts the responses of each key by class, with the start of its latest request', () => {
    const { clock, counter } = setUp();
    const nowMs = clock.now();
    for (const response of ['succeeded', 'succeeded', 'client_error', 'limited', 'server_error'] as const)
      counter.count(one, response, nowMs - 10);
    // A request that ended later may have begun earlier.
    counter.count(one, 'succeeded', nowMs - 5_000);
    counter.count(two, 'limited', nowMs);
    const hour = { hourStartMs: Date.UTC(2026, 0, 15, 12), workspaceId: 'ws_1' };
    expect(counter.take(10)).toEqual([
      { ...hour, keyId: 'key_1', lastUsedAtMs: nowMs - 10, succeeded: 3, clientErrors: 2, serverErrors: 1, limited: 1 },
      { ...hour, keyId: 'key_2', lastUsedAtMs: nowMs, succeeded: 0, clientErrors: 1, serverErrors: 0, limited: 1 },
    ]);
    expect([counter.size, counter.take(10)]).toEqual([0, []]);
  });

  it('the counter of key activity keeps the hours of a key apart and gives one of them at a time, the oldest first', () => {
    const { clock, counter } = setUp();
    counter.count(one, 'succeeded', clock.now());
    clock.advance(hourMs);
    counter.count(one, 'server_error', clock.now());
    counter.count(two, 'succeeded', clock.now());
    const taken = () => counter.take(10).map(({ keyId, hourStartMs, succeeded }) => [keyId, hourStartMs, succeeded]);
    const noon = Date.UTC(2026, 0, 15, 12);
    expect(counter.size).toBe(3);
    expect(taken()).toEqual([
      ['key_1', noon, 1],
      ['key_2', noon + hourMs, 1],
    ]);
    expect(taken()).toEqual([['key_1', noon + hourMs, 0]]);
    expect(counter.size).toBe(0);
  });

  it('the counter of key activity counts under the hour of the clock also when the clock was set back', () => {
    const { clock, counter } = setUp();
    counter.count(one, 'succeeded', clock.now());
    clock.setWall(clock.now() - hourMs);
    counter.count(one, 'succeeded', clock.now());
    const hours = [...counter.take(1), ...counter.take(1)].map(({ hourStartMs }) => hourStartMs);
    expect(hours).toEqual([Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 0, 15, 11)]);
  });

  it('the counter of key activity is bounded, reports every response beyond its bound, and still counts known keys', () => {
    const { clock, counter, onDropped } = setUp(2);
    for (let i = 0; i < 5; i++) counter.count({ workspaceId: 'ws_1', keyId: `key_${i}` }, 'succeeded', clock.now());
    counter.count({ workspaceId: 'ws_1', keyId: 'key_0' }, 'succeeded', clock.now());
    expect(onDropped).toHaveBeenCalledTimes(3);
    expect(counter.size).toBe(2);
    expect(counter.take(1)).toMatchObject([{ keyId: 'key_0', succeeded: 2 }]);
    counter.count({ workspaceId: 'ws_1', keyId: 'key_9' }, 'succeeded', clock.now());
    expect(counter.take(9).map(({ keyId }) => keyId)).toEqual(['key_1', 'key_9']);
    expect(onDropped).toHaveBeenCalledTimes(3);
  });
});
