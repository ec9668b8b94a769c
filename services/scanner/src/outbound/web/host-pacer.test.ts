import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createHostPacer } from './host-pacer.ts';

const never = new AbortController().signal;
/** Waits for the end of the event-loop turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the host pacer', () => {
  it('the host pacer runs one request per host at a time, with a pause between two', async () => {
    const clock = new ManualClock();
    const pacer = createHostPacer(clock);
    const started: string[] = [];
    const first = Promise.withResolvers<void>();
    const work = (name: string, until?: Promise<void>) => async () => {
      started.push(name);
      await until;
    };
    const runs = [
      pacer.run('shop.com', 250, never, work('a', first.promise)),
      pacer.run('shop.com', 250, never, work('b')),
      pacer.run('other.com', 250, never, work('c')),
    ];
    await turn();
    expect(started).toEqual(['a', 'c']);
    first.resolve();
    await turn();
    clock.advance(249);
    await turn();
    expect(started).toEqual(['a', 'c']);
    clock.advance(1);
    await Promise.all(runs);
    expect(started).toEqual(['a', 'c', 'b']);
  });

  it('the host pacer counts only the wait for other requests as queued, not the pause', async () => {
    const clock = new ManualClock();
    const pacer = createHostPacer(clock);
    const first = Promise.withResolvers<void>();
    const waits: string[] = [];
    const queued = async <T>(wait: () => Promise<T>) => {
      waits.push('begin');
      const waited = await wait();
      waits.push('end');
      return waited;
    };
    const runs = [
      pacer.run('shop.com', 250, never, () => first.promise),
      pacer.run('shop.com', 250, never, async () => void waits.push('work'), queued),
    ];
    await turn();
    expect(waits).toEqual(['begin']);
    first.resolve();
    await turn();
    expect(waits).toEqual(['begin', 'end']);
    clock.advance(250);
    await Promise.all(runs);
    expect(waits).toEqual(['begin', 'end', 'work']);
  });

  it('the host pacer keeps the order when a waiting request is aborted', async () => {
    const pacer = createHostPacer(new ManualClock());
    const abort = new AbortController();
    const first = Promise.withResolvers<void>();
    const started: string[] = [];
    const runs = [
      pacer.run('shop.com', 0, never, () => first.promise),
      pacer.run('shop.com', 0, abort.signal, async () => void started.push('second')),
      pacer.run('shop.com', 0, never, async () => void started.push('third')),
    ];
    abort.abort(new Error('aborted'));
    await expect(runs[1]).rejects.toThrow('aborted');
    await turn();
    expect(started).toEqual([]);
    first.resolve();
    await runs[2];
    expect(started).toEqual(['third']);
  });

  it('the host pacer pauses after a failed request too', async () => {
    const clock = new ManualClock();
    const pacer = createHostPacer(clock);
    await expect(pacer.run('shop.com', 100, never, () => Promise.reject(new Error('reset')))).rejects.toThrow('reset');
    let done = false;
    const next = pacer.run('shop.com', 100, never, async () => {
      done = true;
    });
    await turn();
    expect(done).toBe(false);
    clock.advance(100);
    await next;
  });
});
