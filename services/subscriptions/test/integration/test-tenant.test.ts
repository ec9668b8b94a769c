import { dayMs, ManualClock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import {
  AllowanceThresholdReached,
  allowanceThresholdReached,
  ConfirmedSignal,
  EventOrder,
  KeyChange,
  KeyChanged,
  keyChanged,
  MergeOutcome,
  ProfileUpdated,
  profileUpdated,
  ScanJobEnded,
  ScanJobEndState,
  scanJobEnded,
  topicsOf,
  WebhookStateChanged,
  type WorkspaceEvent,
  webhookStateChanged,
  workspaceEvent,
  workspaceEventTypes,
} from '@shopscope/proto';
import { type CollectedEvents, type KafkaHarness, startKafkaHarness, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { origin } from './event-harness.ts';
import {
  add,
  createHarness,
  newList,
  newWatchlist,
  newWorkspaceId,
  plenty,
  type SubscriptionsClient,
  type SubscriptionsHarness,
  storesOf,
} from './harness.ts';

describe('the test tenant of a workspace', () => {
  // The clock begins at the present time, because MongoDB deletes events by its own clock.
  const clock = new ManualClock(Date.now());
  let harness: SubscriptionsHarness;
  let clients: Record<Environment, SubscriptionsClient>;
  let kafka: KafkaHarness<unknown, EventProducer>;
  let published: CollectedEvents<WorkspaceEvent>;
  let workspaceId: string;
  beforeAll(async () => {
    harness = await createHarness('test-tenant', clock);
    const service = await harness.start();
    clients = { live: service.client, test: service.clientIn('test') };
    const types = [scanJobEnded, allowanceThresholdReached, webhookStateChanged, profileUpdated, workspaceEvent];
    const topics = topicsOf(keyChanged, ...types.flatMap(({ live, test }) => [live, test]));
    kafka = await startKafkaHarness({ createKafka, createProducer, consumeEvents }, harness.namespace, topics);
    published = (await kafka.collect(workspaceEvent.test)) as CollectedEvents<WorkspaceEvent>;
  });
  afterAll(async () => {
    await kafka?.close();
    await harness?.stop();
  });
  beforeEach(() => {
    workspaceId = newWorkspaceId();
  });

  const originIn = (environment: Environment) => ({ ...origin, environment });
  const query = { types: [], watchlistId: '', limit: 50, order: EventOrder.ASCENDING, waitMs: 0 };
  const list = async (environment: Environment, of = workspaceId, afterSequence?: number) =>
    (await clients[environment].listEvents({ ...query, workspaceId: of, afterSequence })).events;
  const listed = (environment: Environment, count: number, of = workspaceId) =>
    waitUntil(`${count} events of ${environment}`, async () => {
      const events = await list(environment, of);
      return events.length >= count && events;
    });
  const scanOf = (jobId: string) =>
    ScanJobEnded.fromPartial({ workspaceId, jobId, domain: 'matched.test', state: ScanJobEndState.SUCCEEDED });
  const appendIn = (environment: Environment, type: string, data: unknown = { note: 'made up' }) =>
    clients[environment].appendTestEvent({ workspaceId, type, data: JSON.stringify(data) });

  it.each([
    ['live', 'test'],
    ['test', 'live'],
  ] as const)('facts of %s are appended to their own sequence, and not to that of %s', async (own, other) => {
    const { producer } = kafka;
    const at = originIn(own);
    const threshold = { workspaceId, unit: 'lookup_live', percent: 80, included: 500, used: 400 };
    const related = { type: 'webhook', id: 'whk_1', path: '/v1/webhooks/whk_1' };
    const state = { workspaceId, eventId: newId('evt'), type: 'webhook.failing', related, data: '{}' };
    const expiry = { expiresAtMs: clock.now() + 7 * dayMs, daysLeft: 7 };
    const change = { workspaceId, keyId: 'key_1', change: KeyChange.KEY_EXPIRING, atMs: clock.now(), ...expiry };
    await producer.publish(scanJobEnded[own], scanOf('job_1'), at);
    await producer.publish(allowanceThresholdReached[own], AllowanceThresholdReached.fromPartial(threshold), at);
    await producer.publish(webhookStateChanged[own], WebhookStateChanged.fromPartial(state), at);
    await producer.publish(keyChanged, KeyChanged.fromPartial(change), at);
    const events = await listed(own, 4);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'key.expiring',
      'scan.completed',
      'usage.threshold_reached',
      'webhook.failing',
    ]);
    expect(await list(other)).toEqual([]);
  });

  it('a fact whose environment differs from that of its topic is appended to no sequence, and later facts are appended', async () => {
    await kafka.producer.publish(scanJobEnded.test, scanOf('job_wrong'), originIn('live'));
    await kafka.producer.publish(scanJobEnded.test, scanOf('job_right'), originIn('test'));
    const events = await listed('test', 1);
    expect(events.map(({ data }) => JSON.parse(data).job_id)).toEqual(['job_right']);
    expect(await list('live')).toEqual([]);
  });

  it('a signal of a test store reaches the workspace that has the store, and no other watcher of the same domain', async () => {
    const other = newWorkspaceId();
    const domain = 'changes.test';
    for (const [environment, of] of [
      ['test', workspaceId],
      ['test', other],
      ['live', workspaceId],
    ] as const) {
      const watchlistId = await newWatchlist(clients[environment], of);
      await clients[environment].addWatchlistStores({
        workspaceId: of,
        watchlistId,
        stores: storesOf([domain]),
        quota: plenty,
      });
    }
    const values = { type: 'technology_added', technology: 'klaviyo', confidence: 'high', storefrontId: 'sf_1' };
    const update = (of: string, id: string) =>
      ProfileUpdated.fromPartial({
        workspaceId: of,
        domain,
        scanId: newId('scan'),
        sequence: 1,
        outcome: MergeOutcome.MERGED,
        confirmations: [ConfirmedSignal.fromPartial({ id, ...values, confirmedAtMs: clock.now() })],
      });
    await kafka.producer.publish(profileUpdated.test, update(workspaceId, 'evt_own'), originIn('test'));
    await kafka.producer.publish(profileUpdated.test, update(other, 'evt_other'), originIn('test'));
    const ids = async (of: string) => (await listed('test', 1, of)).map(({ id }) => id);
    expect(await ids(other)).toEqual(['evt_other']);
    expect(await ids(workspaceId)).toEqual(['evt_own']);
    expect(await list('live')).toEqual([]);
  });

  it('a test event of every type is appended and published like a real one, in the order of the calls', async () => {
    for (const type of workspaceEventTypes) await appendIn('test', type);
    const events = await list('test');
    expect(events.map(({ type }) => type)).toEqual([...workspaceEventTypes]);
    expect(events.map(({ sequence }) => sequence)).toEqual(workspaceEventTypes.map((_, index) => index + 1));
    const sent = await waitUntil('the published events', () => {
      const own = published.events.filter((event) => event.workspaceId === workspaceId);
      return own.length >= events.length && own;
    });
    expect(sent).toEqual(events);
    expect(await list('live')).toEqual([]);
  });

  it('a test signal has the id of its event, and names its store and watchlists', async () => {
    const data = { id: 'evt_given', domain: 'matched.test', storefront_id: 'sf_1', watchlist_ids: ['wl_1', 'wl_2'] };
    const { event } = await appendIn('test', 'signal.confirmed', data);
    expect(JSON.parse(event?.data ?? '')).toEqual({ ...data, id: event?.id });
    expect(event).toMatchObject({
      watchlistIds: ['wl_1', 'wl_2'],
      related: { type: 'store', id: 'sf_1', path: '/v1/stores/matched.test' },
    });
  });

  it('an unknown type, data that is not an object or is too large, and a call in the environment live append no event', async () => {
    const refused = [
      appendIn('test', 'store.opened'),
      appendIn('test', 'scan.completed', []),
      appendIn('test', 'scan.completed', { text: 'x'.repeat(20_000) }),
      appendIn('live', 'scan.completed'),
    ];
    for (const call of refused) await expect(call).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await list('test')).toEqual([]);
    expect(await list('live')).toEqual([]);
  });

  it('a reset deletes the lists, watchlists and events of the test tenant, and its sequence goes on', async () => {
    const { test } = clients;
    const listId = await newList(test, workspaceId, { quota: 1 });
    await add(test, { workspaceId, listId }, storesOf(['matched.test', 'stale.test']), 2);
    const watchlistId = await newWatchlist(test, workspaceId);
    for (let event = 0; event < 3; event++) await appendIn('test', 'scan.completed');
    for (let call = 0; call < 2; call++) await test.resetTestWorkspace({ workspaceId });
    await expect(test.getList({ workspaceId, listId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(test.getWatchlist({ workspaceId, watchlistId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await list('test')).toEqual([]);
    await expect(list('test', workspaceId, 1)).rejects.toMatchObject({ code: 'invalid_request' });
    const { event } = await appendIn('test', 'scan.completed');
    expect(event?.sequence).toBe(4);
    expect((await list('test', workspaceId, 3)).map(({ sequence }) => sequence)).toEqual([4]);
    // The reset has freed the quotas.
    const again = await newList(test, workspaceId, { quota: 1 });
    expect(await add(test, { workspaceId, listId: again }, storesOf(['matched.test', 'stale.test']), 2)).toEqual([
      'added',
      'added',
    ]);
  });

  it('a scan that ended before a reset and arrives after it appends no event, and a later scan takes the next place', async () => {
    await appendIn('test', 'scan.completed');
    const endedAtMs = clock.now() - 1;
    for (let call = 0; call < 2; call++) await clients.test.resetTestWorkspace({ workspaceId });
    const ends = [
      { ...scanOf('job_before'), endedAtMs },
      { ...scanOf('job_after'), endedAtMs: endedAtMs + 2 },
    ];
    await kafka.producer.publishMany(scanJobEnded.test, ends, originIn('test'));
    const events = await listed('test', 1);
    expect(events.map(({ data, sequence }) => [JSON.parse(data).job_id, sequence])).toEqual([['job_after', 2]]);
  });

  it('a threshold and a webhook state from before a reset append no event when they arrive after it, and later ones do', async () => {
    const atMs = clock.now() - 1;
    await clients.test.resetTestWorkspace({ workspaceId });
    const related = { type: 'webhook', id: 'whk_1', path: '/v1/webhooks/whk_1' };
    const of = (at: number, generation: number) => ({
      threshold: AllowanceThresholdReached.fromPartial({
        workspaceId,
        unit: 'lookup_live',
        percent: 80,
        generation,
        atMs: at,
      }),
      state: WebhookStateChanged.fromPartial({
        workspaceId,
        eventId: newId('evt'),
        type: 'webhook.failing',
        related,
        data: '{}',
        atMs: at,
      }),
    });
    const [before, after] = [of(atMs, 0), of(atMs + 2, 1)];
    await kafka.producer.publishMany(
      allowanceThresholdReached.test,
      [before.threshold, after.threshold],
      originIn('test'),
    );
    await kafka.producer.publishMany(webhookStateChanged.test, [before.state, after.state], originIn('test'));
    const events = await listed('test', 2);
    expect(events.map(({ type }) => type).toSorted()).toEqual(['usage.threshold_reached', 'webhook.failing']);
    expect(events.find(({ type }) => type === 'webhook.failing')?.id).toBe(after.state.eventId);
  });

  it('a reset keeps the live data of the workspace and the test data of another one', async () => {
    const other = newWorkspaceId();
    const liveList = await newList(clients.live, workspaceId);
    const otherList = await newList(clients.test, other);
    await kafka.producer.publish(scanJobEnded.live, scanOf('job_1'), originIn('live'));
    await listed('live', 1);
    await clients.test.appendTestEvent({ workspaceId: other, type: 'scan.completed', data: '{}' });
    await clients.test.resetTestWorkspace({ workspaceId });
    expect((await clients.live.getList({ workspaceId, listId: liveList })).list?.id).toBe(liveList);
    expect((await clients.test.getList({ workspaceId: other, listId: otherList })).list?.id).toBe(otherList);
    expect(await list('live')).toHaveLength(1);
    expect(await list('test', other)).toHaveLength(1);
    await expect(clients.live.resetTestWorkspace({ workspaceId })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
