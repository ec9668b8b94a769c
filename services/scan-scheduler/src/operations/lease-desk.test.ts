import { ManualClock } from '@shopscope/clock';
import { describe, expect, it, vi } from 'vitest';
import { createLeaseDesk } from './lease-desk.ts';
import type { LeasedScan } from './lease-scan.ts';

const scan = (id: string) => ({ id }) as LeasedScan;
const never = new AbortController().signal;

function desk(options: { lease?: (scannerId: string) => Promise<LeasedScan | null> } = {}) {
  const clock = new ManualClock();
  const work: LeasedScan[] = [];
  const lease = vi.fn(options.lease ?? (async () => work.shift() ?? null));
  const takeBack = vi.fn(async () => {});
  return { clock, work, lease, takeBack, desk: createLeaseDesk({ clock, pollMs: 250, lease, takeBack }) };
}

/** Lets everything that is ready run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the lease desk', () => {
  it('gives what is due at once', async () => {
    const { desk: at, work } = desk();
    work.push(scan('scan_1'));
    expect(await at.wait('s1', 0, never)).toEqual(scan('scan_1'));
    expect(await at.wait('s1', 0, never)).toBeNull();
  });

  it('wakes the first in line when work arrives, without waiting for the next look', async () => {
    const { desk: at, work } = desk();
    const first = at.wait('s1', 10_000, never);
    const second = at.wait('s2', 10_000, never);
    await settled();
    work.push(scan('scan_1'));
    at.wake();
    expect(await first).toEqual(scan('scan_1'));
    work.push(scan('scan_2'));
    at.wake();
    expect(await second).toEqual(scan('scan_2'));
  });

  it('looks for work of other instances at its interval, once for all who wait', async () => {
    const { desk: at, work, clock, lease } = desk();
    const waits = Array.from({ length: 50 }, (_, n) => at.wait(`s${n}`, 10_000, never));
    await settled();
    const before = lease.mock.calls.length;
    clock.advance(250);
    await settled();
    expect(lease.mock.calls.length).toBe(before + 1);
    work.push(...waits.map((_, n) => scan(`scan_${n}`)));
    clock.advance(250);
    expect(new Set((await Promise.all(waits)).map((leased) => leased?.id)).size).toBe(50);
  });

  it('lets nobody wait longer than asked', async () => {
    const { desk: at, clock } = desk();
    const short = at.wait('s1', 300, never);
    const long = at.wait('s2', 60_000, never);
    await settled();
    clock.advance(250);
    await settled();
    clock.advance(50);
    expect(await short).toBeNull();
    await at.close();
    expect(await long).toBeNull();
  });

  it('gives the lease of a scanner that has hung up back, and the next one gets it', async () => {
    const looking = Promise.withResolvers<LeasedScan>();
    const { desk: at, lease, takeBack, work } = desk();
    lease.mockImplementationOnce(() => looking.promise);
    const gone = new AbortController();
    const first = at.wait('s1', 10_000, gone.signal);
    const second = at.wait('s2', 10_000, never);
    gone.abort();
    work.push(scan('scan_1'));
    looking.resolve(scan('scan_1'));
    expect(await first).toBeNull();
    expect(await second).toEqual(scan('scan_1'));
    expect(takeBack).toHaveBeenCalledExactlyOnceWith(scan('scan_1'));
  });

  it('a scanner that comes during a look gets a look of its own before it is sent away', async () => {
    const looking = Promise.withResolvers<LeasedScan | null>();
    const { desk: at, lease, work } = desk();
    lease.mockImplementationOnce(() => looking.promise);
    const first = at.wait('s1', 0, never);
    work.push(scan('scan_1'));
    const second = at.wait('s2', 0, never);
    looking.resolve(null);
    expect(await first).toBeNull();
    expect(await second).toEqual(scan('scan_1'));
  });

  it('tells all who wait when the database fails, and serves those who come later', async () => {
    const { desk: at, lease, work } = desk();
    lease.mockRejectedValueOnce(new Error('no primary'));
    const waits = [at.wait('s1', 10_000, never), at.wait('s2', 10_000, never)];
    expect((await Promise.allSettled(waits)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    work.push(scan('scan_1'));
    expect(await at.wait('s1', 0, never)).toEqual(scan('scan_1'));
  });

  it('sends everybody away when it closes, and takes nobody in after', async () => {
    const { desk: at, work } = desk();
    const waiting = at.wait('s1', 10_000, never);
    await settled();
    await at.close();
    expect(await waiting).toBeNull();
    work.push(scan('scan_1'));
    expect(await at.wait('s1', 0, never)).toBeNull();
    expect(work).toHaveLength(1);
  });
});
