import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unparkScans } from '../../src/operations/unpark-scans.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

describe('parked scans', () => {
  const namespace = testNamespace('scans-parked');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  const park = (count: number, targetOf: (n: number) => string, dueAt = new Date(scheduler.clock.now())) =>
    scheduler.db.collection('scans').insertMany(
      Array.from({ length: count }, (_, n) => ({
        _id: `scan_${n}` as never,
        domain: `shop-${n}.example`,
        workspaceIds: ['ws_a'],
        state: 'parked',
        live: true,
        parkedFor: targetOf(n),
        sequence: 0,
        attempts: 0,
        joins: 0,
        dueAt,
        priority: 0,
        queue: 'ws_a',
        start: n,
        lease: null,
        origin: { requestId: '', traceparent: '', environment: 'live' },
        observedAt: null,
        createdAt: dueAt,
        forgetAt: null,
      })),
    );
  const gauge = async (name: string) => (await scheduler.registry.getSingleMetric(name)?.get())?.values[0]?.value;

  it('parked scans of few targets cost a search for a lease a few index keys, however many they are', async () => {
    await park(5_000, (n) => `address:203.0.113.${n % 4}`);
    const first = await scheduler.lease();
    expect(first).not.toBeNull();
    const commands = await scheduler.commandsOn('scans', () => scheduler.lease());
    expect(commands.length).toBeGreaterThan(4);
    for (const { keysExamined = 0, docsExamined = 0, planSummary } of commands) {
      expect(planSummary ?? 'IXSCAN').not.toContain('COLLSCAN');
      expect(keysExamined).toBeLessThanOrEqual(20);
      expect(docsExamined).toBeLessThanOrEqual(20);
    }
  });

  it('parked scans of many targets all get turns, those of 200 targets per search', async () => {
    await park(450, (n) => `address:198.51.${100 + (n % 100)}.${Math.floor(n / 100)}`);
    const parked = () => scheduler.db.collection('scans').countDocuments({ state: 'parked' });
    const left = [];
    for (let search = 0; search < 4; search++) {
      await unparkScans(scheduler.deps);
      left.push(await parked());
    }
    expect(left).toEqual([250, 50, 0, 0]);
  });

  it('parked scans do not count as waiting for scanners, and have an age of their own', async () => {
    await park(3, () => 'address:203.0.113.1');
    scheduler.clock.advance(100_000);
    await scheduler.queue('ws_a', 'chg_1', 'elsewhere.example');
    scheduler.clock.advance(7_000);
    await scheduler.tick();
    expect(await gauge('scan_queue_oldest_seconds')).toBe(7);
    expect(await gauge('scan_parked_oldest_seconds')).toBe(107);
    expect(await gauge('scan_parked')).toBe(3);
    const commands = await scheduler.commandsOn('scans', () => scheduler.tick());
    for (const { keysExamined = 0, docsExamined = 0 } of commands) {
      expect(keysExamined).toBeLessThanOrEqual(20);
      expect(docsExamined).toBeLessThanOrEqual(3);
    }
    await scheduler.db.collection('scans').deleteMany({ state: 'parked' });
    await scheduler.tick();
    expect(await gauge('scan_parked_oldest_seconds')).toBe(0);
  });
});
