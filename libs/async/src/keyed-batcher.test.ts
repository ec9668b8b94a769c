import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createDeadline, type Deadline } from './deadline.ts';
import { createKeyedBatcher, type KeyedBatcherOptions } from './keyed-batcher.ts';

interface Item {
  key: string;
  id: string;
}

/** A batcher whose batches the test ends; `endTurn` ends the event-loop turn. */
function setUp(options: Partial<KeyedBatcherOptions<Item, string>> = {}) {
  const clock = new ManualClock();
  const batches: { ids: string[]; deadline: Deadline; end(): void; fail(error: Error): void }[] = [];
  let turnEnds: (() => void)[] = [];
  const batcher = createKeyedBatcher<Item, string>({
    keyOf: ({ key }) => key,
    clock,
    atEndOfTurn: (callback) => turnEnds.push(callback),
    run: (items, deadline) => {
      const outcome = Promise.withResolvers<string[]>();
      const ids = items.map(({ id }) => id);
      batches.push({ ids, deadline, end: () => outcome.resolve(ids), fail: outcome.reject });
      return outcome.promise;
    },
    ...options,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const endTurn = async () => {
    const due = turnEnds;
    turnEnds = [];
    for (const callback of due) callback();
    await settle();
  };
  const submit = (key: string, id: string, deadline?: Deadline) => batcher.submit({ key, id }, deadline);
  return { batcher, batches, clock, submit, endTurn, settle, idsOf: () => batches.map(({ ids }) => ids) };
}

const serial = { waitForRunningMs: Number.POSITIVE_INFINITY };

describe('batches', () => {
  it('batches gather the items of one turn and one key, and give each caller its own result', async () => {
    const { submit, endTurn, batches, idsOf, batcher } = setUp();
    const results = Promise.all([submit('a', '1'), submit('b', '2'), submit('a', '3')]);
    expect(batches).toHaveLength(0);
    await endTurn();
    expect(idsOf()).toEqual([['1', '3'], ['2']]);
    expect(batcher.size).toBe(3);
    for (const { end } of batches) end();
    expect(await results).toEqual(['1', '2', '3']);
    expect(batcher.size).toBe(0);
  });

  it('batches gather all microtasks of a turn, however deep', async () => {
    const sizes: number[] = [];
    const batcher = createKeyedBatcher<number>({ onBatch: (size) => sizes.push(size), run: async () => undefined });
    const deep = async () => {
      for (let i = 0; i < 10; i++) await Promise.resolve();
      await batcher.submit(2);
    };
    await Promise.all([batcher.submit(1), deep(), Promise.resolve().then(() => batcher.submit(3))]);
    expect(sizes).toEqual([3]);
  });

  it('batches of one key overlap when they need not wait for each other', async () => {
    const { submit, endTurn, batches, idsOf } = setUp();
    const first = submit('a', '1');
    await endTurn();
    const second = submit('a', '2');
    await endTurn();
    expect(idsOf()).toEqual([['1'], ['2']]);
    batches[1]?.end();
    expect(await second).toBe('2');
    batches[0]?.end();
    expect(await first).toBe('1');
  });

  it('batches start at once when they are full', async () => {
    const { submit, endTurn, idsOf } = setUp({ maxBatchSize: 2 });
    for (const id of ['1', '2', '3']) void submit('a', id);
    expect(idsOf()).toEqual([['1', '2']]);
    await endTurn();
    expect(idsOf()).toEqual([['1', '2'], ['3']]);
  });

  it('batches that fail reject their own items and no others', async () => {
    const { submit, endTurn, batches } = setUp();
    const lost = [submit('a', '1'), submit('a', '2')].map((result) => expect(result).rejects.toThrow('broken'));
    const kept = submit('b', '3');
    await endTurn();
    batches[0]?.fail(new Error('broken'));
    batches[1]?.end();
    await Promise.all(lost);
    expect(await kept).toBe('3');
  });

  it('batches with fewer results than items fail', async () => {
    const { submit, endTurn } = setUp({ run: async () => ['only one'] });
    const results = [submit('a', '1'), submit('a', '2')].map((result) => expect(result).rejects.toThrow('1 results'));
    await endTurn();
    await Promise.all(results);
  });

  it('batches without results resolve every item', async () => {
    const { submit, endTurn } = setUp({ run: async () => undefined });
    const results = Promise.all([submit('a', '1'), submit('a', '2')]);
    await endTurn();
    expect(await results).toEqual([undefined, undefined]);
  });
});

describe('waiting batch', () => {
  it.each(['end', 'fail'] as const)(
    'a batch that waits starts when the running one ends (%s), with everything that gathered meanwhile',
    async (ended) => {
      const { submit, endTurn, batches, idsOf } = setUp({ waitForRunningMs: 10 });
      submit('a', '1').catch(() => {});
      await endTurn();
      void submit('a', '2');
      await endTurn();
      void submit('a', '3');
      expect(idsOf()).toEqual([['1']]);
      batches[0]?.[ended](new Error('broken'));
      await endTurn();
      await endTurn();
      expect(idsOf()).toEqual([['1'], ['2', '3']]);
    },
  );

  it('a batch that waits starts at once when it is full, and only once', async () => {
    const { submit, endTurn, clock, idsOf } = setUp({ waitForRunningMs: 10, maxBatchSize: 3 });
    void submit('a', '1');
    await endTurn();
    for (const id of ['2', '3']) void submit('a', id);
    await endTurn();
    void submit('a', '4');
    expect(idsOf()).toEqual([['1'], ['2', '3', '4']]);
    clock.advance(10);
    await endTurn();
    expect(idsOf()).toEqual([['1'], ['2', '3', '4']]);
  });

  it('a batch that waits starts beside the running one after the longest wait', async () => {
    const { submit, endTurn, clock, idsOf } = setUp({ waitForRunningMs: 10 });
    void submit('a', '1');
    await endTurn();
    void submit('a', '2');
    await endTurn();
    clock.advance(9);
    void submit('a', '3');
    expect(idsOf()).toEqual([['1']]);
    clock.advance(1);
    expect(idsOf()).toEqual([['1'], ['2', '3']]);
  });

  it('a batch does not wait for batches of another key', async () => {
    const { submit, endTurn, idsOf } = setUp(serial);
    void submit('a', '1');
    await endTurn();
    void submit('b', '2');
    await endTurn();
    expect(idsOf()).toEqual([['1'], ['2']]);
  });
});

describe('serial batches', () => {
  it('serial batches of one key run one after the other, each bounded in size', async () => {
    const { submit, endTurn, settle, batches, idsOf } = setUp({ ...serial, maxBatchSize: 2 });
    for (const id of ['1', '2', '3', '4', '5']) void submit('a', id);
    await endTurn();
    for (const n of [0, 1, 2]) {
      expect(idsOf()).toHaveLength(n + 1);
      batches[n]?.end();
      await settle();
    }
    expect(idsOf()).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  it('serial batches gather what arrives while one runs, in order, for the next one', async () => {
    const { submit, endTurn, settle, batches, idsOf, batcher } = setUp(serial);
    const first = [submit('a', '1'), submit('a', '2')];
    await endTurn();
    const later = [submit('a', '3'), submit('a', '4'), submit('a', '5')];
    await endTurn();
    expect(idsOf()).toEqual([['1', '2']]);
    batches[0]?.end();
    await settle();
    batches[1]?.end();
    expect(await Promise.all([...first, ...later])).toEqual(['1', '2', '3', '4', '5']);
    expect(idsOf()).toEqual([
      ['1', '2'],
      ['3', '4', '5'],
    ]);
    expect(batcher.size).toBe(0);
  });

  it('serial batches that fail reject their own items and no later batch of their key', async () => {
    const { submit, endTurn, settle, batches } = setUp(serial);
    const lost = expect(submit('a', '1')).rejects.toThrow('broken');
    await endTurn();
    const kept = submit('a', '2');
    await endTurn();
    batches[0]?.fail(new Error('broken'));
    await settle();
    batches[1]?.end();
    await lost;
    expect(await kept).toBe('2');
  });

  it('serial batches never hold two items of one exclusive id, and keep their order', async () => {
    const { submit, endTurn, settle, batches, idsOf } = setUp({ ...serial, exclusiveBy: ({ id }) => id });
    for (const id of ['1', '2', '1', '3']) void submit('a', id);
    await endTurn();
    batches[0]?.end();
    await settle();
    expect(idsOf()).toEqual([
      ['1', '2'],
      ['1', '3'],
    ]);
  });
});

describe('lingering batches', () => {
  const lingering = { ...serial, lingerMs: 5 };

  it('batches that linger start when the linger of their first item ends', async () => {
    const { submit, endTurn, clock, idsOf } = setUp(lingering);
    void submit('a', '1');
    await endTurn();
    clock.advance(4);
    void submit('a', '2');
    await endTurn();
    expect(idsOf()).toEqual([]);
    clock.advance(1);
    expect(idsOf()).toEqual([['1', '2']]);
  });

  it('batches that linger start at once when they are full, and items that arrive while one runs start without linger after it', async () => {
    const { submit, settle, batches, idsOf } = setUp({ ...lingering, maxBatchSize: 2 });
    for (const id of ['1', '2', '3']) void submit('a', id);
    expect(idsOf()).toEqual([['1', '2']]);
    batches[0]?.end();
    await settle();
    expect(idsOf()).toEqual([['1', '2'], ['3']]);
  });

  it('batches that linger start at the end of the turn when no further item is expected, one at a time', async () => {
    let expected = 3;
    const { submit, endTurn, settle, batches, idsOf } = setUp({
      ...lingering,
      isLast: (waiting) => waiting >= expected,
    });
    void submit('a', '1');
    await endTurn();
    expect(idsOf()).toEqual([]);
    for (const id of ['2', '3']) void submit('a', id);
    expect(idsOf()).toEqual([]);
    await endTurn();
    expect(idsOf()).toEqual([['1', '2', '3']]);
    expected = 1;
    void submit('a', '4');
    await endTurn();
    expect(idsOf()).toHaveLength(1);
    batches[0]?.end();
    await settle();
    expect(idsOf()).toEqual([['1', '2', '3'], ['4']]);
  });

  it('batches that linger continue after a linger that ended without an item to run', async () => {
    const { submit, endTurn, settle, clock, idsOf } = setUp(lingering);
    const withdrawn = expect(submit('a', '1', createDeadline(3, { clock }))).rejects.toMatchObject({
      code: 'internal',
    });
    await endTurn();
    clock.advance(5);
    await withdrawn;
    await settle();
    void submit('a', '2');
    await endTurn();
    clock.advance(5);
    expect(idsOf()).toEqual([['2']]);
  });

  it('batches that linger are bounded in weight, and an item above the bound runs alone', async () => {
    const sizes: number[] = [];
    const batcher = createKeyedBatcher<number>({
      ...lingering,
      weightOf: (weight) => weight,
      maxWeight: 100,
      run: async (items) => void sizes.push(items.length),
    });
    for (const weight of [60, 40, 1, 500, 60]) void batcher.submit(weight);
    await batcher.flush();
    expect(sizes).toEqual([2, 1, 1, 1]);
  });

  it('batches that linger start at a flush, which resolves after the last item', async () => {
    const { submit, endTurn, settle, batches, batcher, idsOf } = setUp({ ...lingering, maxBatchSize: 3 });
    for (let n = 0; n < 4; n++) void submit('a', String(n));
    let isFlushed = false;
    const flushing = batcher.flush().then(() => {
      isFlushed = true;
    });
    batches[0]?.end();
    await settle();
    expect([idsOf().length, isFlushed]).toEqual([2, false]);
    batches[1]?.end();
    await flushing;
    expect(batcher.size).toBe(0);
    void submit('a', 'later');
    await endTurn();
    let isFlushedAgain = false;
    void batcher.flush().then(() => {
      isFlushedAgain = true;
    });
    await settle();
    expect([idsOf()[2], isFlushedAgain]).toEqual([['later'], false]);
  });
});

describe('items of one id', () => {
  it('items of one id share a place in the waiting batch and have one result', async () => {
    const { submit, endTurn, batches, idsOf } = setUp({ dedupeBy: ({ id }) => id });
    const results = Promise.all([submit('a', '1'), submit('a', '1'), submit('a', '2')]);
    await endTurn();
    batches[0]?.end();
    expect(idsOf()).toEqual([['1', '2']]);
    expect(await results).toEqual(['1', '1', '2']);
  });

  it('items of one id do not join a batch that is already running', async () => {
    const { submit, endTurn, idsOf } = setUp({ dedupeBy: ({ id }) => id });
    void submit('a', '1');
    await endTurn();
    void submit('a', '1');
    await endTurn();
    expect(idsOf()).toEqual([['1'], ['1']]);
  });

  it('items of one id run with the latest deadline of their callers, and each caller waits no longer than its own', async () => {
    const { submit, endTurn, batches, clock } = setUp({ dedupeBy: ({ id }) => id });
    const short = submit('a', '1', createDeadline(100, { clock }));
    const refused = expect(short).rejects.toMatchObject({ code: 'internal' });
    const patient = submit('a', '1', createDeadline(1_000, { clock }));
    await endTurn();
    expect(batches[0]?.deadline.timeoutMs()).toBe(1_000);
    clock.advance(100);
    await refused;
    batches[0]?.end();
    expect(await patient).toBe('1');
  });
});

describe('deadlines', () => {
  it('an item is not run if its caller has disconnected before its batch starts', async () => {
    const { submit, endTurn, settle, batches, idsOf, clock, batcher } = setUp(serial);
    void submit('a', '1');
    await endTurn();
    const late = expect(submit('a', '2', createDeadline(100, { clock }))).rejects.toMatchObject({ code: 'internal' });
    const kept = submit('a', '3', createDeadline(1_000, { clock }));
    await endTurn();
    clock.advance(100);
    await late;
    batches[0]?.end();
    await settle();
    expect(idsOf()).toEqual([['1'], ['3']]);
    batches[1]?.end();
    expect(await kept).toBe('3');
    expect(batcher.size).toBe(0);
  });

  it('a caller that gives up does not stop a batch for the others; when all have given up, no further step starts', async () => {
    const { submit, endTurn, batches, clock } = setUp();
    const callers = [createDeadline(100, { clock }), createDeadline(1_000, { clock })] as const;
    const results = Promise.all([submit('a', '1', callers[0]), submit('a', '2', callers[1])]);
    await endTurn();
    callers[1].cancel('the caller left');
    expect(batches[0]?.deadline.timeoutMs()).toBe(1_000);
    callers[0].cancel('this one left too');
    expect(() => batches[0]?.deadline.timeoutMs()).toThrow(expect.objectContaining({ code: 'internal' }));
    batches[0]?.end();
    expect(await results).toEqual(['1', '2']);
  });

  it('an item that was cancelled before its batch starts rejects with the deadline’s error', async () => {
    const { submit, endTurn, idsOf, clock } = setUp();
    const deadline = createDeadline(100, { clock, error: (cause) => new Error('cancelled', { cause }) });
    const result = expect(submit('a', '1', deadline)).rejects.toThrow('cancelled');
    deadline.cancel();
    await endTurn();
    await result;
    expect(idsOf()).toEqual([]);
  });
});

it('a caller who cancels does not end the batch that others wait for', async () => {
  const { submit, endTurn, batches, clock } = setUp();
  const [leaving, staying] = [createDeadline(1_000, { clock }), createDeadline(100, { clock })];
  void submit('a', '1', leaving);
  const kept = submit('a', '2', staying);
  await endTurn();
  expect(batches[0]?.deadline.timeoutMs()).toBe(1_000);
  leaving.cancel();
  expect(batches[0]?.deadline.expired).toBe(false);
  batches[0]?.end();
  expect(await kept).toBe('2');
});

describe('bounds', () => {
  it('an item beyond the limit of a batch queue is refused at once, until others have ended', async () => {
    const { submit, endTurn, settle, batches, batcher } = setUp({ ...serial, maxQueued: 2 });
    void submit('a', '1');
    void submit('b', '2');
    await expect(submit('c', '3')).rejects.toMatchObject({ code: 'unavailable' });
    await endTurn();
    batches[0]?.end();
    await settle();
    expect(batcher.size).toBe(1);
    void submit('c', '3');
    expect(batcher.size).toBe(2);
  });

  it('a batcher reports the size of each batch', async () => {
    const sizes: number[] = [];
    const { submit, endTurn } = setUp({ onBatch: (size) => sizes.push(size) });
    for (const id of ['1', '2', '3']) void submit('a', id);
    await endTurn();
    expect(sizes).toEqual([3]);
  });
});
