import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseNetwork } from '../../src/domain/address.ts';
import { requestsPerVisit } from '../../src/domain/pacing.ts';
import type { LeasedScan } from '../../src/operations/lease-scan.ts';
import { maxListAgeMs } from '../../src/operations/opt-outs.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

const address = '203.0.113.7';
const rate = policy.pacing.addressRequestsPerSecond;

describe('pacing', () => {
  const namespace = testNamespace('scans-pacing');
  let schedulers: Scheduler[];
  let scheduler: Scheduler;
  beforeAll(async () => {
    schedulers = [await startScheduler(namespace), await startScheduler(namespace)];
    scheduler = schedulers[0] as Scheduler;
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    for (const each of schedulers ?? []) await each.stop();
    await namespace.cleanup();
  });

  const advance = (ms: number) => {
    for (const { clock } of schedulers) clock.advance(ms);
  };
  const shop = (n: number) => `shop-${n}.example`;
  const queueShops = async (count: number, workspace = 'ws_a', first = 0) => {
    for (let n = first; n < first + count; n++) await scheduler.queue(workspace, `chg_${workspace}_${n}`, shop(n));
  };

  /**
   * Scanners with a fixed number of visits at a time, over all instances. Each visit sends the given requests as soon as they are
   * admitted. Returns the times of the requests to each target.
   */
  async function scan(seconds: number, requestsOf: (domain: string) => { host: string; addresses: string[] }[]) {
    const sent = new Map<string, number[]>();
    const startedMs = scheduler.clock.now();
    const timeOfLease = new Map<string, number>();
    interface Running {
      scan: LeasedScan;
      by: Scheduler;
      requests: { host: string; addresses: string[] }[];
      readyAtMs: number;
      pending?: { host: string; addresses: string[] };
    }
    let running: Running[] = [];
    let putOff = 0;
    for (let ms = 0; ms < seconds * 1_000; ms += 50) {
      const nowMs = scheduler.clock.now();
      for (const by of schedulers) {
        if (running.length >= 20) break;
        const leased = await by.lease();
        if (!leased) continue;
        timeOfLease.set(leased.domain, nowMs - startedMs);
        running.push({ scan: leased, by, requests: requestsOf(leased.domain), readyAtMs: nowMs });
      }
      for (const visit of running) {
        if (visit.readyAtMs > nowMs) continue;
        if (visit.pending) {
          for (const target of [visit.pending.host, ...visit.pending.addresses]) {
            sent.set(target, [...(sent.get(target) ?? []), visit.readyAtMs - startedMs]);
          }
          delete visit.pending;
        }
        const next = visit.requests.shift();
        if (!next) {
          await visit.by.finish(visit.scan);
          running = running.filter((each) => each !== visit);
          continue;
        }
        const renewal = await visit.by.renew(visit.scan, next);
        if (!renewal.held) throw new Error('a lease was lost');
        if (renewal.admission !== 'admitted') {
          putOff += 1;
          await visit.by.finish(visit.scan, 'abandoned', renewal.admission);
          running = running.filter((each) => each !== visit);
          continue;
        }
        visit.pending = next;
        visit.readyAtMs = nowMs + renewal.waitMs;
      }
      advance(50);
    }
    return { sent, timeOfLease, putOff };
  }

  /** The most requests within any second. */
  const mostPerSecond = (times: readonly number[] = []) => {
    const sorted = times.toSorted((a, b) => a - b);
    return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1_000).length));
  };

  it('gives an address its rate, whatever the number of domains, scanners and instances', async () => {
    await queueShops(50);
    const { sent } = await scan(40, (domain) =>
      Array.from({ length: 6 }, () => ({ host: domain, addresses: [address] })),
    );
    expect(mostPerSecond(sent.get(address))).toBeLessThanOrEqual(rate);
    expect(sent.get(address)?.length).toBeGreaterThan((40 / 2) * (rate / requestsPerVisit));
  });
});

void [parseNetwork, maxListAgeMs, context];
