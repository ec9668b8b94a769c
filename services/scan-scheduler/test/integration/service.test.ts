import { ManualClock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { consumeEvents, createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import {
  ClaimOutcome,
  JobState,
  LeaseResult,
  MergeOutcome,
  ObservationCompleted,
  observationCompleted,
  type ProfileUpdated,
  profileUpdated,
  ScanJobEndState,
  type ScanLease,
  ScanSchedulerServiceService,
  ScanUnit,
  scanJobEnded,
  scanRequested,
  topicsOf,
} from '@shopscope/proto';
import { kafkaOptions, serviceEnvironment, startKafkaHarness, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig, startScanScheduler } from '../../src/index.ts';

type Scans = GrpcClient<typeof ScanSchedulerServiceService>;

describe('two instances', () => {
  const namespace = testNamespace('scans');
  const clock = new ManualClock();
  const origin = {
    requestId: 'req_test',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    environment: 'live' as const,
  };
  let services: RunningService[];
  let one: Scans;
  let two: Scans;
  let kafka: Kafka;
  let producer: EventProducer;

  const env = (instance: number) => ({
    ...serviceEnvironment(namespace, 'scan-scheduler'),
    INSTANCE_ID: `scheduler-${instance}`,
    VISIT_INTERVAL_MS: '0',
    TICK_MS: '1000',
    JOB_RETENTION_DAYS: '3660',
  });
  beforeAll(async () => {
    services = [
      await startScanScheduler(loadConfig(env(1)), { clock }),
      await startScanScheduler(loadConfig(env(2)), { clock }),
    ];
    [one, two] = services.map(({ grpcAddress = '' }) =>
      createGrpcClient({ definition: ScanSchedulerServiceService, address: grpcAddress }),
    ) as [Scans, Scans];
    kafka = createKafka(kafkaOptions(namespace));
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
    await kafka.ensureTopics(topicsOf(observationCompleted));
    // profiles reads it in the test below. Until then no observation of these scans may be given up.
    const observation = ObservationCompleted.fromPartial({ scanId: 'scan_1', domain: 'direct.example', sequence: 1 });
    await producer.publishMany(observationCompleted, [observation], origin);
  });
  afterAll(async () => {
    one?.close();
    two?.close();
    await producer?.close();
    await kafka?.close();
    await Promise.all(services?.map((service) => service.stop()) ?? []);
    await namespace.cleanup();
  });

  const claim = async (scans: Scans, workspaceId: string, chargeId: string, domains: string[]) =>
    (await scans.claimScans({ workspaceId, chargeId, domains, unit: ScanUnit.LOOKUP_LIVE }, { origin })).claims;
  const request = (workspaceId: string, chargeId: string, domain: string, jobId: string) => ({
    workspaceId,
    chargeId,
    domain,
    jobId,
    requestedAtMs: clock.now(),
    unit: ScanUnit.LOOKUP_LIVE,
  });
  const stateOf = async (workspaceId: string, jobId: string) =>
    (await one.getJob({ workspaceId, jobId })).job?.state ?? JobState.UNSPECIFIED;
  const lease = async (scans: Scans, waitMs = 0): Promise<ScanLease | undefined> =>
    (await scans.leaseScan({ scannerId: 'scanner-1', waitMs })).lease;
  const consumed = () =>
    vi.waitFor(
      async () => {
        for (const { type } of [{ type: scanRequested.live }, { type: profileUpdated.live }]) {
          const [ends, committed] = await Promise.all([
            kafka.endOffsets(type.topic),
            kafka.committedOffsets('scan-scheduler', type.topic),
          ]);
          for (const [partition, end] of ends) if (end > 0n) expect(committed.get(partition)).toBe(end);
        }
      },
      { timeout: 60_000 },
    );

  it('two instances complete a job from claim to profile update and publish its end once, even when every event arrives twice', async () => {
    const [claimed] = await claim(one, 'ws_a', 'chg_1', ['shop.example']);
    expect(claimed?.outcome).toBe(ClaimOutcome.CLAIMED);
    const jobId = claimed?.jobId ?? '';
    expect(await stateOf('ws_a', jobId)).toBe(JobState.REQUESTED);
    expect((await claim(two, 'ws_a', 'chg_2', ['shop.example']))[0]?.outcome).toBe(ClaimOutcome.PENDING);

    const requested = request('ws_a', 'chg_1', 'shop.example', jobId);
    await producer.publishMany(scanRequested.live, [requested, requested], origin);
    await consumed();
    expect((await claim(two, 'ws_a', 'chg_2', ['shop.example']))[0]).toMatchObject({
      jobId,
      outcome: ClaimOutcome.JOINED,
    });

    const held = await lease(two);
    expect(held).toMatchObject({ domain: 'shop.example', sequence: 1, attempt: 1, origin });
    const { scanId, leaseToken, sequence, domain } = held as ScanLease;
    expect(await one.renewLease({ scanId, domain, leaseToken })).toMatchObject({ held: true });
    expect(await one.finishLease({ scanId, domain, leaseToken, result: LeaseResult.OBSERVED, reason: '' })).toEqual({
      held: true,
    });
    const merged = { outcome: MergeOutcome.MERGED, reason: '', completedAtMs: 0, etag: 'e', profileSequence: sequence };
    const store = { platform: '', country: '', industry: '' };
    const update = { domain, scanId, sequence, ...merged, retractions: [], confirmations: [], ...store };
    await producer.publishMany<ProfileUpdated>(profileUpdated.live, [update, update], origin);
    await consumed();
    expect((await one.getJob({ workspaceId: 'ws_a', jobId })).job).toMatchObject({
      state: JobState.SUCCEEDED,
      type: 'scan',
      domain: 'shop.example',
      attempts: 1,
      errorCode: '',
      finishedAtMs: clock.now(),
    });
    await expect(one.getJob({ workspaceId: 'ws_b', jobId })).rejects.toMatchObject({ code: 'not_found' });
    const collector = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace);
    const { received, lag } = await collector.collect(scanJobEnded.live);
    await waitUntil('the event about the end of the job', async () => received.length > 0 && (await lag()) === 0);
    await collector.close();
    const event = { jobId, workspaceId: 'ws_a', domain, scanId, state: ScanJobEndState.SUCCEEDED, errorCode: '' };
    const whole = { ...event, errorMessage: '', endedAtMs: clock.now(), unit: ScanUnit.LOOKUP_LIVE };
    expect(received).toEqual([{ event: whole, meta: origin }]);
  });

  it('a waiting scanner gets work as soon as it is requested over gRPC', async () => {
    const waiting = lease(one, 20_000);
    const [claimed] = await claim(one, 'ws_a', 'chg_3', ['direct.example']);
    const requested = request('ws_a', 'chg_3', 'direct.example', claimed?.jobId ?? '');
    await one.requestScans({ requests: [requested] });
    expect(await waiting).toMatchObject({ domain: 'direct.example' });
    expect(await stateOf('ws_a', claimed?.jobId ?? '')).toBe(JobState.RUNNING);
    const { scanId, domain, leaseToken } = (await waiting) as ScanLease;
    await one.finishLease({ scanId, domain, leaseToken, result: LeaseResult.OBSERVED, reason: '' });
  });

  it('a scanner that waits at one instance gets work that the other instance queued', async () => {
    const waiting = lease(two, 5_000);
    const [claimed] = await claim(one, 'ws_a', 'chg_4', ['elsewhere.example']);
    await one.requestScans({ requests: [request('ws_a', 'chg_4', 'elsewhere.example', claimed?.jobId ?? '')] });
    let leased: ScanLease | undefined;
    void waiting.then((held) => {
      leased = held;
    });
    // The other instance looks for work when its clock has moved.
    const held = await waitUntil('the lease', () => {
      clock.advance(20);
      return leased;
    });
    expect(held).toMatchObject({ domain: 'elsewhere.example' });
    const { scanId, domain, leaseToken } = held;
    await one.finishLease({ scanId, domain, leaseToken, result: LeaseResult.OBSERVED, reason: '' });
  });

  it('an event without a valid domain becomes a dead letter, and the next event is handled', async () => {
    const [claimed] = await claim(one, 'ws_a', 'chg_5', ['after-poison.example']);
    const good = request('ws_a', 'chg_5', 'after-poison.example', claimed?.jobId ?? '');
    await producer.publishMany(scanRequested.live, [{ ...good, domain: '127.0.0.1' }, good], origin);
    await consumed();
    expect(await stateOf('ws_a', claimed?.jobId ?? '')).toBe(JobState.QUEUED);
    const deadLetters = await kafka.endOffsets(`${scanRequested.live.topic}.dlq`);
    expect([...deadLetters.values()].reduce((sum, end) => sum + end, 0n)).toBe(1n);
    const { scanId, domain, leaseToken } = (await lease(one)) as ScanLease;
    await one.finishLease({ scanId, domain, leaseToken, result: LeaseResult.OBSERVED, reason: '' });
  });

  it('a claim without a request is dropped after the consumers have read all earlier requests', async () => {
    const [claimed] = await claim(one, 'ws_a', 'chg_6', ['forgotten.example']);
    await consumed();
    await vi.waitFor(
      async () => {
        clock.advance(61_000);
        await expect(stateOf('ws_a', claimed?.jobId ?? '')).rejects.toMatchObject({ code: 'not_found' });
      },
      { timeout: 60_000, interval: 100 },
    );
  });

  it('two instances give up no observation before profiles reads it, then end all jobs, and have no pending work', async () => {
    const lost = async () => {
      const pages = services.map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text());
      return (await Promise.all(pages)).join('').includes('scan_attempts_lost_total{reason="observation_lost"');
    };
    for (let minute = 0; minute < 20; minute++) {
      clock.advance(60_000);
      expect(await lost()).toBe(false);
    }

    const profiles = await consumeEvents(kafka, {
      groupId: 'profiles',
      subscriptions: [{ type: observationCompleted, handle: async () => {} }],
      producer,
      maxEventsPerBatch: 10,
      onFatal: (error) => expect.unreachable(String(error)),
    });
    await vi.waitFor(
      async () => {
        clock.advance(60_000);
        const held = await lease(one);
        if (held) {
          const { scanId, domain, leaseToken } = held;
          await two.finishLease({ scanId, domain, leaseToken, result: LeaseResult.OBSERVED, reason: '' });
        }
        expect(await services[0]?.pending()).toBe(0);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(await lost()).toBe(true);
    await profiles.stop();
  });

  it('one instance continues after the other has stopped and ended the calls of its waiting scanners', async () => {
    const waiting = lease(two, 9_000);
    await vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${services[1]?.adminUrl}/metrics`)).text();
        expect(metrics).toMatch(/scan_jobs\{state="queued"/);
      },
      { timeout: 60_000 },
    );
    await services[1]?.stop();
    expect(await waiting.catch(() => undefined)).toBeUndefined();
    expect((await claim(one, 'ws_a', 'chg_7', ['alive.example']))[0]?.outcome).toBe(ClaimOutcome.CLAIMED);
  });
});
