import { describe, expect, it } from 'vitest';
import { createKeyedSlots } from './keyed-slots.ts';
import { untilAborted } from './until-aborted.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the slots of a key', () => {
  const setUp = (maxPerKey: number) => {
    const slots = createKeyedSlots({ maxPerKey });
    const begun: string[] = [];
    const take = async (key: string, name: string, abort = new AbortController().signal) => {
      const release = await slots.take(key, (promise) => untilAborted(abort, promise));
      begun.push(name);
      return release;
    };
    return { slots, begun, take };
  };

  it('are given in the order of the calls, at most so many at the same time', async () => {
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

  it('do not hold up other keys', async () => {
    const { begun, take } = setUp(1);
    await take('a', 'a1');
    void take('a', 'a2');
    await take('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('pass by a caller that has stopped waiting', async () => {
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

  it('go on to the next caller when a caller stops waiting in the instant of its turn', async () => {
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
});
