import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { describe, expect, it, vi } from 'vitest';
import type { Kafka, OffsetRange } from './kafka.ts';
import { caughtUp, hasPassed, type Offsets, topicProgress } from './topic-progress.ts';

/** Partition 0, 1, … */
const offsets = (...list: bigint[]): Offsets => new Map(list.map((offset, partition) => [partition, offset]));

describe('hasPassed', () => {
  it('the ends of a topic are passed only when every partition has come as far', () => {
    const ends = offsets(4n, 0n, 7n);
    expect(hasPassed(offsets(4n, 0n, 7n), ends)).toBe(true);
    expect(hasPassed(offsets(9n, 3n, 8n), ends)).toBe(true);
    expect(hasPassed(offsets(9n, 3n, 6n), ends)).toBe(false);
  });

  it('empty ends are never passed, because nothing is known of the topic', () => {
    expect(hasPassed(offsets(), offsets())).toBe(false);
    expect(hasPassed(offsets(9n), offsets())).toBe(false);
  });

  it('a partition without a commit has passed an end of 0 and no other end', () => {
    expect(hasPassed(offsets(4n, -1n), offsets(4n, 0n))).toBe(true);
    expect(hasPassed(offsets(4n), offsets(4n, 0n))).toBe(true);
    expect(hasPassed(offsets(), offsets(0n, 0n))).toBe(true);
    expect(hasPassed(offsets(4n, -1n), offsets(4n, 1n))).toBe(false);
    expect(hasPassed(offsets(4n), offsets(4n, 1n))).toBe(false);
    expect(hasPassed(offsets(4n, 2n), offsets(4n, 3n))).toBe(false);
  });

  it('a partition that was added after the ends were read is ignored', () => {
    expect(hasPassed(offsets(4n, 0n), offsets(4n))).toBe(true);
  });
});

describe('the progress of a group in a topic', () => {
  const progressOf = (ranges: OffsetRange[], committed: Offsets) =>
    topicProgress(
      {
        offsetRanges: async () => new Map(ranges.map((range, partition) => [partition, range])),
        committedOffsets: async () => new Map(committed),
      } as unknown as Kafka,
      'readers',
      'notes',
    );
  const passed = async (ranges: OffsetRange[], committed: Offsets) => {
    const progress = progressOf(ranges, committed);
    return hasPassed(await progress.consumed(), await progress.ends());
  };

  it('a group that never committed has consumed nothing that the broker keeps', async () => {
    const ranges = [
      { low: 0n, high: 0n },
      { low: 0n, high: 3n },
      { low: 2n, high: 3n },
    ];
    const progress = progressOf(ranges, offsets(-1n, -1n));
    expect(await progress.ends()).toEqual(offsets(0n, 3n, 3n));
    expect(await progress.consumed()).toEqual(offsets(0n, 0n, 2n));
    expect(await passed(ranges, offsets(-1n, -1n))).toBe(false);
  });

  it('records that retention removed count as consumed, and records that are kept do not', async () => {
    const emptied = [{ low: 5n, high: 5n }];
    expect(await passed(emptied, offsets())).toBe(true);
    expect(await passed(emptied, offsets(-1n))).toBe(true);
    expect(await passed(emptied, offsets(2n))).toBe(true);
    expect(await passed([{ low: 4n, high: 5n }], offsets(2n))).toBe(false);
  });

  it('ends that were read before retention removed their records are passed as well', async () => {
    const before = await progressOf([{ low: 0n, high: 5n }], offsets(-1n)).ends();
    const after = await progressOf([{ low: 5n, high: 7n }], offsets(-1n)).consumed();
    expect(hasPassed(after, before)).toBe(true);
  });

  it('a partition that only one of the two broker responses contains is not passed while it holds events', async () => {
    expect(
      await passed(
        [
          { low: 0n, high: 4n },
          { low: 0n, high: 1n },
        ],
        offsets(4n),
      ),
    ).toBe(false);
    expect(await passed([{ low: 0n, high: 4n }], offsets(4n, 9n))).toBe(true);
  });

  it('a topic without partitions rejects instead of returning empty ends', async () => {
    const progress = progressOf([], offsets(4n));
    await expect(progress.ends()).rejects.toThrow('no partition of notes');
    await expect(progress.consumed()).rejects.toThrow('no partition of notes');
  });
});

describe('caughtUp', () => {
  const setUp = (...answers: (Offsets | Promise<Offsets>)[]) => {
    const clock = new ManualClock();
    const consumed = vi.fn(async () => (answers.length > 1 ? answers.shift() : answers[0]) as Offsets);
    const ends = vi.fn(async () => offsets(3n));
    const deadline = createDeadline(1_000, { clock, error: () => new Error('too late') });
    return { clock, progress: { ends, consumed }, deadline };
  };
  const turn = () => new Promise(setImmediate);

  it('caughtUp resolves when the group passes the ends, which are read once', async () => {
    const { clock, progress, deadline } = setUp(offsets(1n), offsets(2n), offsets(3n));
    const waiting = caughtUp(progress, deadline, clock);
    for (let poll = 1; poll <= 2; poll++) {
      await turn();
      expect(progress.consumed).toHaveBeenCalledTimes(poll);
      clock.advance(20);
    }
    await waiting;
    expect(progress.ends).toHaveBeenCalledTimes(1);
  });

  it('caughtUp rejects with the deadline error when the group stays behind, and stops asking Kafka', async () => {
    const { clock, progress, deadline } = setUp(offsets(2n));
    const told = expect(caughtUp(progress, deadline, clock)).rejects.toThrow('too late');
    await turn();
    clock.advance(1_000);
    await told;
    await turn();
    const { length } = progress.consumed.mock.calls;
    clock.advance(1_000);
    await turn();
    expect(progress.consumed).toHaveBeenCalledTimes(length);
  });

  it('caughtUp rejects with the deadline error when Kafka does not answer', async () => {
    const { clock, progress, deadline } = setUp(new Promise<never>(() => {}));
    const told = expect(caughtUp(progress, deadline, clock)).rejects.toThrow('too late');
    await turn();
    clock.advance(1_000);
    await told;
  });

  it('caughtUp rejects with the error of a failed request', async () => {
    const { clock, progress, deadline } = setUp();
    progress.ends.mockRejectedValue(new Error('no broker'));
    await expect(caughtUp(progress, deadline, clock)).rejects.toThrow('no broker');
  });
});
