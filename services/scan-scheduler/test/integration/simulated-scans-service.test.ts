import { ManualClock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { consumeEvents, createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import {
  JobState,
  KeyChange,
  KeyChanged,
  keyChanged,
  MergeOutcome,
  ProfileUpdated,
  profileUpdated,
  refundRequested,
  type ScanRequested,
  ScanSchedulerServiceService,
  ScanUnit,
  scanJobEnded,
  scanRequested,
  type TestScanCompleted,
  testScanCompleted,
} from '@shopscope/proto';
import {
  type CollectedEvents,
  type KafkaHarness,
  serviceEnvironment,
  startKafkaHarness,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, startScanScheduler } from '../../src/index.ts';

type Scans = GrpcClient<typeof ScanSchedulerServiceService>;

describe('the test environment of two instances', () => {
  const namespace = testNamespace('scans-test');
  const clock = new ManualClock();
  const originIn = (environment: 'live' | 'test') => ({ requestId: 'req_test', traceparent: '', environment });
  const test = { origin: originIn('test') };
  const live = { origin: originIn('live') };
  const workspaceId = 'ws_a';
  const services: RunningService[] = [];
  let scans: Scans[] = [];
  let harness: KafkaHarness<Kafka, EventProducer>;
  let completed: CollectedEvents<TestScanCompleted>;

  beforeAll(async () => {
    for (const instance of [1, 2]) {
      const env = { ...serviceEnvironment(namespace, 'scan-scheduler'), INSTANCE_ID: `scheduler-${instance}` };
      services.push(await startScanScheduler(loadConfig({ ...env, JOB_RETENTION_DAYS: '3660' }), { clock }));
    }
    scans = services.map(({ grpcAddress = '' }) =>
      createGrpcClient({ definition: ScanSchedulerServiceService, address: grpcAddress }),
    );
    harness = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, namespace);
    completed = await harness.collect(testScanCompleted);
  });
  afterAll(async () => {
    for (const client of scans) client.close();
    await harness?.close();
    await Promise.all(services.map((service) => service.stop()));
    await namespace.cleanup();
  });

  const one = () => scans[0] as Scans;
  const two = () => scans[1] as Scans;
  /** Claims the scan at one instance, and publishes its request twice. Resolves to the id of the job. */
  const queue = async (chargeId: string, domain: string): Promise<string> => {
    const unit = ScanUnit.REFRESH_REQUESTED;
    const { claims } = await one().claimScans({ workspaceId, chargeId, domains: [domain], unit }, test);
    const jobId = claims[0]?.jobId ?? '';
    const request: ScanRequested = { jobId, workspaceId, chargeId, domain, unit, requestedAtMs: clock.now() };
    await harness.producer.publishMany(scanRequested.test, [request, request], test.origin);
    return jobId;
  };
  const stateOf = async (jobId: string) => (await two().getJob({ workspaceId, jobId }, test)).job?.state;
  /** Lets the time pass until the job has the state. */
  const untilState = (jobId: string, state: JobState) =>
    waitUntil(`the job has the state ${state}`, async () => {
      clock.advance(250);
      return (await stateOf(jobId)) === state;
    });
  /** Reports twice that profiles has merged each scan. */
  const merge = async () => {
    const updates = completed.events.map(({ scanId, domain, sequence }) =>
      ProfileUpdated.fromPartial({ workspaceId, scanId, domain, sequence, outcome: MergeOutcome.MERGED, etag: 'e' }),
    );
    await harness.producer.publishMany<ProfileUpdated>(profileUpdated.test, [...updates, ...updates], test.origin);
  };

  it('a simulated scan goes from its claim to its end through the topics of the test environment, and no live topic has a record', async () => {
    const failed = await queue('chg_1', 'forbidden.test');
    const jobId = await queue('chg_2', 'matched.test');
    await untilState(jobId, JobState.RUNNING);
    await waitUntil('the event for profiles', async () => {
      clock.advance(250);
      return completed.received.length > 0;
    });
    const [event] = completed.received;
    expect(event).toMatchObject({ event: { workspaceId, domain: 'matched.test', sequence: 1 }, meta: test.origin });
    await merge();
    await untilState(jobId, JobState.SUCCEEDED);
    await untilState(failed, JobState.FAILED);
    const canceled = await queue('chg_3', 'slow.test');
    await untilState(canceled, JobState.RUNNING);
    expect((await two().cancelJob({ workspaceId, jobId: canceled }, test)).job).toMatchObject({ refunded: false });

    const ended = await harness.collect(scanJobEnded.test);
    await waitUntil('the events about the ends', async () => ended.received.length >= 2 && (await ended.lag()) === 0);
    expect(ended.received.map(({ event: { jobId: id, errorCode } }) => [id, errorCode]).toSorted()).toEqual(
      [
        [failed, 'robots_disallowed'],
        [jobId, ''],
      ].toSorted(),
    );
    for (const { topic } of [scanRequested.live, scanJobEnded.live, refundRequested.live, profileUpdated.live]) {
      const ends = await harness.kafka.endOffsets(topic);
      expect([topic, [...ends.values()].every((end) => end === 0n)]).toEqual([topic, true]);
    }
    expect((await one().leaseScan({ scannerId: 'scanner-1', waitMs: 0 })).lease).toBeUndefined();
  });

  it('a job of one environment does not exist in the other one', async () => {
    const jobId = await queue('chg_4', 'stale.test');
    for (const call of [one().getJob({ workspaceId, jobId }, live), one().cancelJob({ workspaceId, jobId }, live)]) {
      await expect(call).rejects.toMatchObject({ code: 'not_found' });
    }
    const page = { workspaceId, states: [], limit: 10, jobIds: [] };
    expect((await one().listJobs(page, live)).jobs).toEqual([]);
    expect((await one().listJobs(page, test)).jobs.map(({ id }) => id)).toContain(jobId);
  });

  it('an event in the topic of the other environment becomes a dead letter, and the next event is handled', async () => {
    const unit = ScanUnit.REFRESH_REQUESTED;
    const request = { jobId: 'job_1', workspaceId, chargeId: 'chg_5', domain: 'matched.test', unit, requestedAtMs: 0 };
    await harness.producer.publishMany<ScanRequested>(scanRequested.test, [request], live.origin);
    await untilState(await queue('chg_6', 'matched.test'), JobState.RUNNING);
    const deadLetters = await harness.kafka.endOffsets(`${scanRequested.test.topic}.dlq`);
    expect([...deadLetters.values()].reduce((sum, end) => sum + end, 0n)).toBe(1n);
  });

  it('a reset removes the jobs of the workspace, and only a call of the test environment may reset', async () => {
    await expect(one().resetTestScans({ workspaceId }, live)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(one().resetTestScans({ workspaceId })).rejects.toMatchObject({ code: 'invalid_request' });
    const jobId = await queue('chg_7', 'changes.test');
    await waitUntil('the job is queued', async () => (await stateOf(jobId)) === JobState.QUEUED);
    let isReset = false;
    const reset = one()
      .resetTestScans({ workspaceId }, test)
      .finally(() => {
        isReset = true;
      });
    await waitUntil('the reset', async () => {
      await merge();
      clock.advance(50);
      return isReset;
    });
    await reset;
    await expect(two().getJob({ workspaceId, jobId }, test)).rejects.toMatchObject({ code: 'not_found' });
    expect((await two().listJobs({ workspaceId, states: [], limit: 10, jobIds: [] }, test)).jobs).toEqual([]);
  });

  it('the deletion of a workspace removes its jobs', async () => {
    const jobId = await queue('chg_8', 'slow.test');
    await untilState(jobId, JobState.RUNNING);
    const change = KeyChanged.fromPartial({ workspaceId, change: KeyChange.WORKSPACE_DELETED, atMs: clock.now() });
    await harness.producer.publishMany<KeyChanged>(keyChanged, [change], test.origin);
    await waitUntil('no job is left', async () => {
      const { jobs } = await two().listJobs({ workspaceId, states: [], limit: 10, jobIds: [] }, test);
      return jobs.length === 0;
    });
  });
});
