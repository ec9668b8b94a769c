import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createMicroBatcher, type Waiting } from './micro-batcher.ts';

function event(over: Partial<Waiting> = {}): Waiting {
  return { topic: 'a', message: { value: null }, bytes: 1, settled: false, settle() {}, ...over };
}

/** Requests that a test ends by hand. */
function requests() {
  const sent: { batch: readonly Waiting[]; end: () => void }[] = [];
  const send = (batch: readonly Waiting[]) => new Promise<void>((end) => sent.push({ batch, end }));
  return { sent, send };
}

describe('the micro-batcher', () => {
  it('events that arrive during a request leave in the next one without linger', async () => {
    const { sent, send } = requests();
    const batcher = createMicroBatcher({ lingerMs: 60_000, maxBatchSize: 2, maxBytes: 100, send });
    batcher.add(event());
    batcher.add(event());
    batcher.add(event());
    expect(sent).toHaveLength(1);
    sent[0]?.end();
    await turn();
    expect(sent[1]?.batch).toHaveLength(1);
  });

  it('events leave without linger when no further one is expected', async () => {
    const { sent, send } = requests();
    let expected = 3;
    const isLast = (queued: number) => queued >= expected;
    const batcher = createMicroBatcher({ lingerMs: 60_000, isLast, maxBatchSize: 10, maxBytes: 100, send });
    batcher.add(event());
    await turn();
    expect(sent).toHaveLength(0);
    batcher.add(event());
    batcher.add(event());
    // The events of one turn share the request.
    expect(sent).toHaveLength(0);
    await turn();
    expect(sent.map(({ batch }) => batch.length)).toEqual([3]);
    expected = 1;
    batcher.add(event());
    await turn();
    // One request at a time, also then.
    expect(sent).toHaveLength(1);
    sent[0]?.end();
    await turn();
    expect(sent).toHaveLength(2);
  });

  it('a linger that ends without an event to send does not stop later batches', async () => {
    vi.useFakeTimers();
    try {
      const { sent, send } = requests();
      const batcher = createMicroBatcher({ lingerMs: 5, maxBatchSize: 10, maxBytes: 100, send });
      const withdrawn = event();
      batcher.add(withdrawn);
      withdrawn.settled = true;
      await vi.advanceTimersByTimeAsync(5);
      expect(sent).toHaveLength(0);
      batcher.add(event());
      await vi.advanceTimersByTimeAsync(5);
      expect(sent).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a batch is bounded in bytes, and an event above the bound is sent alone', async () => {
    const sizes: number[] = [];
    const send = async (batch: readonly Waiting[]) => void sizes.push(batch.length);
    const batcher = createMicroBatcher({ lingerMs: 60_000, maxBatchSize: 10, maxBytes: 100, send });
    for (const bytes of [60, 40, 1, 500, 60]) batcher.add(event({ bytes }));
    await batcher.flush();
    expect(sizes).toEqual([2, 1, 1, 1]);
  });

  it('a withdrawn event is never sent', async () => {
    const { sent, send } = requests();
    const batcher = createMicroBatcher({ lingerMs: 60_000, maxBatchSize: 10, maxBytes: 100, send });
    const [kept, given] = [event(), event({ settled: true })];
    batcher.add(given);
    batcher.add(kept);
    void batcher.flush();
    expect(sent[0]?.batch).toEqual([kept]);
  });

  it('a flush resolves after every queued event was sent', async () => {
    let count = 0;
    const send = async (batch: readonly Waiting[]) => {
      await turn();
      count += batch.length;
    };
    const batcher = createMicroBatcher({ lingerMs: 60_000, maxBatchSize: 3, maxBytes: 100, send });
    for (let i = 0; i < 10; i++) batcher.add(event());
    await batcher.flush();
    expect(count).toBe(10);
    expect(batcher.queued).toBe(0);
  });
});
