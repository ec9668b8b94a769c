import { expect, it } from 'vitest';
import { createBatchingLanes } from './batching-lanes.ts';

const item = (id: string, lane = 'ws_1') => ({ id, lane });

/** A queue whose decisions wait for `release`. */
function gated(options: { batchMax?: number; queuedMax?: number } = {}) {
  const batches: string[][] = [];
  const waiting: (() => void)[] = [];
  let nowMs = 0;
  const queue = createBatchingLanes({
    ...options,
    laneOf: ({ lane }: ReturnType<typeof item>) => lane,
    idOf: ({ id }) => id,
    monotonicMs: () => nowMs,
    async decide(items) {
      batches.push(items.map(({ id }) => id));
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (items.some(({ id }) => id === 'bad')) throw new Error('no');
      return items.map(({ id }) => id);
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    queue,
    batches,
    turn,
    advance: (ms: number) => {
      nowMs += ms;
    },
    async release() {
      await turn();
      waiting.shift()?.();
      await turn();
    },
  };
}

it('what arrives while a transaction is in flight is decided by the next one, together and in order', async () => {
  const { queue, batches, turn, release } = gated();
  const first = ['a', 'b'].map((id) => queue.submit(item(id), 1_000));
  await turn();
  const later = ['c', 'd', 'e'].map((id) => queue.submit(item(id), 1_000));
  await turn();
  expect(batches).toEqual([['a', 'b']]);
  await release();
  await release();
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
  expect(await Promise.all([...first, ...later])).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(queue.size).toBe(0);
});

it('lanes do not wait for each other', async () => {
  const { queue, batches, turn } = gated();
  void queue.submit(item('a', 'ws_1'), 1_000);
  void queue.submit(item('b', 'ws_2'), 1_000);
  await turn();
  expect(batches).toEqual([['a'], ['b']]);
});

it('an id comes once in a batch, so that the attempts of a charge follow each other', async () => {
  const { queue, batches, release } = gated();
  for (const id of ['a', 'b', 'a', 'c']) void queue.submit(item(id), 1_000);
  await release();
  expect(batches).toEqual([
    ['a', 'b'],
    ['a', 'c'],
  ]);
});

it('batches and the whole queue are bounded; what does not fit is refused at once', async () => {
  const { queue, batches, release } = gated({ batchMax: 2, queuedMax: 3 });
  for (const id of ['a', 'b', 'c']) void queue.submit(item(id), 1_000);
  await expect(queue.submit(item('d'), 1_000)).rejects.toMatchObject({ code: 'unavailable' });
  await release();
  expect(batches[0]).toEqual(['a', 'b']);
});

it('a failed batch fails its items and no later one; what nobody waits for any more is not decided', async () => {
  const { queue, batches, turn, release, advance } = gated();
  const bad = expect(queue.submit(item('bad'), 1_000)).rejects.toThrow('no');
  await turn();
  const tooLate = expect(queue.submit(item('late'), 10)).rejects.toMatchObject({ code: 'internal' });
  const good = queue.submit(item('good'), 1_000);
  advance(20);
  await release();
  await release();
  await Promise.all([bad, tooLate]);
  expect(await good).toBe('good');
  expect(batches).toEqual([['bad'], ['good']]);
});
