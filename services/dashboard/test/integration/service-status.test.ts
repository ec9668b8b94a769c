import { ManualClock } from '@shopscope/clock';
import { silentTelemetry, testNamespace, waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/app/wiring/dependencies.ts';
import { startStatusMeasurement } from '../../src/status/operations/measure-status.ts';
import { read } from '../../src/status/operations/service-status.ts';
import { createStatusDayStore } from '../../src/status/outbound/status-days.ts';

const namespace = testNamespace('status');
const noon = Date.UTC(2026, 10, 22, 12);
let mongo: MongoClient;
beforeAll(async () => {
  mongo = await MongoClient.connect(namespace.mongoUrl);
});
afterAll(async () => {
  await mongo.close();
  await namespace.cleanup();
});

const db = () => mongo.db(namespace.databaseName('dashboard'));
beforeEach(async () => {
  await db().collection('status_days').deleteMany({});
});

describe('minutes of the service', () => {
  it('the minutes of the service are counted once each, however many instances measure', async () => {
    const days = createStatusDayStore(db());
    const results = { api: true, scans: false };
    await Promise.all(Array.from({ length: 8 }, () => days.count(noon, results)));
    await days.count(noon + 20_000, { api: false, scans: false });
    await days.count(noon + 60_000, { api: true, scans: true });
    const { daysOf, latest } = await days.read(noon - 86_400_000, 1_000);
    expect(daysOf('api')).toEqual([{ dayMs: Date.UTC(2026, 10, 22), measured: 2, failed: 0 }]);
    expect(daysOf('scans')).toEqual([{ dayMs: Date.UTC(2026, 10, 22), measured: 2, failed: 1 }]);
    expect(latest).toEqual({ atMs: noon + 60_000, failing: new Set() });
  });

  it('the service status says which part does not answer, and that nothing is known when nothing was measured lately', async () => {
    const clock = new ManualClock(new Date(noon));
    const deps = {
      probes: { keys: async () => true, lookups: () => Promise.reject(new Error('away')), usage: async () => false },
      statusDays: createStatusDayStore(db()),
      clock,
      logger: silentTelemetry().logger,
    } as Partial<Dependencies> as Dependencies;
    const measurement = startStatusMeasurement(deps);
    const working = async () =>
      Object.fromEntries((await read(deps)).parts.map(({ id, isWorking }) => [id, isWorking]));
    await waitUntil('the first minute', async () => (await working()).dashboard !== undefined);
    expect(await working()).toEqual({ lookups: false, keys: true, usage: false, dashboard: true });
    await measurement.stop();
    clock.advance(6 * 60_000);
    expect(await working()).toEqual({ lookups: undefined, keys: undefined, usage: undefined, dashboard: undefined });
  });
});
