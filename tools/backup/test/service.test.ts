import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, ManualClock, minuteMs } from '@shopscope/clock';
import type { RunningService } from '@shopscope/lifecycle';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dumpName } from '../src/catalog.ts';
import { loadConfig } from '../src/config.ts';
import { dump } from '../src/dump.ts';
import { type BackupOptions, startBackup } from '../src/service.ts';

describe('the backup service', () => {
  const namespace = testNamespace('backup-service');
  const database = namespace.databaseName('accounts');
  let client: MongoClient;
  let folder: string;
  let clock: ManualClock;
  let service: RunningService;
  beforeAll(async () => {
    client = await MongoClient.connect(namespace.mongoUrl);
    await client.db(database).collection('accounts').insertOne({ units: 10 });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-service-'));
    clock = new ManualClock(Date.UTC(2026, 10, 22, 9));
    vi.spyOn(clock, 'sleep');
  });
  afterEach(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await client?.close();
    await namespace.cleanup();
  });

  const good: BackupOptions['dump'] = (to) => dump({ ...to, client, databases: [database] });
  const start = async (dumpTo = good) => {
    const config = loadConfig({ ...serviceEnvironment(namespace, 'backup') });
    service = await startBackup({ config, folder, expectedBytes: async () => 1, dump: dumpTo }, { clock });
  };
  const metric = async (name: string) => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^backup_${name}{.*} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const lastSuccess = () => metric('last_success_timestamp_seconds');
  /** The service looks at the time, dumps if it must, and then sleeps. */
  const untilAsleep = (sleeps: number) =>
    vi.waitFor(() => expect(vi.mocked(clock.sleep).mock.calls.length).toBe(sleeps), { timeout: 60_000 });
  const pass = async (ms: number) => {
    const sleeps = vi.mocked(clock.sleep).mock.calls.length;
    clock.advance(ms);
    await untilAsleep(sleeps + 1);
  };

  it('the backup service makes a missed dump at its start, then one a day, and its metrics survive a restart', async () => {
    const startMs = clock.now();
    await start();
    await untilAsleep(1);
    expect([await lastSuccess(), await metric('running')]).toEqual([startMs / 1_000, 0]);
    await service.stop();
    await start();
    await untilAsleep(2);
    expect(await lastSuccess()).toBe(startMs / 1_000);
    await pass(18 * hourMs + 16 * minuteMs);
    expect(readdirSync(folder)).toEqual(['2026-11-22T090000']);
    await pass(2 * minuteMs);
    expect(readdirSync(folder)).toEqual(['2026-11-22T090000', '2026-11-23T031800']);
    expect(await metric('good_dumps')).toBe(2);
  });

  it('the backup service repeats a failed dump after an hour, and its metrics show the attempt and no success', async () => {
    const starts: number[] = [];
    await start(async () => {
      starts.push(clock.now());
      throw new Error('no server');
    });
    await untilAsleep(1);
    const startMs = clock.now();
    expect(await metric('last_attempt_timestamp_seconds')).toBe(startMs / 1_000);
    expect([await lastSuccess(), await metric('good_dumps')]).toEqual([0, 0]);
    await pass(58 * minuteMs);
    expect(starts).toEqual([startMs]);
    await pass(2 * minuteMs);
    expect(starts).toEqual([startMs, startMs + hourMs]);
  });

  it('the backup service that stops during a dump aborts it', async () => {
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await start(async ({ abort }) => {
      abort.addEventListener('abort', () => aborted.resolve());
      begun.resolve();
      await aborted.promise;
      throw abort.reason;
    });
    await begun.promise;
    expect([await metric('running'), await service.pending()]).toEqual([1, 1]);
    await service.stop();
    await aborted.promise;
  });

  it('the backup service shows the dump of another process as running, and does not disturb it', async () => {
    const other = dumpName(clock.now() - minuteMs);
    mkdirSync(join(folder, other));
    await start();
    await untilAsleep(1);
    expect(await metric('running')).toBe(1);
    await pass(hourMs);
    expect(readdirSync(folder)).toEqual([other]);
  });

  it('the admin port of the backup service has no way to the dumps', async () => {
    await start();
    await untilAsleep(1);
    expect(await metric('good_dumps')).toBe(1);
    const [name] = readdirSync(folder);
    for (const path of [`/${name}/manifest.json`, `/metrics/../${name}/manifest.json`, folder, '/']) {
      expect((await fetch(service.adminUrl + path)).status).toBe(404);
    }
  });
});
