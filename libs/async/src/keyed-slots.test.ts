import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyedSlots, type Key, type KeyedSlotsOptions, type TakeOptions } from './keyed-slots.ts';
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

  it('the slots of a key are given in the order of the calls, and never more than maxPerKey at the same time', async () => {
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

  it('the slots of a key skip a caller that has stopped waiting', async () => {
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

  it('the slots of a key go to the next caller when a caller stops waiting in the instant of its turn', async () => {
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

  it('the slots of a key count calls by weight: a heavy call is not overtaken, and a call above the bound runs alone', async () => {
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

  it('the slots of a key count a call without weight as 1, so that the key is counted until all of its calls have ended', async () => {
    const { slots, take } = setUp(200);
    const empty = await take('a', 'empty', undefined, { weight: 0 });
    const full = await take('a', 'full', undefined, { weight: 100 });
    expect(slots.taken('a')).toBe(101);
    empty();
    expect(slots.taken('a')).toBe(100);
    full();
    expect(slots.size).toBe(0);
  });

  it('the slots of a key are given to the next call when a heavy call before it stops waiting', async () => {
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

  it('the slots of a key are given to the first urgent call, then to the oldest call', async () => {
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

  it('the slots of a key run their calls one after another, even after a call that fails', async () => {
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

describe('shared slots', () => {
  /** Enters calls and records the order in which they begin. */
  const setUp = (options: KeyedSlotsOptions) => {
    const slots = createKeyedSlots(options);
    const begun: string[] = [];
    const leaves = new Map<string, () => void>();
    const enter = (key: Key, name: string, how?: TakeOptions) =>
      leaves.set(
        name,
        slots.enter(key, () => begun.push(name), how),
      );
    const leave = (name: string) => {
      leaves.get(name)?.();
      leaves.delete(name);
    };
    /** Ends the call that began last until none runs. */
    const drain = () => {
      for (let name = begun.at(-1); name && leaves.has(name); name = begun.at(-1)) leave(name);
    };
    return { slots, begun, enter, leave, drain };
  };

  it('all keys together get at most max slots and take turns, however many calls of each key wait', () => {
    const { slots, begun, enter, leave, drain } = setUp({ max: 2 });
    enter('running', 'running');
    for (const name of ['greedy1', 'greedy2', 'greedy3', 'greedy4']) enter('greedy', name);
    for (const name of ['modest1', 'modest2']) enter('modest', name);
    expect(begun).toEqual(['running', 'greedy1']);
    drain();
    expect(begun.slice(2)).toEqual(['greedy2', 'modest1', 'greedy3', 'modest2', 'greedy4']);
    leave('running');
    expect(slots.size).toBe(0);
  });

  it('a free slot goes to the key that has waited longest, not to the one that has just ended its work', () => {
    const { begun, enter, drain } = setUp({ max: 1 });
    enter('a', 'a1');
    enter('b', 'b1');
    enter('a', 'a2');
    drain();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('a group gets at most the slots of its bound, and groups take turns, however many keys each group has', () => {
    const { begun, enter, leave, drain } = setUp({ max: 3, groups: { known: 3, strangers: 2 } });
    for (const n of [1, 2, 3, 4, 5, 6]) enter(['strangers', `address ${n}`], `s${n}`);
    expect(begun).toEqual(['s1', 's2']);
    for (const n of [1, 2, 3]) enter(['known', `person ${n}`], `k${n}`);
    expect(begun).toEqual(['s1', 's2', 'k1']);
    leave('s1');
    drain();
    expect(begun.slice(3)).toEqual(['s3', 'k2', 's4', 'k3', 's5', 's6']);
  });

  it('the keys of one group take turns while the group takes turns with others', () => {
    const { begun, enter, drain } = setUp({ max: 1 });
    for (const name of ['a1', 'a2', 'a3']) enter(['workspace 1', 'a'], name);
    enter(['workspace 1', 'b'], 'b1');
    enter(['workspace 2', 'c'], 'c1');
    drain();
    expect(begun).toEqual(['a1', 'a2', 'c1', 'b1', 'a3']);
  });

  it('a call that may not begin yet is overtaken by other keys, but not by later calls of its key', () => {
    const { slots, begun, enter } = setUp({ max: 3 });
    let mayBegin = false;
    enter('a', 'a1', { mayBegin: () => mayBegin });
    enter('a', 'a2');
    enter('b', 'b1');
    expect(begun).toEqual(['b1']);
    mayBegin = true;
    slots.recheck();
    expect(begun).toEqual(['b1', 'a1', 'a2']);
  });

  it('no bound is exceeded, and a call does not wait while all its bounds have room', () => {
    const bounds = { max: 4, maxPerKey: 2, groups: { g: 3 } };
    const keys: readonly [Key, ...Key[]] = ['a', 'b', ['g', 'a'], ['g', 'b'], ['h', 'a']];
    const step = fc.record({
      key: fc.constantFrom(...keys),
      weight: fc.integer({ min: 1, max: 2 }),
      leaves: fc.option(fc.nat()),
    });
    const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { slots, begun, enter, leave } = setUp(bounds);
      const calls = new Map<string, { key: Key; weight: number }>();
      const weightOf = (isOf: (key: Key) => boolean) =>
        begun.reduce((sum, name) => {
          const call = calls.get(name);
          return call && isOf(call.key) ? sum + call.weight : sum;
        }, 0);
      const isFull = (key: Key, weight: number) =>
        weightOf(() => true) + weight > bounds.max ||
        weightOf((other) => other === key) + weight > bounds.maxPerKey ||
        (key[0] === 'g' && weightOf((other) => other[0] === 'g') + weight > bounds.groups.g);
      for (const [n, { key, weight, leaves }] of steps.entries()) {
        const name = [...calls.keys()].at((leaves ?? 0) % Math.max(1, calls.size));
        if (leaves !== null && name !== undefined) {
          calls.delete(name);
          leave(name);
        } else {
          calls.set(String(n), { key, weight });
          enter(key, String(n), { weight });
        }
        for (const each of keys) {
          expect(isFull(each, 0)).toBe(false);
          const oldest = [...calls].find(([waiting, call]) => call.key === each && !begun.includes(waiting))?.[1];
          if (oldest) expect(isFull(each, oldest.weight)).toBe(true);
        }
      }
      for (const name of calls.keys()) leave(name);
      expect(slots.size).toBe(Object.keys(bounds.groups).length);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
