import { ManualClock } from '@shopscope/clock';
import { describe, expect, it, vi } from 'vitest';
import type { LeasedScan } from './lease-scan.ts';
import { createLeaseWaitQueue } from './lease-wait-queue.ts';

const scan = (id: string) => ({ id }) as LeasedScan;
const never = new AbortController().signal;

function setUp(options: { lease?: (scannerId: string) => Promise<LeasedScan | null> } = {}) {
  const clock = new ManualClock();
  const work: LeasedScan[] = [];
  const lease = vi.fn(options.lease ?? (async () => work.shift() ?? null));
  const undoLease = vi.fn(async () => {});
  return { clock, work, lease, undoLease, queue: createLeaseWaitQueue({ clock, pollMs: 250, lease, undoLease }) };
}

/** Runs all pending promise callbacks. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the lease wait queue', () => {
  it('the lease wait queue returns a due scan at once', async () => {
    const { queue, work } = setUp();
    work.push(scan('scan_1'));
    expect(await queue.wait('s1', 0, never)).toEqual(scan('scan_1'));
    expect(await queue.wait('s1', 0, never)).toBeNull();
  });

  it('the lease wait queue serves the first waiting scanner as soon as work arrives, before the next poll', async () => {
    const { queue, work } = setUp();
    const first = queue.wait('s1', 10_000, never);
    const second = queue.wait('s2', 10_000, never);
    await settled();
    work.push(scan('scan_1'));
    queue.wake();
    expect(await first).toEqual(scan('scan_1'));
    work.push(scan('scan_2'));
    queue.wake();
    expect(await second).toEqual(scan('scan_2'));
  });

  it('the lease wait queue refuses the 2,001st waiting scanner, and serves it once another has left', async () => {
    const { queue, work } = setUp();
    const waits = Array.from({ length: 2_000 }, (_, n) => queue.wait(`s${n}`, 10_000, never));
    await expect(queue.wait('one more', 10_000, never)).rejects.toMatchObject({ code: 'unavailable' });
    work.push(scan('scan_1'));
    queue.wake();
    expect(await waits[0]).toEqual(scan('scan_1'));
    const later = queue.wait('one more', 10_000, never);
    queue.close();
    expect(await later).toBeNull();
  });

  it('the lease wait queue searches for work of other instances once per interval for all waiting scanners', async () => {
    const { queue, work, clock, lease } = setUp();
    const waits = Array.from({ length: 50 }, (_, n) => queue.wait(`s${n}`, 10_000, never));
    await settled();
    const before = lease.mock.calls.length;
    clock.advance(250);
    await settled();
    expect(lease.mock.calls.length).toBe(before + 1);
    work.push(...waits.map((_, n) => scan(`scan_${n}`)));
    clock.advance(250);
    expect(new Set((await Promise.all(waits)).map((leased) => leased?.id)).size).toBe(50);
  });

  it('the lease wait queue resolves each call within its waitMs', async () => {
    const { queue, clock } = setUp();
    const short = queue.wait('s1', 300, never);
    const long = queue.wait('s2', 60_000, never);
    await settled();
    clock.advance(250);
    await settled();
    clock.advance(50);
    expect(await short).toBeNull();
    await queue.close();
    expect(await long).toBeNull();
  });

  it('the lease wait queue undoes the lease of a scanner that has cancelled its call, and the next scanner gets the scan', async () => {
    const searching = Promise.withResolvers<LeasedScan>();
    const { queue, lease, undoLease, work } = setUp();
    lease.mockImplementationOnce(() => searching.promise);
    const cancelled = new AbortController();
    const first = queue.wait('s1', 10_000, cancelled.signal);
    const second = queue.wait('s2', 10_000, never);
    cancelled.abort();
    work.push(scan('scan_1'));
    searching.resolve(scan('scan_1'));
    expect(await first).toBeNull();
    expect(await second).toEqual(scan('scan_1'));
    expect(undoLease).toHaveBeenCalledExactlyOnceWith(scan('scan_1'));
  });

  it('the lease wait queue searches again for a scanner that arrives during a search', async () => {
    const searching = Promise.withResolvers<LeasedScan | null>();
    const { queue, lease, work } = setUp();
    lease.mockImplementationOnce(() => searching.promise);
    const first = queue.wait('s1', 0, never);
    work.push(scan('scan_1'));
    const second = queue.wait('s2', 0, never);
    searching.resolve(null);
    expect(await first).toBeNull();
    expect(await second).toEqual(scan('scan_1'));
  });

  it('the lease wait queue rejects all waiting calls when the database fails, and serves later calls', async () => {
    const { queue, lease, work } = setUp();
    lease.mockRejectedValueOnce(new Error('no primary'));
    const waits = [queue.wait('s1', 10_000, never), queue.wait('s2', 10_000, never)];
    expect((await Promise.allSettled(waits)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    work.push(scan('scan_1'));
    expect(await queue.wait('s1', 0, never)).toEqual(scan('scan_1'));
  });

  it('the lease wait queue resolves waiting and later calls without a lease after its close', async () => {
    const { queue, work } = setUp();
    const waiting = queue.wait('s1', 10_000, never);
    await settled();
    await queue.close();
    expect(await waiting).toBeNull();
    work.push(scan('scan_1'));
    expect(await queue.wait('s1', 0, never)).toBeNull();
    expect(work).toHaveLength(1);
  });
});
