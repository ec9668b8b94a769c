import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTestHosts } from '@shopscope/demo-stores';
import { newId } from '@shopscope/ids';
import { ScanUnit } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';

/**
 * The real scheduler and one real scanner with its default concurrency. The test decides when a store answers, so the
 * duration of scans does not depend on the machine. The test of leases in scan-scheduler shows the times that this
 * order gives.
 */
describe('one scan asked for beside 2,000 scans of another workspace', { tags: ['nightly'] }, () => {
  const scannerConcurrency = 4;
  const large = Array.from({ length: 2_000 }, (_, n) => `slow-shop-${n}.example`);
  const single = 'single-shop.example';
  const directory = mkdtempSync(join(tmpdir(), 'fair-scans-'));
  /** The responses that wait, in the order of their requests. */
  const waiting: (() => void)[] = [];
  let stores: Server;
  let env: DevEnv;
  let mongo: MongoClient;
  let queuedAtMs: number;
  let job: Document;

  const jobs = () => mongo.db(env.data.databaseName('scan_scheduler')).collection('jobs');
  const request = (workspaceId: string, domains: readonly string[]) =>
    env.scans.requestScans({
      requests: domains.map((domain) => {
        const ids = { jobId: newId('job'), chargeId: newId('chg') };
        return { ...ids, workspaceId, domain, unit: ScanUnit.LOOKUP_LIVE, requestedAtMs: Date.now() };
      }),
    });

  beforeAll(async () => {
    stores = createServer(({ url }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/html' });
      waiting.push(() => response.end('<html><title>A slow shop</title><body>Teas of the mountains</body></html>'));
    });
    await new Promise<void>((resolve) => stores.listen(0, '127.0.0.1', resolve));
    const { port } = stores.address() as AddressInfo;
    const hostsFile = join(directory, 'scan-hosts.json');
    const hosts = [...large, single].map((domain) => [domain, { address: '127.0.0.1', port, tls: false }]);
    await writeTestHosts(hostsFile, Object.fromEntries(hosts));
    env = await startDevEnv({
      label: 'fair-scans',
      envOf: (service): Record<string, string> => (service === 'scanner' ? { SHOPSCOPE_SCAN_HOSTS: hostsFile } : {}),
    });
    mongo = await MongoClient.connect(env.data.mongoUrl);

    for (let at = 0; at < large.length; at += 100) await request('ws_large', large.slice(at, at + 100));
    // The scanner is busy with the large workspace.
    await waitUntil(
      'all workers of the scanner to be busy',
      async () => (await jobs().countDocuments({ state: 'running' })) >= scannerConcurrency,
    );
    await request('ws_single', [single]);
    queuedAtMs = Date.now();
    job = await waitUntil('the end of the single scan', () => {
      waiting.shift()?.();
      return jobs().findOne({ workspaceId: 'ws_single', finishedAt: { $type: 'date' } });
    });
  });
  afterAll(async () => {
    await mongo?.close();
    await env?.stop();
    stores?.closeAllConnections();
    stores?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('a scan asked for beside 2,000 scans of another workspace succeeds while most of them still wait', async () => {
    expect(job.state).toBe('succeeded');
    expect(await jobs().countDocuments({ workspaceId: 'ws_large', state: 'queued' })).toBeGreaterThan(1_500);
  });

  it('a scan waits for no more leases of another workspace than the scanner asks for at once', async () => {
    const between = { $gt: new Date(queuedAtMs), $lt: job.startedAt };
    const leasedBefore = await jobs().countDocuments({ workspaceId: 'ws_large', startedAt: between });
    expect(leasedBefore).toBeLessThanOrEqual(scannerConcurrency);
  });
});
