import { dayMs, hourMs, ManualClock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { RunningService } from '@shopscope/lifecycle';
import { loadConfig, startMetering } from '@shopscope/metering';
import { type KeyActivity, MeteringServiceService, type RequestsCompleted, type Units } from '@shopscope/proto';
import { serviceEnvironment, type TestNamespace, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoKey, type DemoUsageOptions, makeDemoUsage } from '../src/index.ts';

/** The first day of a month, so that only the real clock shows this period. */
const today = Date.UTC(2031, 5, 1);
const [may, june] = [Date.UTC(2031, 4, 1), today];
const included: Units = { lookupCached: 250_000, lookupLive: 5_000, historyQuery: 0, refreshRequested: 0 };

describe('demo usage', () => {
  let namespace: TestNamespace;
  const clock = new ManualClock(today);
  const services: RunningService[] = [];
  const published: KeyActivity[] = [];
  const logged: RequestsCompleted[] = [];
  let metering: GrpcClient<typeof MeteringServiceService>;

  beforeAll(async () => {
    namespace = testNamespace('demo-usage');
    for (const n of [0, 1]) {
      const env = { ...serviceEnvironment(namespace, 'metering'), INSTANCE_ID: `metering-${n}-${namespace.id}` };
      services.push(await startMetering(loadConfig({ ...env, DEVELOPMENT_CLOCK: 'true' }), { clock }));
    }
    const address = `ipv4:${services.map(({ grpcAddress }) => grpcAddress).join(',')}`;
    metering = createGrpcClient({ definition: MeteringServiceService, address });
  });
  afterAll(async () => {
    metering?.close();
    for (const service of services) await service.stop();
    await namespace?.cleanup();
  });

  const optionsOf = (firstRunMs = clock.now()): DemoUsageOptions => {
    const patterns = ['production', 'batch', 'stopped', 'testing'] as const;
    return {
      metering,
      publishActivity: async (reports) => {
        published.push(...reports);
      },
      publishRequests: async (events) => {
        logged.push(...events);
      },
      adminUrls: services.map(({ adminUrl }) => adminUrl),
      workspaceId: newId('ws'),
      // The ids sort in the order of the patterns.
      keys: patterns.map((pattern, n): DemoKey => ({ keyId: `key_${n}_${pattern}`, prefix: '', pattern })),
      included,
      firstRunMs,
      clock,
    };
  };
  /** Look-ups by day and key. */
  const rowsOf = async (workspaceId: string, periods = [may, june]) => {
    const usages = await Promise.all(
      periods.map((periodStartMs) => metering.getDailyUsage({ workspaceId, periodStartMs })),
    );
    expect(usages.flatMap(({ notRecorded }) => notRecorded)).toEqual([]);
    return usages
      .flatMap(({ days }) => days)
      .map(({ dayStartMs, keyId, used }) => {
        const day = new Date(dayStartMs).toISOString().slice(0, 10);
        return { day, keyId, cached: used?.lookupCached ?? 0, live: used?.lookupLive ?? 0 };
      });
  };
  const samplesOf = async (name: string) => {
    const texts = await Promise.all(services.map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text()));
    const samples = texts.flatMap((text) => [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))]);
    return samples.reduce((sum, [, value]) => sum + Number(value), 0);
  };

  it('the demo usage covers fourteen days in two periods, equals GetUsage, stays within the allowance, and gives the time back', async () => {
    clock.setWall(today + 9 * hourMs);
    const options = optionsOf();
    const { workspaceId } = options;
    const made = await makeDemoUsage(options);
    expect(made).toEqual({ billed: expect.any(Number), existing: 0, refused: 0 });
    expect(made.billed).toBeGreaterThan(500);

    const rows = await rowsOf(workspaceId);
    const days = new Set(rows.map(({ day }) => day));
    expect([days.size, [...days][0], [...days].at(-1)]).toEqual([14, '2031-05-19', '2031-06-01']);
    expect(new Set(rows.map(({ keyId }) => keyId)).size).toBe(4);
    expect(rows.some(({ live }) => live > 0)).toBe(true);
    for (const periodStartMs of [may, june]) {
      const { balance, keys } = await metering.getUsage({ workspaceId, periodStartMs });
      const byDay = await rowsOf(workspaceId, [periodStartMs]);
      for (const { keyId, used } of keys) {
        const ofKey = byDay.filter((row) => row.keyId === keyId);
        expect(ofKey.reduce((sum, { cached }) => sum + cached, 0)).toBe(used?.lookupCached);
        expect(ofKey.reduce((sum, { live }) => sum + live, 0)).toBe(used?.lookupLive);
      }
      expect(balance?.used?.lookupCached).toBe(byDay.reduce((sum, { cached }) => sum + cached, 0));
      expect(balance?.used?.lookupCached).toBeLessThan(0.7 * included.lookupCached);
      expect(balance?.reserved).toMatchObject({ lookupCached: 0, lookupLive: 0 });
    }
    // Each instance is in the real period again.
    for (const _ of services) {
      const { balance } = await metering.getUsage({ workspaceId });
      expect(balance?.periodStartMs).toBe(june);
    }
  });

  it('the demo usage leaves a ledger that verifies: sweeper and reconciler find nothing to return or to repair', async () => {
    await makeDemoUsage(optionsOf());
    const compared = await samplesOf('metering_reconciled_total');
    await expect
      .poll(async () => {
        clock.advance(6_000);
        return samplesOf('metering_reconciled_total');
      })
      .toBeGreaterThan(compared + 4);
    expect(await samplesOf('metering_ledger_entries_total')).toBeGreaterThan(500);
    expect(await samplesOf('metering_reconcile_repairs_total')).toBe(0);
    expect(await samplesOf('metering_late_usage_total')).toBe(0);
    expect(await samplesOf('metering_swept_total\\{.*outcome="given_back".*\\}')).toBe(0);
  });

  it('the demo usage is made once: a second run on the same day adds nothing', async () => {
    const options = optionsOf();
    const { workspaceId } = options;
    const first = await makeDemoUsage(options);
    const before = await rowsOf(workspaceId);
    clock.advance(5 * hourMs);
    expect(await makeDemoUsage(options)).toEqual({ billed: 0, existing: first.billed, refused: 0 });
    expect(await rowsOf(workspaceId)).toEqual(before);
  });

  it('the demo usage reports each billed charge once, in its hour and with the time of the latest one', async () => {
    const options = optionsOf();
    const { billed } = await makeDemoUsage(options);
    await makeDemoUsage(options);
    const reports = published.filter(({ workspaceId }) => workspaceId === options.workspaceId);
    expect(reports.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(billed);
    for (const { hourStartMs, lastUsedAtMs } of reports) {
      expect(hourStartMs % hourMs).toBe(0);
      expect(lastUsedAtMs - hourStartMs).toBeGreaterThanOrEqual(0);
      expect(lastUsedAtMs - hourStartMs).toBeLessThan(hourMs);
      expect(lastUsedAtMs).toBeLessThanOrEqual(clock.now());
    }
    const numbers = reports.map(({ sequence }) => sequence);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  it('the demo usage logs each billed charge as one request, with its units and the same id in every run', async () => {
    const options = optionsOf();
    const { billed } = await makeDemoUsage(options);
    await makeDemoUsage(options);
    const events = logged.filter(({ workspaceId }) => workspaceId === options.workspaceId);
    const requests = events.flatMap((event) => event.requests);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(billed);
    expect(requests).toHaveLength(billed);
    for (const { domains, units, startedAtMs } of requests) {
      expect(domains).toBeGreaterThanOrEqual(Math.min(100, units?.lookupCached ?? 0));
      expect(startedAtMs).toBeLessThanOrEqual(clock.now());
    }
  });

  it('the demo usage gets the days since the last run on a later day, and no other change', async () => {
    const options = optionsOf();
    const { workspaceId } = options;
    await makeDemoUsage(options);
    const before = await rowsOf(workspaceId);
    clock.advance(2 * dayMs);
    expect(await makeDemoUsage(options)).toMatchObject({ refused: 0 });
    const after = await rowsOf(workspaceId);
    const isBefore = ({ day }: { day: string }) => day < '2031-06-01';
    expect(after.filter(isBefore)).toEqual(before.filter(isBefore));
    expect([...new Set(after.map(({ day }) => day))].slice(-3)).toEqual(['2031-06-01', '2031-06-02', '2031-06-03']);
    clock.setWall(today + 9 * hourMs);
  });

  it('the demo usage is completed by the next run after a failure in the middle, and the time is given back at the failure', async () => {
    const [whole, halted] = [optionsOf(), optionsOf()];
    await makeDemoUsage(whole);
    let calls = 0;
    const failing: DemoUsageOptions['metering'] = {
      reserve: metering.reserve,
      recordUsage: (request, call) => {
        calls += 1;
        return calls === 6 ? Promise.reject(new Error('killed')) : metering.recordUsage(request, call);
      },
    };
    await expect(makeDemoUsage({ ...halted, metering: failing })).rejects.toThrow('killed');
    const { balance } = await metering.getUsage({ workspaceId: halted.workspaceId });
    expect(balance?.periodStartMs).toBe(june);
    expect((await rowsOf(halted.workspaceId)).length).toBeLessThan((await rowsOf(whole.workspaceId)).length);
    await makeDemoUsage(halted);
    expect(await rowsOf(halted.workspaceId)).toEqual(await rowsOf(whole.workspaceId));
  });

  it('the demo usage leaves charges out that do not fit into the allowance', async () => {
    const options = optionsOf();
    const { workspaceId, keys } = options;
    const [{ keyId }] = keys as [DemoKey];
    const most = { ...included, lookupCached: included.lookupCached - 100 };
    const item = {
      chargeId: newId('chg'),
      workspaceId,
      keyId,
      executionId: '',
      requestId: '',
      fingerprint: Buffer.alloc(0),
    };
    await metering.reserve({ items: [{ ...item, units: { ...most, lookupLive: 0 }, included }] });
    const made = await makeDemoUsage(options);
    expect(made.refused).toBeGreaterThan(0);
    const { balance } = await metering.getUsage({ workspaceId });
    expect(balance?.used?.lookupCached).toBeLessThanOrEqual(100);
  });

  it('the demo usage needs the movable clock, and says so', async () => {
    const plain = await startMetering(
      loadConfig({ ...serviceEnvironment(namespace, 'metering'), INSTANCE_ID: `metering-9-${namespace.id}` }),
      { clock },
    );
    try {
      await expect(makeDemoUsage({ ...optionsOf(), adminUrls: [plain.adminUrl] })).rejects.toThrow(
        `The service metering at ${plain.adminUrl} runs without DEVELOPMENT_CLOCK=true.`,
      );
    } finally {
      await plain.stop();
    }
  });
});
