import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '@shopscope/clock';
import type { RunningService } from '@shopscope/lifecycle';
import { loadConfig, startScanScheduler } from '@shopscope/scan-scheduler';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runAdmin } from './command.ts';

/** The real program and the real scan-scheduler. */
describe('scans queue', () => {
  const namespace = testNamespace('scans-queue');
  const folder = mkdtempSync(join(tmpdir(), 'scans-queue-'));
  let scheduler: RunningService;
  let mongo: MongoClient;
  let db: Db;
  beforeAll(async () => {
    scheduler = await startScanScheduler(loadConfig(serviceEnvironment(namespace, 'scan-scheduler')));
    mongo = await MongoClient.connect(namespace.mongoUrl);
    db = mongo.db(namespace.databaseName('scan_scheduler'));
  });
  beforeEach(async () => {
    for (const name of ['scans', 'scan_targets', 'queue_starts']) await db.collection(name).deleteMany({});
  });
  afterAll(async () => {
    await mongo?.close();
    await scheduler?.stop();
    await namespace.cleanup();
    rmSync(folder, { recursive: true, force: true });
  });

  const path = join(folder, 'domains.txt');
  const write = (...lines: string[]) => writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  const admin = (...options: string[]) =>
    runAdmin(['scans', 'queue', path, '--json', ...options], { SCAN_SCHEDULER_ADDRESS: scheduler.grpcAddress ?? '' });
  const queue = async (...options: string[]) => {
    const { code, stdout, stderr } = await admin(...options);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const scans = () => db.collection('scans').find().sort({ start: 1 }).toArray();

  it('scans queue creates a background scan of every domain, without a job of a workspace', async () => {
    write('first.example', '', 'https://www.Second.example/shop', 'third.example');
    expect(await queue()).toMatchObject({ domains: 3, queued: 3, already_live: 0, visited_recently: 0, repeated: 0 });
    expect((await scans()).map(({ domain, priority, state }) => [domain, priority, state])).toEqual([
      ['first.example', 1, 'ready'],
      ['second.example', 1, 'ready'],
      ['third.example', 1, 'ready'],
    ]);
    expect(await db.collection('jobs').countDocuments()).toBe(0);
  });

  it('scans queue continues when it is run again: no domain is queued twice', async () => {
    const domains = Array.from({ length: 1_201 }, (_, n) => `shop-${n}.example`);
    write(...domains.slice(0, 700));
    expect(await queue()).toMatchObject({ queued: 700 });
    write(...domains, 'shop-1200.example');
    expect(await queue()).toMatchObject({ domains: 1_201, repeated: 1, queued: 501, already_live: 700 });
    expect(new Set((await scans()).map(({ domain }) => domain)).size).toBe(1_201);
    expect(await scans()).toHaveLength(1_201);
  });

  it('scans queue leaves out domains that were visited within a day, or within the hours of the operator', async () => {
    const targets = db.collection<{ _id: string; lastVisitAt: Date }>('scan_targets');
    const visited = (domain: string, hours: number) =>
      targets.insertOne({ _id: domain, lastVisitAt: new Date(Date.now() - hours * hourMs) });
    await visited('an-hour-ago.example', 1);
    await visited('two-days-ago.example', 48);
    write('an-hour-ago.example', 'two-days-ago.example');
    expect(await queue()).toMatchObject({ queued: 1, visited_recently: 1 });
    expect((await scans()).map(({ domain }) => domain)).toEqual(['two-days-ago.example']);
    expect(await queue('--skip-visited-hours', '0')).toMatchObject({ queued: 1, already_live: 1 });
  });

  it('scans queue queues nothing when a line is not a domain, and names the line and the problem', async () => {
    write('shop.example', 'not a domain', '', '192.0.2.1', 'com');
    const { code, stdout, stderr } = await admin();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${path}: line 2: is not a host name\n`);
    expect(stderr).toContain(`${path}: line 4: is an IP address\n`);
    expect(stderr).toContain(`${path}: line 5: has no registrable domain\n`);
    expect(stderr).toContain('3 lines are not domains; nothing was queued.');
    expect(await scans()).toEqual([]);
  });

  it('scans queue skips lines that are not domains when the operator says so, and fails afterwards', async () => {
    write('shop.example', 'not a domain', 'other.example');
    const { code, stdout, stderr } = await admin('--skip-invalid');
    expect(code).toBe(1);
    expect(stderr).toBe(`${path}: line 2: is not a host name; skipped\n`);
    expect(JSON.parse(stdout)).toMatchObject({ queued: 2, invalid_lines: 1 });
  });

  it('scans queue reports a file that does not exist', async () => {
    rmSync(path, { force: true });
    expect(await admin()).toMatchObject({ code: 1, stderr: `There is no file ${path}.\n` });
  });
});
