import { dayMs, ManualClock } from '@shopscope/clock';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import {
  allowanceThresholdReached,
  EventOrder,
  KeyChange,
  KeyChanged,
  keyChanged,
  ScanJobEnded,
  ScanJobEndState,
  scanJobEnded,
  topicsOf,
  WebhookStateChanged,
  webhookStateChanged,
  workspaceEvent,
} from '@shopscope/proto';
import { type CollectedEvents, type KafkaHarness, startKafkaHarness, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { origin } from './event-harness.ts';
import { createHarness, newWorkspaceId, type SubscriptionsClient, type SubscriptionsHarness } from './harness.ts';

describe('facts of other services', () => {
  // MongoDB deletes events by its own clock.
  const clock = new ManualClock(Date.now());
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  let kafka: KafkaHarness<unknown, EventProducer>;
  let published: CollectedEvents<unknown>;
  let workspaceId: string;
  beforeAll(async () => {
    harness = await createHarness('facts', clock);
    client = (await harness.start()).client;
    const topics = topicsOf(
      scanJobEnded.live,
      allowanceThresholdReached.live,
      keyChanged,
      webhookStateChanged.live,
      workspaceEvent.live,
    );
    kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, harness.namespace, topics);
    published = await kafka.collect(workspaceEvent.live);
  });
  afterAll(async () => {
    await kafka?.close();
    await harness?.stop();
  });
  beforeEach(() => {
    workspaceId = newWorkspaceId();
  });

  const list = async () => {
    const { events } = await client.listEvents({
      workspaceId,
      afterSequence: undefined,
      types: [],
      watchlistId: '',
      limit: 50,
      order: EventOrder.ASCENDING,
      waitMs: 0,
    });
    return events.map(({ type, sequence, data }) => ({ type, sequence, data: JSON.parse(data) }));
  };
  const listed = (count: number) =>
    waitUntil(`${count} events`, async () => {
      const events = await list();
      return events.length >= count && events;
    });
  const scan = (jobId: string, more: Partial<ScanJobEnded> = {}) =>
    ScanJobEnded.fromPartial({
      workspaceId,
      jobId,
      domain: 'shop.example',
      state: ScanJobEndState.SUCCEEDED,
      endedAtMs: Date.UTC(2026, 0, 15),
      ...more,
    });

  it('the end of a scan job, a threshold and an expiring key each have one event, even when they arrive twice', async () => {
    const error = { errorCode: 'dns_failure', errorMessage: 'The domain does not resolve.' };
    const scans = [scan('job_1'), scan('job_2', { state: ScanJobEndState.FAILED, ...error })];
    const threshold = { workspaceId, unit: 'lookup_live', percent: 80, included: 500, used: 400, generation: 0 };
    const period = { periodStartMs: Date.UTC(2026, 0, 1), atMs: Date.UTC(2026, 0, 15) };
    const key = { workspaceId, keyId: 'key_1', atMs: clock.now() };
    const expiry = { expiresAtMs: clock.now() + 7 * dayMs, daysLeft: 7 };
    const { producer } = kafka;
    for (let delivery = 0; delivery < 2; delivery++) {
      await producer.publishMany(scanJobEnded.live, scans, origin);
      await producer.publish(allowanceThresholdReached.live, { ...threshold, ...period }, origin);
      const changes = [{ change: KeyChange.KEY_CREATED }, { change: KeyChange.KEY_EXPIRING, ...expiry }];
      for (const change of changes) {
        await producer.publish(keyChanged, KeyChanged.fromPartial({ ...key, ...change }), origin);
      }
    }
    await producer.publish(scanJobEnded.live, scan('job_3'), origin);
    const events = await listed(5);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'key.expiring',
      'scan.completed',
      'scan.completed',
      'scan.failed',
      'usage.threshold_reached',
    ]);
    const dataOf = (of: string) => events.find(({ type }) => type === of)?.data;
    expect(dataOf('scan.failed')).toMatchObject({ job_id: 'job_2', error: { code: 'dns_failure' } });
    expect(dataOf('usage.threshold_reached')).toMatchObject({ unit: 'lookup_live', percent: 80 });
    expect(dataOf('key.expiring')).toMatchObject({ key_id: 'key_1', days_left: 7 });
  });

  it('an event about a webhook is appended once, and one that webhooks cannot have is not', async () => {
    const related = { type: 'webhook', id: 'whk_1', path: '/v1/webhooks/whk_1' };
    const state = { workspaceId, eventId: 'evt_1', type: 'webhook.disabled', related, data: '{"webhook_id":"whk_1"}' };
    const states = [state, { ...state, eventId: 'evt_2', type: 'scan.completed' }, state];
    await kafka.producer.publishMany(
      webhookStateChanged.live,
      states.map((each) => WebhookStateChanged.fromPartial(each)),
      origin,
    );
    await kafka.producer.publish(scanJobEnded.live, scan('job_1'), origin);
    const failing = WebhookStateChanged.fromPartial({ ...state, eventId: 'evt_3', type: 'webhook.failing' });
    await kafka.producer.publish(webhookStateChanged.live, failing, origin);
    const types = (await listed(3)).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['scan.completed', 'webhook.disabled', 'webhook.failing']);
  });

  it('every event is published to workspace-events.v1, in the order of the sequence', async () => {
    const ids = ['job_1', 'job_2', 'job_3'];
    await kafka.producer.publishMany(
      scanJobEnded.live,
      ids.map((id) => scan(id)),
      origin,
    );
    const events = await waitUntil('three published events', () => {
      const own = (published.events as { workspaceId: string; sequence: number; id: string }[]).filter(
        (event) => event.workspaceId === workspaceId,
      );
      return own.length >= 3 && own;
    });
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it('a fact without an environment reaches no workspace, and the facts after it are appended', async () => {
    await kafka.producer.publish(scanJobEnded.live, scan('job_lost'), { ...origin, environment: null });
    await kafka.producer.publish(scanJobEnded.live, scan('job_kept'), origin);
    expect((await listed(1)).map(({ data }) => data.job_id)).toEqual(['job_kept']);
  });
});
