import { describe, expect, it } from 'vitest';
import { createKeyedSlots, type TakeOptions } from './keyed-slots.ts';
import { untilAborted } from './until-aborted.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('slots of a key', () => {
  const setUp = (maxPerKey: number) => {
    const slots = createKeyedSlots({ maxPerKey });
    const begun: string[] = [];
    const take = async (key: string, name: string, abort = new AbortController().signal, options?: TakeOptions) => {
      const release = await slots.take(key, (promise) => untilAborted(abort, promise), options);
      begun.push(name);
      return release;
    };
    return { slots, begun, take };
  };

  it('the slots of a key are given in the order of the calls, at most so many at the same time', async () => {
    const { slots, begun, take } = setUp(2);
    const releases = [await take('a', '1'), await take('a', '2')];
    const waiting = ['3', '4'].map((name) => take('a', name));
    await turn();
    expect(begun).toEqual(['1', '2']);
    releases[1]?.();
    (await waiting[0])?.();
    await waiting[1];
    expect(begun).toEqual(['1', '2', '3', '4']);
    releases[0]?.();
    (await waiting[1])?.();
    expect(slots.size).toBe(0);
  });

  it('the slots of a key do not hold up other keys', async () => {
    const { begun, take } = setUp(1);
    await take('a', 'a1');
    void take('a', 'a2');
    await take('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('the slots of a key pass by a caller that has stopped waiting', async () => {
    const { slots, begun, take } = setUp(1);
    const release = await take('a', '1');
    const leaving = new AbortController();
    const next = take('a', '2');
    const left = take('a', '3', leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(begun).toEqual(['1']);
    release();
    (await next)();
    expect(begun).toEqual(['1', '2']);
    expect(slots.size).toBe(0);
  });

  it('the slots of a key go on to the next caller when a caller stops waiting in the instant of its turn', async () => {
    const { slots, begun, take } = setUp(1);
    const release = await take('a', '1');
    const left = slots.take('a', async (promise) => {
      await promise;
      throw new Error('too late');
    });
    const next = take('a', '3');
    release();
    await expect(left).rejects.toThrow('too late');
    (await next)();
    expect(begun).toEqual(['1', '3']);
    expect(slots.size).toBe(0);
  });

  it('the slots of a key hold work by weight: a large one is not overtaken, and one above the bound runs alone', async () => {
    const { slots, begun, take } = setUp(200);
    const weigh = (name: string, weight: number) => take('a', name, undefined, { weight });
    const releases = [await weigh('150', 150), await weigh('49', 49)];
    const waiting = [weigh('100', 100), weigh('1', 1), weigh('500', 500)];
    await turn();
    expect(begun).toEqual(['150', '49']);
    releases[0]?.();
    const later = [await waiting[0], await waiting[1]];
    await turn();
    expect(begun).toEqual(['150', '49', '100', '1']);
    for (const release of [releases[1], ...later]) release?.();
    (await waiting[2])?.();
    expect(begun.at(-1)).toBe('500');
    expect(slots.size).toBe(0);
  });

  it('the slots of a key are given to the next call when a large one that stood before it stops waiting', async () => {
    const { begun, take } = setUp(2);
    await take('a', '1');
    const leaving = new AbortController();
    const large = take('a', 'large', leaving.signal, { weight: 2 });
    void take('a', '2');
    leaving.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    await turn();
    expect(begun).toEqual(['1', '2']);
  });

  it('the slots of a key are given to the first urgent call, then to the oldest one', async () => {
    const { begun, take } = setUp(1);
    const urgent = new Set<string>();
    const waiting = new Map<string, Promise<() => void>>();
    const first = await take('a', '1');
    for (const name of ['2', '3', '4']) {
      waiting.set(name, take('a', name, undefined, { isUrgent: () => urgent.has(name) }));
    }
    // A call can become urgent while it waits.
    urgent.add('3');
    first();
    for (const name of ['3', '2', '4']) (await waiting.get(name))?.();
    expect(begun).toEqual(['1', '3', '2', '4']);
  });

  it('the slots of a key run work one after the other, also when one work fails', async () => {
    const { slots } = setUp(1);
    const ended: string[] = [];
    const failing = slots.run('a', async () => {
      await turn();
      ended.push('failed');
      throw new Error('failed');
    });
    const next = slots.run('a', async () => void ended.push('next'));
    await expect(failing).rejects.toThrow('failed');
    await next;
    expect(ended).toEqual(['failed', 'next']);
    expect(slots.size).toBe(0);
  });
});
