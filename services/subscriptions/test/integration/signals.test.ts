import { ManualClock } from '@shopscope/clock';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import {
  ConfirmedSignal,
  EventOrder,
  MergeOutcome,
  ProfileUpdated,
  profileUpdated,
  RetractedSignal,
  topicsOf,
} from '@shopscope/proto';
import { type KafkaHarness, startKafkaHarness, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { origin } from './event-harness.ts';
import {
  createHarness,
  newWatchlist,
  newWorkspaceId,
  plenty,
  type SubscriptionsClient,
  type SubscriptionsHarness,
} from './harness.ts';

describe('signals of watched stores', () => {
  // MongoDB deletes events by its own clock.
  const clock = new ManualClock(Date.now());
  let harness: SubscriptionsHarness;
  let client: SubscriptionsClient;
  let kafka: KafkaHarness<unknown, EventProducer>;
  let workspaceId: string;
  let domain: string;
  beforeAll(async () => {
    harness = await createHarness('signals', clock);
    client = (await harness.start()).client;
    kafka = await startKafkaHarness(
      { createKafka, createProducer, consumeEvents },
      harness.namespace,
      topicsOf(profileUpdated.live),
    );
  });
  afterAll(async () => {
    await kafka?.close();
    await harness?.stop();
  });
  beforeEach(() => {
    workspaceId = newWorkspaceId();
    domain = `${workspaceId.replace('_', '-')}.example`;
  });

  const list = async (of: string) => {
    const { events } = await client.listEvents({
      workspaceId: of,
      afterSequence: undefined,
      types: [],
      watchlistId: '',
      limit: 50,
      order: EventOrder.ASCENDING,
      waitMs: 0,
    });
    return events.map(({ id, type, data }) => ({ id, type, data: JSON.parse(data) }));
  };
  const listed = (of: string, count: number) =>
    waitUntil(`${count} events`, async () => {
      const events = await list(of);
      return events.length >= count && events;
    });
  const watch = async (of: string, over: Parameters<typeof newWatchlist>[2] = {}, externalId?: string) => {
    const watchlistId = await newWatchlist(client, of, over);
    await client.addWatchlistStores({ workspaceId: of, watchlistId, stores: [{ domain, externalId }], quota: plenty });
    return watchlistId;
  };
  const values = { type: 'technology_added', technology: 'klaviyo', confidence: 'high', storefrontId: 'sf_1' };
  const confirmed = (id: string, over: Partial<ConfirmedSignal> = {}) =>
    ConfirmedSignal.fromPartial({ id, ...values, confirmedAtMs: Date.UTC(2026, 0, 15), ...over });
  const update = (over: Partial<ProfileUpdated>) =>
    ProfileUpdated.fromPartial({ domain, scanId: 'scan_1', sequence: 1, outcome: MergeOutcome.MERGED, ...over });
  const publish = (event: ProfileUpdated, environment: 'live' | 'test' | null = null) =>
    kafka.producer.publish(profileUpdated.live, event, { ...origin, environment });

  it('a confirmed and a retracted signal each reach the workspaces that watch the store, once, in their order', async () => {
    const other = newWorkspaceId();
    const [first, second] = [await watch(workspaceId, {}, 'crm-1'), await watch(workspaceId, {}, 'crm-2')];
    await watch(other);
    const retraction = { confirmedAtMs: Date.UTC(2026, 0, 15), retractedAtMs: Date.UTC(2026, 0, 16) };
    const updates = [
      update({ confirmations: [confirmed('evt_a')] }),
      update({ scanId: 'scan_2', sequence: 2 }),
      update({
        scanId: 'scan_3',
        sequence: 3,
        retractions: [
          RetractedSignal.fromPartial({
            id: 'evt_a',
            ...values,
            ...retraction,
            retractedReason: 'technology_seen_again',
          }),
        ],
        confirmations: [confirmed('evt_b')],
      }),
    ];
    for (let delivery = 0; delivery < 2; delivery++) for (const each of updates) await publish(each);
    await publish(update({ scanId: 'scan_4', sequence: 4, confirmations: [confirmed('evt_last')] }));
    for (const [of, watchlistIds, externalIds] of [
      [workspaceId, [first, second].sort(), ['crm-1', 'crm-2']],
      [other, expect.any(Array), []],
    ] as const) {
      const events = await listed(of, 4);
      expect(events.map(({ type, data }) => [type, data.id])).toEqual([
        ['signal.confirmed', 'evt_a'],
        ['signal.retracted', 'evt_a'],
        ['signal.confirmed', 'evt_b'],
        ['signal.confirmed', 'evt_last'],
      ]);
      expect(events.map(({ id }) => id).filter((id) => ['evt_a', 'evt_b', 'evt_last'].includes(id))).toHaveLength(3);
      expect(events[0]?.data).toMatchObject({ domain, watchlist_ids: watchlistIds, external_ids: externalIds });
    }
  });

  it.each([
    ['without the id of an event', () => update({ confirmations: [confirmed('sig_1')] })],
    ['without a canonical domain', () => update({ domain: 'WWW.Shop', confirmations: [confirmed('evt_1')] })],
    ['without a scan', () => update({ scanId: '', confirmations: [confirmed('evt_1')] })],
  ])('an update %s becomes a dead letter, and the updates after it reach their workspaces', async (_, poison) => {
    await watch(workspaceId);
    await publish(poison());
    await publish(update({ scanId: 'scan_2', confirmations: [confirmed('evt_after')] }));
    expect((await listed(workspaceId, 1)).map(({ id }) => id)).toEqual(['evt_after']);
  });

  it('an update of the environment test reaches no live workspace', async () => {
    await watch(workspaceId);
    await publish(update({ confirmations: [confirmed('evt_simulated')] }), 'test');
    await publish(update({ scanId: 'scan_2', confirmations: [confirmed('evt_real')] }), 'live');
    expect((await listed(workspaceId, 1)).map(({ id }) => id)).toEqual(['evt_real']);
  });
});
