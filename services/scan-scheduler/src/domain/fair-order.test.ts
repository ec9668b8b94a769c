import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTurns, emptyQueue, lateStart, newStart, priorities, type QueueStarts } from './fair-order.ts';

describe('order of leases', () => {
  it('the order of leases is by priority, then by start, then by due time', () => {
    const turns = [
      { priority: priorities.background, start: 0, dueAt: new Date(0) },
      { priority: priorities.requested, start: 2, dueAt: new Date(1) },
      { priority: priorities.requested, start: 1, dueAt: new Date(9) },
      { priority: priorities.requested, start: 1, dueAt: new Date(3) },
    ];
    expect(turns.sort(compareTurns).map(({ start, dueAt }) => [start, dueAt.getTime()])).toEqual([
      [1, 3],
      [1, 9],
      [2, 1],
      [0, 0],
    ]);
  });

  it("a new scan continues its workspace's queue, and begins at the virtual time when the queue is behind", () => {
    expect(newStart({ next: 12 }, 10)).toBe(12);
    expect(newStart({ next: 3 }, 10)).toBe(10);
  });

  it('a late scan keeps its start until the virtual time has passed it', () => {
    expect(lateStart(7, emptyQueue, 7)).toEqual({ start: 7, nextLate: 0 });
    expect(lateStart(7, emptyQueue, 8)).toEqual({ start: 8, nextLate: 9 });
    expect(lateStart(7, { nextLate: 12 }, 8)).toEqual({ start: 12, nextLate: 13 });
    expect(lateStart(null, { nextLate: 12 }, 8)).toEqual({ start: 12, nextLate: 13 });
  });

  it('the order of leases serves a workspace within two rounds, whatever the others request and repeat', () => {
    const queues = 4;
    const event = fc.record({ queue: fc.nat({ max: queues - 1 }), scans: fc.nat({ max: 40 }), isLate: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.nat({ max: 30 }), (events, before) => {
        const system = createSystem(queues + 1);
        for (const { queue, scans, isLate } of events) {
          for (let n = 0; n < scans; n++) system.add(queue, isLate);
          for (let n = 0; n < scans / 3; n++) system.lease();
        }
        for (let n = 0; n < before; n++) system.lease();
        system.add(queues, false);
        let waited = 0;
        while (system.lease() !== queues) waited++;
        // Each other queue has at most one new and one late scan with the same start.
        expect(waited).toBeLessThanOrEqual(2 * queues);
      }),
    );
  });
});

/** Leases by the rules of the module, without a database. */
function createSystem(size: number) {
  const queues: QueueStarts[] = Array.from({ length: size }, () => ({ ...emptyQueue }));
  const waiting: { queue: number; priority: number; start: number; dueAt: Date }[] = [];
  let virtualTime = 0;
  let nowMs = 0;
  return {
    add(queue: number, isLate: boolean) {
      const starts = queues[queue] as QueueStarts;
      const late = lateStart(null, starts, virtualTime);
      const start = isLate ? late.start : newStart(starts, virtualTime);
      if (isLate) starts.nextLate = late.nextLate;
      else starts.next = start + 1;
      waiting.push({ queue, priority: priorities.requested, start, dueAt: new Date(nowMs++) });
    },
    lease(): number | undefined {
      waiting.sort(compareTurns);
      const next = waiting.shift();
      virtualTime = Math.max(virtualTime, next?.start ?? 0);
      return next?.queue;
    },
  };
}
