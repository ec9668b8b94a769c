import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapInOrder } from './map-in-order.ts';

async function* counting(count: number, taken: { count: number }) {
  for (let n = 0; n < count; n++) {
    taken.count += 1;
    yield n;
  }
}
const never = () => new AbortController().signal;

test('mapInOrder yields results in order, each once, with at most `window` items taken and not yielded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 30 }), fc.integer({ min: 1, max: 6 }), async (ticks, window) => {
      const taken = { count: 0 };
      const results: number[] = [];
      const map = async (n: number) => {
        for (let tick = 0; tick < (ticks[n] ?? 0); tick++) await Promise.resolve();
        return n;
      };
      for await (const n of mapInOrder(counting(ticks.length, taken), window, map, never())) {
        results.push(n);
        expect(taken.count - results.length).toBeLessThanOrEqual(window);
      }
      expect(results).toEqual(ticks.map((_, n) => n));
    }),
  );
});

test('mapInOrder yields a result while the source is silent', async () => {
  async function* silentAfterOne() {
    yield 1;
    await new Promise(() => undefined);
  }
  const results = mapInOrder(silentAfterOne(), 4, async (n) => n, never());
  await expect(results.next()).resolves.toEqual({ done: false, value: 1 });
});

test('an abort ends mapInOrder while the source is silent', async () => {
  const abort = new AbortController();
  async function* silent(): AsyncGenerator<number, void, undefined> {
    await new Promise(() => undefined);
  }
  const result = mapInOrder(silent(), 4, async (n) => n, abort.signal).next();
  abort.abort(new Error('enough'));
  await expect(result).rejects.toThrow('enough');
});

test.each(['a call', 'the source'])('an error of %s follows the results of mapInOrder before it', async (failing) => {
  async function* source() {
    yield 0;
    yield 1;
    if (failing === 'the source') throw new Error('broken');
    yield 2;
  }
  const map = async (n: number) => {
    if (n === 2) throw new Error('broken');
    return n;
  };
  const results: number[] = [];
  const reading = (async () => {
    for await (const n of mapInOrder(source(), 3, map, never())) results.push(n);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(results).toEqual([0, 1]);
});

test('a consumer that leaves mapInOrder ends the source', async () => {
  let isEnded = false;
  async function* source() {
    try {
      for (let n = 0; ; n++) yield n;
    } finally {
      isEnded = true;
    }
  }
  for await (const n of mapInOrder(source(), 2, async (each) => each, never())) if (n === 3) break;
  await expect.poll(() => isEnded).toBe(true);
});
