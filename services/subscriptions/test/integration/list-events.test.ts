import { dayMs, hourMs } from '@shopscope/clock';
import { testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maxExamined } from '../../src/operations/list-events.ts';
import { type EventHarness, eventOf, factsOf, live, sequencesOf, startEventHarness, upTo } from './event-harness.ts';

describe('listEvents', () => {
  const namespace = testNamespace('list-events');
  const startMs = Date.now();
  let harness: EventHarness;
  beforeAll(async () => {
    harness = await startEventHarness(namespace);
  });
  beforeEach(() => harness.reset());
  afterAll(async () => {
    await harness?.stop();
    await namespace.cleanup();
  });

  const append = (...facts: string[]) =>
    harness.append(harness.deps, ...facts.map((fact) => eventOf(live('ws_a'), fact)));

  it('pages continue after the position of the page before, until nothing is left', async () => {
    await append('1', '2', '3', '4', '5');
    const first = await harness.list('ws_a', { limit: 2 });
    expect([factsOf(first.events), first.position, first.hasMore]).toEqual([['1', '2'], 2, true]);
    const second = await harness.list('ws_a', { limit: 2, after: 2 });
    expect([factsOf(second.events), second.position, second.hasMore]).toEqual([['3', '4'], 4, true]);
    const last = await harness.list('ws_a', { limit: 2, after: 4 });
    expect([factsOf(last.events), last.position, last.hasMore]).toEqual([['5'], 5, false]);
    expect(await harness.list('ws_a', { after: 5 })).toEqual({ events: [], position: 5, hasMore: false });
  });

  it('a workspace without events has a position from which its first event is found', async () => {
    const { position } = await harness.list('ws_a');
    await append('1');
    expect(factsOf((await harness.list('ws_a', { after: position })).events)).toEqual(['1']);
  });

  it('a page has events of its workspace only', async () => {
    await harness.append(harness.deps, eventOf(live('ws_b'), 'foreign'));
    await append('own');
    expect(factsOf((await harness.list('ws_a')).events)).toEqual(['own']);
    expect(factsOf((await harness.list('ws_a', { order: 'desc' })).events)).toEqual(['own']);
  });

  it('a filter leaves events out, and the position of the page is after these events', async () => {
    await harness.append(
      harness.deps,
      eventOf(live('ws_a'), 'signal', { type: 'signal.confirmed', watchlistIds: ['wl_1', 'wl_2'] }),
      eventOf(live('ws_a'), 'scan'),
      eventOf(live('ws_a'), 'other', { type: 'signal.confirmed', watchlistIds: ['wl_2'] }),
      eventOf(live('ws_a'), 'key', { type: 'key.expiring' }),
    );
    for (const id of ['wl_1', 'wl_2']) await harness.addWatchlist('ws_a', id);
    const pageOf = async (...query: Parameters<EventHarness['list']>) => {
      const { events, position, hasMore } = await harness.list(...query);
      return [factsOf(events), position, hasMore];
    };
    expect(await pageOf('ws_a', { types: ['scan.completed', 'signal.confirmed'] })).toEqual([
      ['signal', 'scan', 'other'],
      4,
      false,
    ]);
    expect(await pageOf('ws_a', { watchlistId: 'wl_1' })).toEqual([['signal'], 4, false]);
    expect(await pageOf('ws_a', { watchlistId: 'wl_2', types: ['scan.completed'] })).toEqual([[], 4, false]);
    expect(await pageOf('ws_a', { watchlistId: 'wl_2', limit: 1 })).toEqual([['signal'], 1, true]);
  });

  it('a watchlist that the workspace does not have is not found', async () => {
    await harness.addWatchlist('ws_b', 'wl_foreign');
    for (const watchlistId of ['wl_foreign', 'wl_unknown', 'lst_1']) {
      await expect(harness.list('ws_a', { watchlistId })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('the order desc has the latest events first, and says whether there are earlier ones', async () => {
    await append('1', '2', '3');
    const page = await harness.list('ws_a', { order: 'desc', limit: 2 });
    expect([factsOf(page.events), page.hasMore]).toEqual([['3', '2'], true]);
    expect((await harness.list('ws_a', { order: 'desc', limit: 3 })).hasMore).toBe(false);
  });

  it('a page examines a bounded number of events for its filter, and the next page continues after these events', async () => {
    const template = { workspaceId: 'ws_a', createdAt: new Date(), watchlistIds: [], related: null, data: '{}' };
    const documents = upTo(maxExamined + 1).map((sequence) => ({
      ...template,
      _id: `ws_a/evt_${sequence}`,
      sequence,
      type: sequence > maxExamined ? 'key.expiring' : sequence === 1 ? 'job.finished' : 'scan.completed',
    }));
    await harness.db.collection<{ _id: string }>('events').insertMany(documents);
    await harness.db
      .collection<{ _id: string }>('sequences')
      .insertOne({ _id: 'ws_a', last: maxExamined + 1, lastCreatedAt: new Date() } as never);
    const first = await harness.list('ws_a', { types: ['key.expiring'] });
    expect(first).toEqual({ events: [], position: maxExamined, hasMore: true });
    const next = await harness.list('ws_a', { types: ['key.expiring'], after: first.position });
    expect([sequencesOf(next.events), next.hasMore]).toEqual([[maxExamined + 1], false]);
    // Newest first there is no next page, so the page says that it has not examined every event.
    const latest = await harness.list('ws_a', { types: ['job.finished'], order: 'desc' });
    expect([latest.events, latest.hasMore]).toEqual([[], true]);
  });

  it('a page ends before its data exceeds 4 MiB, and the next page continues there', async () => {
    const data = JSON.stringify({ fact: 'x'.repeat(200 * 1024) });
    await harness.append(harness.deps, ...upTo(25).map((n) => eventOf(live('ws_a'), String(n), { data })));
    const first = await harness.list('ws_a', { limit: 200 });
    expect([sequencesOf(first.events), first.position, first.hasMore]).toEqual([upTo(20), 20, true]);
    const next = await harness.list('ws_a', { limit: 200, after: first.position });
    expect([sequencesOf(next.events), next.hasMore]).toEqual([upTo(25, 21), false]);
    expect(await harness.list('ws_a', { limit: 200, order: 'desc' })).toMatchObject({ hasMore: true });
  });

  it('events older than 30 days are left out, and a position before them is refused with the name of its field', async () => {
    await append('old', 'older than the next');
    harness.clock.setWall(startMs + dayMs);
    await append('kept');
    harness.clock.setWall(startMs + 30 * dayMs + hourMs);
    for (const query of [{}, { after: 2 }, { order: 'desc' } as const]) {
      expect(factsOf((await harness.list('ws_a', query)).events)).toEqual(['kept']);
    }
    for (const after of [0, 1]) {
      await expect(harness.list('ws_a', { after })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { field: 'after' },
      });
    }
    harness.clock.setWall(startMs + 32 * dayMs);
    await expect(harness.list('ws_a', { after: 2 })).rejects.toMatchObject({ details: { field: 'after' } });
    expect(await harness.list('ws_a')).toEqual({ events: [], position: 3, hasMore: false });
    expect(await harness.list('ws_a', { after: 3 })).toEqual({ events: [], position: 3, hasMore: false });
    harness.clock.setWall(startMs);
  });

  /** A call that waits for an hour for events of keys. It has left out the event `no match`, and keeps waiting. */
  async function startWaiting() {
    let reads = 0;
    const of = harness.instanceIn('live', {
      stores: ({ sequences, ...stores }) => {
        const last: typeof sequences.last = (...query) => {
          reads += 1;
          return sequences.last(...query);
        };
        return { ...stores, sequences: { ...sequences, last } };
      },
    });
    const call = harness.list('ws_a', { waitMs: hourMs, types: ['key.expiring'] }, { of });
    await waitUntil('the call waits', () => of.waits.waiting === 1);
    await append('no match');
    await waitUntil('the call waits on', () => {
      if (reads === 1) harness.clock.advance(200);
      return reads === 2 && of.waits.waiting === 1;
    });
    return { call };
  }

  it('a call that waits leaves other events out, and ends with the first matching one', async () => {
    const { call } = await startWaiting();
    await harness.append(harness.deps, eventOf(live('ws_a'), 'match', { type: 'key.expiring' }));
    await untilSettled(harness, call);
    const page = await call;
    expect([factsOf(page.events), page.position]).toEqual([['match'], 2]);
  });

  it('a call without a matching event ends after its time, with a position after the events that it left out', async () => {
    const { call } = await startWaiting();
    harness.clock.advance(hourMs);
    expect(await call).toEqual({ events: [], position: 1, hasMore: false });
  });

  it('a call that waits ends when its caller cancels or its instance stops', async () => {
    const instance = harness.instanceIn('live');
    const caller = new AbortController();
    const calls = [
      harness.list('ws_a', { waitMs: 8_000 }, { of: instance, abort: caller.signal }),
      harness.list('ws_a', { waitMs: 8_000 }, { of: instance }),
    ];
    await waitUntil('both calls wait', () => instance.waits.waiting === 2);
    caller.abort();
    await calls[0];
    expect(instance.waits.waiting).toBe(1);
    await instance.waits.stop();
    expect(await calls[1]).toEqual({ events: [], position: 0, hasMore: false });
    // A call that comes while the instance stops does not wait.
    await harness.list('ws_a', { waitMs: 8_000 }, { of: instance });
  });
});

/** Lets the time of the polls pass until the call ends. */
async function untilSettled({ clock }: EventHarness, call: Promise<unknown>): Promise<void> {
  let isSettled = false;
  void call.finally(() => {
    isSettled = true;
  });
  await waitUntil('the end of the call', () => {
    if (!isSettled) clock.advance(200);
    return isSettled;
  });
}
