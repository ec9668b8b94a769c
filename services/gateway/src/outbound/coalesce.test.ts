import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCoalescer } from './coalesce.ts';

function withManualTurns(maxBatch = 100) {
  const batches: string[][] = [];
  const turns: (() => void)[] = [];
  let fail: Error | undefined;
  const coalescer = createCoalescer<string, string>({
    maxBatch,
    keyOf: (item) => item,
    schedule: (flush) => turns.push(flush),
    async call(items) {
      batches.push(items);
      if (fail) throw fail;
      return items.map((item) => item.toUpperCase());
    },
  });
  const endTurn = () => {
    for (const flush of turns.splice(0)) flush();
  };
  return { coalescer, batches, endTurn, failWith: (error: Error | undefined) => (fail = error) };
}

describe('coalescing', () => {
  it('makes one call of everything that one turn asks', async () => {
    const { coalescer, batches, endTurn } = withManualTurns();
    const answers = Promise.all(['a', 'b', 'c'].map((item) => coalescer.load(item)));
    endTurn();
    expect(await answers).toEqual(['A', 'B', 'C']);
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  it('asks the same key of one turn once, and again in the next: it is no cache', async () => {
    const { coalescer, batches, endTurn } = withManualTurns();
    const first = Promise.all([coalescer.load('a'), coalescer.load('a'), coalescer.load('b')]);
    endTurn();
    expect(await first).toEqual(['A', 'A', 'B']);
    const second = coalescer.load('a');
    endTurn();
    await second;
    expect(batches).toEqual([['a', 'b'], ['a']]);
  });

  it('lets a full batch leave at once and never exceeds its bound', async () => {
    const { coalescer, batches, endTurn } = withManualTurns(2);
    const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => coalescer.load(item)));
    endTurn();
    expect(await answers).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('gives a failed batch’s error to each of its callers and to nobody else', async () => {
    const { coalescer, endTurn, failWith } = withManualTurns();
    failWith(new Error('away'));
    const failed = Promise.allSettled([coalescer.load('a'), coalescer.load('b')]);
    endTurn();
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failWith(undefined);
    const next = coalescer.load('a');
    endTurn();
    expect(await next).toBe('A');
  });

  it('rejects callers that an answer forgot', async () => {
    const turns: (() => void)[] = [];
    const short = createCoalescer<string, string>({
      maxBatch: 10,
      schedule: (f) => turns.push(f),
      call: async () => ['one'],
    });
    const answers = Promise.allSettled([short.load('a'), short.load('b')]);
    for (const flush of turns) flush();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('waits for the end of the event-loop turn', async () => {
    const batches: number[] = [];
    const coalescer = createCoalescer<number, number>({
      maxBatch: 100,
      call: async (items) => {
        batches.push(items.length);
        return items;
      },
    });
    // Microtasks of one turn, however deep, share the call.
    await Promise.all([
      coalescer.load(1),
      Promise.resolve().then(() => coalescer.load(2)),
      (async () => coalescer.load(3))(),
    ]);
    expect(batches).toEqual([3]);
  });

  describe('with a bound to gather', () => {
    const gatherMs = 5;
    afterEach(() => vi.useRealTimers());

    function withHeldCalls() {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const calls: { items: string[]; answer(): void; fail(): void }[] = [];
      const turns: (() => void)[] = [];
      const coalescer = createCoalescer<string, string>({
        maxBatch: 3,
        gatherMs,
        schedule: (flush) => turns.push(flush),
        call: (items) =>
          new Promise((resolve, reject) =>
            calls.push({ items, answer: () => resolve(items), fail: () => reject(new Error('away')) }),
          ),
      });
      const endTurn = async () => {
        await new Promise((done) => setImmediate(done));
        for (const flush of turns.splice(0)) flush();
      };
      const load = (item: string) => void coalescer.load(item).catch(() => {});
      return { load, endTurn, calls, itemsOf: () => calls.map(({ items }) => items.join('')) };
    }

    it.each(['answer', 'fail'] as const)(
      'lets what comes during a call leave together at its end (%s), an idle one at once',
      async (end) => {
        const { load, endTurn, calls, itemsOf } = withHeldCalls();
        load('a');
        await endTurn();
        load('b');
        await endTurn();
        load('c');
        await endTurn();
        expect(itemsOf()).toEqual(['a']);
        calls[0]?.[end]();
        await endTurn();
        expect(itemsOf()).toEqual(['a', 'bc']);
      },
    );

    it('waits no longer than its bound for a call that does not end', async () => {
      const { load, endTurn, itemsOf } = withHeldCalls();
      load('a');
      await endTurn();
      load('b');
      await endTurn();
      vi.advanceTimersByTime(gatherMs);
      expect(itemsOf()).toEqual(['a', 'b']);
    });

    it('lets a batch that fills while it waits leave at once, and only once', async () => {
      const { load, endTurn, itemsOf } = withHeldCalls();
      load('a');
      await endTurn();
      for (const item of ['b', 'c']) load(item);
      await endTurn();
      load('d');
      expect(itemsOf()).toEqual(['a', 'bcd']);
      vi.advanceTimersByTime(gatherMs);
      await endTurn();
      expect(itemsOf()).toEqual(['a', 'bcd']);
    });
  });
});
