import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkspaceTurns, type WorkspaceTurns } from './workspace-turns.ts';

describe('WorkspaceTurns', () => {
  let clock: ManualClock;
  let turns: WorkspaceTurns;
  /** Batches that have begun, in this order. Each ends when the test calls its function. */
  let begun: Map<string, () => void>;
  beforeEach(() => {
    clock = new ManualClock();
    turns = createWorkspaceTurns({ clock, replicas: 2 });
    begun = new Map();
  });

  const settled = () => new Promise(setImmediate);
  /** The rate delays nothing. */
  const fast = { rpm: Number.POSITIVE_INFINITY, concurrency: 100, enrichBatchMax: 100 };
  const batch = (
    name: string,
    domains = 100,
    over: {
      workspaceId?: string;
      keyEnvironment?: Environment;
      fails?: boolean;
      plan?: typeof fast;
      timeoutMs?: number;
    } = {},
  ) => {
    const { workspaceId = 'ws_1', keyEnvironment = 'live', plan = fast, timeoutMs = 1_000 } = over;
    const deadline = createDeadline(timeoutMs, { clock });
    const done = turns.run({ caller: { workspaceId, keyEnvironment, plan }, domains, deadline }, async () => {
      await new Promise<void>((end) => begun.set(name, end));
      if (over.fails) throw new Error(`${name} failed`);
      return name;
    });
    done.catch(() => {});
    return { done, deadline };
  };

  it('batches of a workspace run up to two full ones at a time, in the order of their calls', async () => {
    const batches = ['a', 'b', 'c', 'd'].map((name) => batch(name));
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b']);
    begun.get('b')?.();
    expect(await batches[1]?.done).toBe('b');
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'c']);
    begun.get('a')?.();
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('batches count as waiting until they begin or are given up', async () => {
    for (const name of ['a', 'b', 'c']) batch(name);
    batch('other', 100, { workspaceId: 'ws_2' });
    const impatient = batch('d', 100, { timeoutMs: 100 });
    await settled();
    expect(turns.waiting).toBe(2);
    clock.advance(100);
    await expect(impatient.done).rejects.toThrow();
    expect(turns.waiting).toBe(1);
    begun.get('a')?.();
    await settled();
    expect([[...begun.keys()], turns.waiting]).toEqual([['a', 'b', 'other', 'c'], 0]);
  });

  it('batches of a workspace run together up to 200 domains, and a large one is not overtaken', async () => {
    for (const [name, domains] of Object.entries({ a: 1, b: 150, c: 49, d: 100, e: 1 })) batch(name, domains);
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'c']);
    begun.get('b')?.();
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('a batch runs alone when it is larger than the bound', async () => {
    batch('a', 500);
    batch('b', 1);
    await settled();
    expect([...begun.keys()]).toEqual(['a']);
    begun.get('a')?.();
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b']);
  });

  it('batches do not wait for those of another workspace', async () => {
    for (const name of ['a', 'b', 'c']) batch(name);
    batch('other', 100, { workspaceId: 'ws_2' });
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'other']);
  });

  it('batches of test keys do not hold back the live batches of their workspace, in room or rate', async () => {
    const plan = { rpm: 60, concurrency: 4, enrichBatchMax: 100 };
    for (const name of ['a', 'b', 'c']) batch(name, 100, { keyEnvironment: 'test', plan });
    for (const name of ['live a', 'live b', 'live c']) batch(name, 100, { plan });
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'live a', 'live b']);
  });

  it('a batch that fails makes room for the next one', async () => {
    const failing = batch('a', 200, { fails: true });
    batch('b', 200);
    await settled();
    begun.get('a')?.();
    await expect(failing.done).rejects.toThrow('a failed');
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b']);
  });

  it('a batch that waits until its deadline never begins, gets concurrency_limited, and lets the next ones pass', async () => {
    batch('a', 200);
    const late = batch('b', 200);
    await settled();
    clock.advance(1_000);
    await expect(late.done).rejects.toMatchObject({ code: 'concurrency_limited', details: { retry_after: 1 } });
    batch('c', 200);
    begun.get('a')?.();
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'c']);
  });

  it('a batch never begins after its caller has disconnected', async () => {
    batch('a', 200);
    const left = batch('b', 200);
    batch('c', 200);
    await settled();
    left.deadline.cancel();
    begun.get('a')?.();
    await expect(left.done).rejects.toMatchObject({ code: 'internal' });
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'c']);
  });

  /** Batches that end at once; the instants at which they began, ms. */
  const instantsOf = async (count: number, plan: typeof fast, domains = 100) => {
    const instants: number[] = [];
    const ends = Array.from({ length: count }, () => {
      const deadline = createDeadline(60_000, { clock });
      const caller = { workspaceId: 'ws_1', keyEnvironment: 'live', plan } as const;
      return turns.run({ caller, domains, deadline }, async () => {
        instants.push(clock.monotonicMs() - startMs);
      });
    });
    const startMs = clock.monotonicMs();
    await settled();
    while (instants.length < count) {
      clock.advance(10);
      await settled();
    }
    await Promise.all(ends);
    return instants;
  };

  it('batches begin at the average of the plan after two at the same time, in each of two gateways', async () => {
    expect(await instantsOf(5, { rpm: 600, concurrency: 10, enrichBatchMax: 100 })).toEqual([0, 0, 200, 400, 600]);
    clock.advance(200);
    expect(await instantsOf(3, { rpm: 600, concurrency: 10, enrichBatchMax: 100 }), 'after a pause').toEqual([
      0, 0, 200,
    ]);
  });

  it('batches cost as much of the rate as they have domains', async () => {
    const instants = await instantsOf(5, { rpm: 600, concurrency: 10, enrichBatchMax: 100 }, 50);
    expect(instants).toEqual([0, 0, 100, 200, 300]);
  });

  it('work beyond that of its domains delays the next batches, also if the batch fails', async () => {
    const caller = {
      workspaceId: 'ws_1',
      keyEnvironment: 'live',
      plan: { rpm: 600, concurrency: 10, enrichBatchMax: 100 },
    } as const;
    const doneDomains = () => 500;
    const large = (fails: boolean) =>
      turns.run({ caller, domains: 1, deadline: createDeadline(60_000, { clock }), doneDomains }, async () => {
        if (fails) throw new Error('failed');
      });
    const ended = await Promise.allSettled([large(false), large(true)]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    // Each has spent the rate of 500 domains, which two gateways give in one second.
    expect(await instantsOf(1, caller.plan, 1)).toEqual([2_000]);
  });

  it('batches wait at most four seconds for the rate, however few requests the plan admits', async () => {
    const plan = { rpm: 6, concurrency: 4, enrichBatchMax: 25 };
    expect(await instantsOf(plan.concurrency, plan, plan.enrichBatchMax)).toEqual([0, 0, 1_000, 2_000]);
  });

  it('a batch waits at most four seconds for the rate behind a document with far more domains than the plan has in a batch', async () => {
    const plan = { rpm: 60, concurrency: 2, enrichBatchMax: 10 };
    const instants = await instantsOf(3, plan, 1_000);
    expect(instants).toEqual([0, 0, 4_000]);
  });

  it('batches that wait for the rate do not hold back another workspace', async () => {
    const plan = { rpm: 60, concurrency: 4, enrichBatchMax: 100 };
    for (const name of ['a', 'b', 'c']) batch(name, 50, { plan });
    batch('other', 50, { workspaceId: 'ws_2', plan });
    await settled();
    expect([...begun.keys()]).toEqual(['a', 'b', 'other']);
  });
});
