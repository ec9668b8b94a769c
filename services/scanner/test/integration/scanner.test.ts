import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoStores, startDemoStores, writeTestHosts } from '@shopscope/demo-stores';
import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { LeaseResult, type ObservationCompleted, ObservationOutcome, observationCompleted } from '@shopscope/proto';
import {
  type CollectedEvents,
  type KafkaHarness,
  serviceEnvironment,
  startKafkaHarness,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig, startScanner } from '../../src/index.ts';
import { hostileListing } from './support/hostile-listing.ts';
import { type HostileServer, html, shopPage, startHostileServer } from './support/hostile-server.ts';
import { type SchedulerStub, startSchedulerStub } from './support/scheduler-stub.ts';

describe('the scanner', () => {
  const namespace = testNamespace('scanner');
  let scheduler: SchedulerStub;
  let stores: DemoStores;
  let hostile: HostileServer;
  let directory: string;
  let hostsFile: string;
  let scanner: RunningService;
  let kafka: KafkaHarness;
  let observations: CollectedEvents<ObservationCompleted>;

  const configFor = (schedulerAddress: string, over: Record<string, string> = {}) =>
    loadConfig({
      ...serviceEnvironment(namespace, 'scanner'),
      SCAN_SCHEDULER_ADDRESS: schedulerAddress,
      SHOPSCOPE_SCAN_HOSTS: hostsFile,
      SCAN_HOST_DELAY_MS: '0',
      ...over,
    });
  const observationOf = (scanId: string) =>
    waitUntil(`the observation of ${scanId}`, () => observations.received.find(({ event }) => event.scanId === scanId));

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'scanner-'));
    hostsFile = join(directory, 'hosts.json');
    stores = await startDemoStores({ host: '127.0.0.1', port: 0, testHostsFile: hostsFile });
    hostile = await startHostileServer();
    scheduler = await startSchedulerStub();
    scanner = await startScanner(configFor(scheduler.address));
    kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace);
    observations = await kafka.collect(observationCompleted);
  });
  afterAll(async () => {
    await scanner?.stop();
    await kafka?.close();
    await scheduler?.stop();
    await hostile?.stop();
    await stores?.stop();
    if (directory) await rm(directory, { recursive: true });
    await namespace.cleanup();
  });

  it('the scanner makes the observation of a leased scan durable before the lease ends', async () => {
    const finish = await scheduler.scan('northwind-tea.example');
    expect(finish.result).toBe(LeaseResult.OBSERVED);
    const { event, meta } = await observationOf(finish.scanId);
    expect(event).toMatchObject({
      scanId: finish.scanId,
      domain: 'northwind-tea.example',
      outcome: ObservationOutcome.OBSERVED,
      platform: { slug: 'shopify' },
      scope: 'full',
    });
    expect(event.sequence).toBeGreaterThan(0);
    expect(event.completedAtMs).toBeGreaterThanOrEqual(event.startedAtMs);
    expect(meta.requestId).toMatch(/^req_/);
  });

  it('the scanner also publishes an observation of an unreachable store', async () => {
    const finish = await scheduler.scan('gone-fishing-lures.example');
    expect(finish.result).toBe(LeaseResult.OBSERVED);
    expect((await observationOf(finish.scanId)).event).toMatchObject({
      outcome: ObservationOutcome.UNREACHABLE,
      reason: 'connection_refused',
      statusState: 'unreachable',
    });
  });

  it('the scanner reaches a host as soon as it is added to the scan hosts file', async () => {
    const before = await scheduler.scan('latecomer.test');
    expect((await observationOf(before.scanId)).event.reason).toBe('dns_failure');
    hostile.on('latecomer.test', (_, response) =>
      html(response).end('<html><title>Late</title><body>Teas of the mountains</body></html>'),
    );
    await writeTestHosts(hostsFile, { ...stores.testHosts, ...hostile.hosts });
    const after = await scheduler.scan('latecomer.test');
    expect((await observationOf(after.scanId)).event.outcome).toBe(ObservationOutcome.OBSERVED);
  });

  it('the scanner reports its scans in metrics and its readiness', async () => {
    const metrics = await (await fetch(`${scanner.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/scanner_scans_total\{outcome="observed",reason="",service="scanner"\} \d/);
    expect(metrics).toMatch(/scanner_received_bytes_total\{kind="page"/);
    expect((await fetch(`${scanner.adminUrl}/readyz`)).status).toBe(200);
    expect(await scanner.pending()).toBe(0);
  });

  it('the scanner releases, at a stop, the lease of a scan that does not end in time', async () => {
    const other = await startSchedulerStub();
    hostile.on('hanging.test', () => {});
    await writeTestHosts(hostsFile, { ...stores.testHosts, ...hostile.hosts });
    const stopping = await startScanner(configFor(other.address, { SCAN_STOP_GRACE_MS: '50' }));
    const finish = other.scan('hanging.test');
    await waitUntil('the request of the page', () => hostile.requestsOf('hanging.test').length > 1);
    await stopping.stop();
    expect(await finish).toMatchObject({ result: LeaseResult.ABANDONED, reason: 'scanner_stopping' });
    await other.stop();
  });

  it.each([
    ['memory', { SCAN_EXAMINE_MEMORY_MB: '400' }],
    ['time', { SCAN_EXAMINE_MEMORY_MB: '4096', SCAN_EXAMINE_CPU_MS: '400' }],
  ])('a store that needs too much %s ends its own scan with the reason, and no other scan', async (kind, limits) => {
    const other = await startSchedulerStub();
    const domain = `needs-${kind}.test`;
    const listing = hostileListing();
    hostile.on(domain, (request, response) => {
      if (request.url === '/') return void html(response).end(shopPage(5_000));
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(listing);
    });
    const domains = [domain, `first-beside-${kind}.test`, `second-beside-${kind}.test`];
    for (const beside of domains.slice(1)) hostile.on(beside, (_, response) => html(response).end(shopPage(5_000)));
    await writeTestHosts(hostsFile, { ...stores.testHosts, ...hostile.hosts });
    const limited = await startScanner(configFor(other.address, limits));
    await Promise.all(domains.map((store) => other.scan(store)));
    const seen = await Promise.all(
      domains.map((store) =>
        waitUntil(`the observation of ${store}`, () =>
          observations.received.find(({ event }) => event.domain === store),
        ),
      ),
    );
    expect(seen.map(({ event }) => [event.outcome, event.reason, event.statusState])).toEqual([
      [ObservationOutcome.REFUSED, 'not_examinable', ''],
      [ObservationOutcome.OBSERVED, '', 'active_storefront'],
      [ObservationOutcome.OBSERVED, '', 'active_storefront'],
    ]);
    const metrics = await (await fetch(`${limited.adminUrl}/metrics`)).text();
    const cause = kind === 'memory' ? 'memory' : 'cpu';
    expect(metrics).toContain(`scanner_examiners_ended_total{cause="${cause}",service="scanner"} 1\n`);
    await limited.stop();
    await other.stop();
  });

  it('the scanner sends BOT_INFO_URL in its user agent, and no address when it is not set', async () => {
    const agents: (string | undefined)[] = [];
    hostile.on('asking.test', (request, response) => {
      agents.push(request.headers['user-agent']);
      html(response).end('<html><title>Who are you?</title></html>');
    });
    await writeTestHosts(hostsFile, { ...stores.testHosts, ...hostile.hosts });
    await scheduler.scan('asking.test');
    const other = await startSchedulerStub();
    const told = await startScanner(configFor(other.address, { BOT_INFO_URL: 'https://shopscope.test/robot' }));
    await other.scan('asking.test');
    await told.stop();
    await other.stop();
    expect([...new Set(agents)]).toEqual(['ShopscopeBot/1.0', 'ShopscopeBot/1.0 (+https://shopscope.test/robot)']);
  });

  it('an idle scanner that stops ends the call in which it waits for a scan', async () => {
    const other = await startSchedulerStub();
    const idle = await startScanner(configFor(other.address));
    await waitUntil('the call that waits for a scan', () => other.waiting() > 0);
    await idle.stop();
    expect(other.abortedWaits()).toBeGreaterThan(0);
    await other.stop();
  });

  it('the scanner leases no scan and visits no site while the broker is unavailable', async () => {
    const other = await startSchedulerStub();
    const before = stores.requestsOf('harbour-books.example').length;
    const alone = await startScanner(configFor(other.address, { KAFKA_BROKERS: '127.0.0.1:1' }));
    const finish = other.scan('harbour-books.example');
    const readyz = await fetch(`${alone.adminUrl}/readyz`);
    expect(await readyz.json()).toMatchObject({ ready: false, components: { kafka: 'unavailable' } });
    await alone.stop();
    expect(stores.requestsOf('harbour-books.example')).toHaveLength(before);
    expect(await Promise.race([finish, 'not leased'])).toBe('not leased');
    await other.stop();
  });

  it('the scanner publishes nothing for a lost lease', async () => {
    const other = await startSchedulerStub();
    other.loseLeases();
    const losing = await startScanner(configFor(other.address));
    const finish = other.scan('maple-and-moss.example');
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${losing.adminUrl}/metrics`)).text();
      expect(metrics).toMatch(/scanner_scans_total\{outcome="lost",reason="lease_lost",service="scanner"\} 1/);
    }, 60_000);
    await losing.stop();
    expect(stores.requestsOf('maple-and-moss.example')).toEqual([]);
    expect(await Promise.race([finish, 'not given back'])).toBe('not given back');
    await other.stop();
  });

  it('the scanner continues when the scheduler is available again', async () => {
    const first = await startSchedulerStub();
    const patient = await startScanner(configFor(first.address));
    await first.stop();
    await waitUntil(
      'the scanner not to be ready',
      async () => (await fetch(`${patient.adminUrl}/readyz`)).status === 503,
    );
    const port = Number(first.address.split(':')[1]);
    const second = await startSchedulerStub(port);
    expect((await second.scan('tiny-acre-honey.example')).result).toBe(LeaseResult.OBSERVED);
    expect((await fetch(`${patient.adminUrl}/readyz`)).status).toBe(200);
    await patient.stop();
    await second.stop();
  }, 30_000);
});
