import { hourMs, ManualClock } from '@shopscope/clock';
import type { Tenant } from '@shopscope/environment';
import { describe, expect, it } from 'vitest';
import { createEventWaits, pollMs } from './event-waits.ts';

const tenant = (workspaceId: string): Tenant<'live'> => ({ workspaceId, environment: 'live' });
const never = new AbortController().signal;
/** Lets pending promises settle. */
const settle = () => new Promise(setImmediate);

function setUp() {
  const clock = new ManualClock();
  const lasts = new Map<string, number>();
  const queries: string[][] = [];
  const errors: unknown[] = [];
  let failure: Error | undefined;
  const waits = createEventWaits({
    environment: 'live',
    clock,
    sequences: {
      async lasts(workspaceIds) {
        queries.push([...workspaceIds]);
        if (failure) throw failure;
        return new Map(workspaceIds.flatMap((id) => (lasts.has(id) ? [[id, lasts.get(id) as number]] : [])));
      },
    },
    onError: (error) => errors.push(error),
    bounds: { waiting: 6, perWorkspace: 3 },
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  return {
    waits,
    lasts,
    queries,
    errors,
    pass,
    fail: (error?: Error) => {
      failure = error;
    },
  };
}

describe('calls that wait for events', () => {
  it('all waiting calls of an instance share one query per interval, with each workspace once', async () => {
    const { waits, queries, pass } = setUp();
    const calls = ['ws_a', 'ws_b', 'ws_a'].map((id) => waits.beyond(tenant(id), 0, 10 * pollMs, never));
    await settle();
    queries.length = 0;
    for (let n = 0; n < 5; n++) await pass(pollMs);
    expect(queries).toEqual(Array(5).fill(['ws_a', 'ws_b']));
    await waits.stop();
    expect(await Promise.all(calls)).toEqual([false, false, false]);
  });

  it('no query runs while no call waits', async () => {
    const { waits, queries, pass } = setUp();
    await pass(10 * pollMs);
    const call = waits.beyond(tenant('ws_a'), 0, pollMs, never);
    await pass(pollMs);
    expect(await call).toBe(false);
    queries.length = 0;
    for (let n = 0; n < 10; n++) await pass(hourMs);
    expect(queries).toEqual([]);
    await waits.stop();
  });

  it('a call ends when the sequence of its workspace passes its position, and the others keep waiting', async () => {
    const { waits, lasts, pass } = setUp();
    lasts.set('ws_a', 3);
    const [behind, at, other] = [
      waits.beyond(tenant('ws_a'), 2, 60_000, never),
      waits.beyond(tenant('ws_a'), 3, 60_000, never),
      waits.beyond(tenant('ws_b'), 0, 60_000, never),
    ];
    await pass(pollMs);
    expect(await behind).toBe(true);
    expect(waits.waiting).toBe(2);
    lasts.set('ws_a', 4);
    await pass(pollMs);
    expect(await at).toBe(true);
    await waits.stop();
    expect(await other).toBe(false);
  });

  it('a failed query ends no call, and the next query decides', async () => {
    const { waits, lasts, errors, pass, fail } = setUp();
    fail(new Error('no primary'));
    const call = waits.beyond(tenant('ws_a'), 0, 60_000, never);
    await pass(pollMs);
    expect([errors.length > 0, waits.waiting]).toEqual([true, 1]);
    fail();
    lasts.set('ws_a', 1);
    await pass(pollMs);
    expect(await call).toBe(true);
    await waits.stop();
  });

  it('a call beyond the bound of the instance is refused, and takes no place', async () => {
    const { waits } = setUp();
    const wait = (id: string) => waits.beyond(tenant(id), 0, 60_000, never);
    const calls = ['ws_a', 'ws_b', 'ws_c', 'ws_d', 'ws_e', 'ws_f'].map(wait);
    await expect(wait('ws_g')).rejects.toMatchObject({ code: 'concurrency_limited', fault: 'limit' });
    expect(waits.waiting).toBe(6);
    await waits.stop();
    await Promise.all(calls);
    expect(waits.waiting).toBe(0);
  });

  it('one workspace cannot take the places of the others', async () => {
    const { waits } = setUp();
    const wait = (id: string) => waits.beyond(tenant(id), 0, 60_000, never);
    const calls = [wait('ws_a'), wait('ws_a'), wait('ws_a')];
    await expect(wait('ws_a')).rejects.toMatchObject({ code: 'concurrency_limited' });
    calls.push(wait('ws_b'));
    expect(waits.waiting).toBe(4);
    await waits.stop();
    await Promise.all(calls);
  });
});
