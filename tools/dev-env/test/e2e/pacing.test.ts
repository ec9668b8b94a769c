import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import type { RunningService } from '@shopscope/lifecycle';
import { fixedTestHosts, type TestHost } from '@shopscope/outbound-http';
import { ScanSchedulerServiceService, ScanUnit } from '@shopscope/proto';
import { loadConfig as schedulerConfig, startScanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as scannerConfig, startScanner } from '@shopscope/scanner';
import { serviceEnvironment, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Addresses of this machine, which the configuration paces as it paces addresses of others in production. */
const sharedAddress = '127.0.0.9';
const victimAddress = '127.0.0.10';
const sharedRate = 12;
const victimRate = 6;
const platforms = [
  {
    name: 'shared',
    addresses: [sharedAddress],
    requests_per_second: sharedRate,
    domain_requests_per_second: sharedRate,
  },
  {
    name: 'victim',
    addresses: [victimAddress],
    requests_per_second: victimRate,
    domain_requests_per_second: victimRate,
  },
  {
    name: 'loopback',
    addresses: ['127.0.0.0/8'],
    requests_per_second: 100_000,
    domain_requests_per_second: 100_000,
  },
];

/** Two schedulers, three scanners with four scans each, and sites on loopback. */
describe('scans by several scanners', { tags: ['nightly'] }, () => {
  const namespace = testNamespace('pacing');
  const stopping: (() => Promise<unknown>)[] = [];
  const hosts: Record<string, TestHost> = {};
  const requestsAt = new Map<string, number[]>();
  let scheduler: GrpcClient<typeof ScanSchedulerServiceService>;

  /** A server at an address; its requests are counted by the address. */
  async function serve(address: string, location?: (host: string) => string) {
    const times: number[] = [];
    requestsAt.set(address, times);
    const server: Server = createServer((request, response) => {
      times.push(performance.now());
      const target = location?.(String(request.headers.host));
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      if (target) return response.writeHead(302, { location: target }).end();
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    stopping.push(async () => server.close());
    const { port } = server.address() as AddressInfo;
    return (host: string) => {
      hosts[host] = { address, port, tls: false };
    };
  }
  const running = (service: RunningService) => {
    stopping.push(() => service.stop());
    return service;
  };
  const queue = async (domains: string[]) => {
    const origin = { requestId: 'req_pacing', traceparent: '', environment: 'live' as const };
    const [workspaceId, chargeId] = [newId('ws'), newId('chg')];
    const charge = { workspaceId, chargeId, unit: ScanUnit.LOOKUP_LIVE };
    const { claims } = await scheduler.claimScans({ ...charge, domains }, { origin });
    const requests = claims.map(({ jobId }, n) => {
      return { ...charge, jobId, domain: String(domains[n]), requestedAtMs: Date.now() };
    });
    await scheduler.requestScans({ requests });
  };
  /**
   * Returns the number of requests above the rate since an instant before the first one. A slow machine only delays
   * requests.
   */
  const excess = (times: readonly number[], fromMs: number, rate: number) =>
    Math.max(...times.map((atMs, n) => n + 1 - Math.ceil(((atMs - fromMs) / 1_000) * rate)));

  beforeAll(async () => {
    const env = (name: string) => ({
      ...serviceEnvironment(namespace, name),
      PACING_PLATFORMS: JSON.stringify(platforms),
    });
    const schedulers = [];
    for (const instance of ['scheduler-1', 'scheduler-2']) {
      const config = schedulerConfig({ ...env('scan-scheduler'), INSTANCE_ID: instance });
      schedulers.push(running(await startScanScheduler(config)));
    }
    const [first] = schedulers;
    scheduler = createGrpcClient({ definition: ScanSchedulerServiceService, address: first?.grpcAddress ?? '' });
    const testHosts = fixedTestHosts(hosts);
    for (const n of [0, 1, 2]) {
      const SCAN_SCHEDULER_ADDRESS = schedulers[n % 2]?.grpcAddress ?? '';
      const config = scannerConfig({ ...env('scanner'), SCAN_SCHEDULER_ADDRESS, SCAN_HOST_DELAY_MS: '0' });
      running(await startScanner(config, { testHosts }));
    }
  });
  afterAll(async () => {
    for (const stop of stopping.toReversed()) await stop();
    scheduler?.close();
    await namespace.cleanup();
  });

  it('scans by several scanners keep the rate of a shared address and of a victim of redirects, and delay no other', async () => {
    const onShared = await serve(sharedAddress);
    const onVictim = await serve(victimAddress);
    const onElsewhere = await serve('127.0.0.11');
    const redirecting = await serve('127.0.0.12', () => 'http://victim.example/');
    onVictim('victim.example');
    onElsewhere('elsewhere.example');
    const shops = Array.from({ length: 50 }, (_, n) => `shared-${n}.example`);
    const redirects = Array.from({ length: 30 }, (_, n) => `redirecting-${n}.example`);
    for (const shop of shops) onShared(shop);
    for (const domain of redirects) redirecting(domain);
    const fromMs = performance.now();
    await queue([...shops, ...redirects]);
    const times = (address: string) => requestsAt.get(address) ?? [];
    await waitUntil('requests to both', () => times(sharedAddress).length >= 6 && times(victimAddress).length >= 4);
    await queue(['elsewhere.example']);
    await waitUntil('the request elsewhere', () => times('127.0.0.11').length > 0);
    // A visit has two requests, robots.txt and the page. So some of the fifty still wait for their turn.
    expect(times(sharedAddress).length).toBeLessThan(2 * shops.length);
    await waitUntil('more requests', () => times(sharedAddress).length >= 14 && times(victimAddress).length >= 8);
    // A second's requests may be sent at once.
    expect(excess(times(sharedAddress), fromMs, sharedRate)).toBeLessThanOrEqual(sharedRate);
    expect(excess(times(victimAddress), fromMs, victimRate)).toBeLessThanOrEqual(victimRate);
  }, 90_000);
});
