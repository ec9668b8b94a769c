import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { consumeEvents, createKafka, createProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { createNameResolver, dialTcp, fixedTestHosts } from '@shopscope/outbound-http';
import { LeaseResult, type ObservationCompleted, ObservationOutcome, observationCompleted } from '@shopscope/proto';
import {
  type CollectedEvents,
  type KafkaHarness,
  type NameServer,
  nightlyUnless,
  serviceEnvironment,
  startKafkaHarness,
  startNameServer,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, startScanner } from '../../src/index.ts';
import { type SchedulerStub, startSchedulerStub } from './support/scheduler-stub.ts';

const address = '93.184.215.14';
/** Connections and names take real time, so the clock of the scanner may not run far ahead of it. */
const stepMs = 100;
/** The clock of the scanner moves with real time. */
const steps = { intervalMs: stepMs };
const names = ['canary-one.com', 'canary-two.com', 'shop.com'];

describe('broken access to the web', () => {
  const namespace = testNamespace('scanner-egress');
  const clock = new ManualClock(Date.now());
  let nameServer: NameServer;
  let web: Server;
  let scheduler: SchedulerStub;
  let scanner: RunningService;
  let kafka: KafkaHarness;
  let observations: CollectedEvents<ObservationCompleted>;
  let isWebCut = false;

  const breakNames = (mode?: 'silent' | 'fails') => {
    for (const name of names) for (const type of ['A', 'AAAA']) nameServer.break(`${type} ${name}`, mode);
  };
  const cutWeb = () => {
    isWebCut = true;
  };
  const metrics = async () => (await fetch(`${scanner.adminUrl}/metrics`)).text();
  const isPaused = async () => /^scanner_egress_broken\{[^}]*\} 1$/m.test(await metrics());
  const passed = (finish: Promise<unknown>) => {
    let ended = false;
    void finish.then(() => {
      ended = true;
    });
    const hasEnded = () => {
      clock.advance(stepMs);
      return ended;
    };
    return waitUntil('the scan to end', hasEnded, steps);
  };
  const observedScans = () => observations.received.map(({ event }) => event.scanId);

  beforeAll(async () => {
    nameServer = await startNameServer(Object.fromEntries(names.map((name) => [name, { A: [address] }])));
    web = createServer((_, response) => void response.writeHead(404).end());
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port } = web.address() as AddressInfo;
    scheduler = await startSchedulerStub();
    kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace);
    observations = await kafka.collect(observationCompleted);
    scanner = await startScanner(
      loadConfig({
        ...serviceEnvironment(namespace, 'scanner'),
        SCAN_SCHEDULER_ADDRESS: scheduler.address,
        SCAN_HOST_DELAY_MS: '0',
        SCAN_CONCURRENCY: '1',
        CANARY_NAMES: 'canary-one.com,canary-two.com',
      }),
      {
        clock,
        resolver: createNameResolver({ timeoutMs: 500, servers: [nameServer.address] }),
        records: { query: async () => [] },
        testHosts: fixedTestHosts({ 'mapped.test': { address: '127.0.0.1', port: 1, tls: false } }),
        // Port 443 only accepts connections, which is all that a canary needs.
        dial: async (dialled, dialledPort, abort) => {
          if (isWebCut) throw Object.assign(new Error('no route'), { code: 'ENETUNREACH' });
          const isMapped = dialled === '127.0.0.1';
          const socket = await dialTcp('127.0.0.1', isMapped ? dialledPort : port, abort);
          return Object.defineProperty(socket, 'remoteAddress', { value: dialled });
        },
      },
    );
  });
  afterEach(() => {
    breakNames();
    isWebCut = false;
  });
  afterAll(async () => {
    await scanner?.stop();
    await kafka?.close();
    await scheduler?.stop();
    nameServer?.close();
    web?.close();
    await namespace.cleanup();
  });

  const outages: [name: string, breakEgress: () => void, options: { tags: string[] }][] = [
    ['the name servers do not answer', () => breakNames('silent'), nightlyUnless(false)],
    ['the name servers fail', () => breakNames('fails'), nightlyUnless(true)],
    ['no address can be reached', cutWeb, nightlyUnless(false)],
  ];
  for (const [name, breakEgress, options] of outages) {
    const title = `a scanner publishes nothing and leases no scan while ${name}, and continues afterwards`;
    it(title, options, async () => {
      breakEgress();
      // An answer of a canary decides for ten seconds.
      clock.advance(10_000);
      const failed = scheduler.scan('shop.com');
      await passed(failed);
      expect(await failed).toMatchObject({ result: LeaseResult.ABANDONED, reason: 'egress_broken' });
      expect(await isPaused()).toBe(true);

      const waiting = scheduler.scan('shop.com');
      const roundsBefore = nameServer.queries.length;
      const isAskedAgain = () => {
        clock.advance(stepMs);
        return isWebCut || nameServer.queries.length > roundsBefore;
      };
      await waitUntil('canaries to be asked again', isAskedAgain, steps);
      expect(await Promise.race([waiting, 'not leased'])).toBe('not leased');

      breakNames();
      isWebCut = false;
      await passed(waiting);
      expect((await waiting).result).toBe(LeaseResult.OBSERVED);
      expect(await isPaused()).toBe(false);
      const { scanId } = await waiting;
      await waitUntil('the observation', () => observedScans().includes(scanId));
      expect(observedScans()).not.toContain((await failed).scanId);
    });
  }

  it('a scanner reports a store that does not answer while a canary does', async () => {
    const gone = scheduler.scan('no-such-shop.com');
    await passed(gone);
    const { scanId, result } = await gone;
    expect(result).toBe(LeaseResult.OBSERVED);
    const { event } = await waitUntil('the observation', () =>
      observations.received.find((each) => each.event.scanId === scanId),
    );
    expect(event).toMatchObject({ outcome: ObservationOutcome.UNREACHABLE, reason: 'dns_failure' });
  });

  it('a scanner reports a mapped host that does not answer, whatever the canaries do', async () => {
    breakNames('fails');
    const mapped = scheduler.scan('mapped.test');
    await passed(mapped);
    expect((await mapped).result).toBe(LeaseResult.OBSERVED);
    expect(await isPaused()).toBe(false);
    breakNames();
  });
});
