import { createKeyedSlots } from '@shopscope/async';
import type { Received } from '@shopscope/kafka';
import type { ObservationCompleted } from '@shopscope/proto';
import { expect, it, vi } from 'vitest';
import { observed } from '../../../test/support/observed-event.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { observationCompletedSubscription } from './observation-completed.ts';

/** Merges in transactions that last until the test ends them. */
function setUp(limit: number) {
  const running: (() => void)[] = [];
  const deps = {
    clock: { now: () => Date.parse('2026-02-01') },
    technologies: { find: () => undefined },
    metrics: { mergeDuration: { startTimer: () => () => {} } },
    logger: { info: vi.fn() },
    // Nothing is merged, as with scans that were merged before.
    transact: () => new Promise<[]>((done) => running.push(() => done([]))),
  } as unknown as Dependencies;
  const { handle } = observationCompletedSubscription(deps, createKeyedSlots({ maxPerKey: limit }));
  const consume = (prefix: string, count: number) => {
    const events = Array.from({ length: count }, (_, n) => observed(`${prefix}-${n}.example`, 1));
    return handle(events.map((event) => ({ event, meta: {} }) as Received<ObservationCompleted>));
  };
  const nextEnds = async () => {
    await vi.waitFor(() => expect(running.length).toBeGreaterThan(0), { timeout: 60_000 });
    running.shift()?.();
  };
  return { consume, running, nextEnds, merged: deps.logger.info };
}

it('one transaction merges at most 100 observations', async () => {
  const { consume, nextEnds, merged } = setUp(1);
  const done = consume('shop', 250);
  const counts: number[] = [];
  for (let n = 0; n < 3; n++) {
    await nextEnds();
    await vi.waitFor(() => expect(vi.mocked(merged).mock.calls.length).toBeGreaterThan(counts.at(-1) ?? 0), {
      timeout: 60_000,
    });
    counts.push(vi.mocked(merged).mock.calls.length);
  }
  await done;
  expect(counts).toEqual([100, 200, 250]);
});

it('the transactions of all partitions together use at most the connections for merges', async () => {
  const { consume, running, nextEnds } = setUp(2);
  const done = Promise.all(['a', 'b', 'c', 'd'].map((partition) => consume(partition, 1)));
  for (let left = 4; left > 0; left--) {
    await vi.waitFor(() => expect(running).toHaveLength(Math.min(2, left)), { timeout: 60_000 });
    await nextEnds();
  }
  await done;
});
