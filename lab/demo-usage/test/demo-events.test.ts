import { createDeadline } from '@shopscope/async';
import { dayMs, hourMs } from '@shopscope/clock';
import { type CallOptions, createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { connectMongo, type Mongo } from '@shopscope/mongo';
import {
  ConfirmedSignal,
  CreateWatchlistRequest,
  EventOrder,
  MergeOutcome,
  ProfileUpdated,
  profileUpdated,
  StoreSignal,
  SubscriptionsServiceService,
  topicsOf,
} from '@shopscope/proto';
import { loadConfig, startSubscriptions } from '@shopscope/subscriptions';
import {
  type KafkaHarness,
  mongoOptions,
  serviceEnvironment,
  startKafkaHarness,
  type TestNamespace,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClocks, type DemoEventsOptions, makeDemoEvents, watchedSinceMs } from '../src/index.ts';

const nowMs = Date.now();
const origin = { requestId: 'req_test', traceparent: '', environment: 'live' } as const;
const peer = '127.0.0.1:1';
const peers = {
  KEYS_ADDRESS: peer,
  PROFILES_ADDRESS: peer,
  METERING_ADDRESS: peer,
  SCAN_SCHEDULER_ADDRESS: peer,
  SEARCH_ADDRESS: peer,
};

describe('demo events', () => {
  let namespace: TestNamespace;
  let mongo: Mongo;
  let service: RunningService;
  let client: GrpcClient<typeof SubscriptionsServiceService>;
  let kafka: KafkaHarness<unknown, EventProducer>;
  let workspaceId: string;
  let domains: [string, string];
  beforeAll(async () => {
    namespace = testNamespace('demo-events');
    mongo = await connectMongo(mongoOptions(namespace, 'subscriptions'));
    const env = { ...serviceEnvironment(namespace, 'subscriptions'), ...peers, DEVELOPMENT_CLOCK: 'true' };
    service = await startSubscriptions(loadConfig(env));
    client = createGrpcClient({
      definition: SubscriptionsServiceService,
      address: service.grpcAddress as string,
    });
    const parts = { createKafka, createProducer, consumeEvents };
    kafka = await startKafkaHarness(parts, namespace, topicsOf(profileUpdated.live));
  });
  afterAll(async () => {
    await kafka?.close();
    client?.close();
    await service?.stop();
    await mongo?.close();
    await namespace?.cleanup();
  });
  beforeEach(() => {
    workspaceId = newId('ws');
    const name = workspaceId.replace('_', '-');
    domains = [`a-${name}.example`, `b-${name}.example`];
  });

  const call: CallOptions = { origin };
  const signal = (id: string, ageMs: number, domain = domains[0]) =>
    StoreSignal.fromPartial({
      id: `evt_${id}${workspaceId.slice(3)}`,
      type: 'technology_added',
      technology: 'klaviyo',
      to: 'active',
      confidence: 'high',
      effectiveAtMs: nowMs - ageMs,
      confirmedAtMs: nowMs - ageMs,
      storefrontId: 'sf_1',
      domain,
    });
  /** Searches as profiles does: the newest first. */
  const profilesOf = (signals: readonly StoreSignal[]): DemoEventsOptions['profiles'] => ({
    searchSignals: async ({ filters, limit }) => {
      const found = signals.filter(
        ({ domain, confirmedAtMs }) =>
          filters?.stores?.domains.includes(domain) && confirmedAtMs >= (filters.confirmedFromMs ?? 0),
      );
      const sorted = found.toSorted((one, other) => other.confirmedAtMs - one.confirmedAtMs);
      return { signals: sorted.slice(0, limit), next: undefined, hasMore: false };
    },
  });
  const list = async () => {
    const query = { types: [], watchlistId: '', limit: 200, waitMs: 0, afterSequence: undefined };
    const { events } = await client.listEvents({ workspaceId, ...query, order: EventOrder.ASCENDING }, call);
    return events;
  };
  /** The watchlist of a past time, without stores. */
  const newWatchlist = async () => {
    const clocks = createClocks('subscriptions', [service.adminUrl]);
    await clocks.moveTo(watchedSinceMs(nowMs), createDeadline(5_000));
    const request = CreateWatchlistRequest.fromPartial({ workspaceId, name: 'Demo', quota: 10 });
    const { watchlist } = await client.createWatchlist(request, call);
    await clocks.putBack();
    expect(watchlist?.createdAtMs).toBeLessThan(nowMs - 21 * dayMs);
    return watchlist?.id ?? '';
  };
  const optionsOf = (watchlistId: string, signals: readonly StoreSignal[]): DemoEventsOptions => ({
    profiles: profilesOf(signals),
    mongo,
    workspaceId,
    watchlistId,
    stores: domains.map((domain, n) => ({ domain, externalId: `crm-${n}` })),
  });
  const add = (watchlistId: string) => {
    const stores = domains.map((domain) => ({ domain, externalId: undefined }));
    return client.addWatchlistStores({ workspaceId, watchlistId, stores, quota: 10 }, call);
  };
  const publish = (...signals: StoreSignal[]) =>
    kafka.producer.publishMany(
      profileUpdated.live,
      signals.map(({ domain, retractedAtMs: _, retractedReason: __, ...values }, n) =>
        ProfileUpdated.fromPartial({
          domain,
          scanId: `scan_${values.id}`,
          sequence: n + 1,
          outcome: MergeOutcome.MERGED,
          confirmations: [ConfirmedSignal.fromPartial(values)],
        }),
      ),
      origin,
    );

  it('the demo events are those of the signals of three weeks, by the time of confirmation, which is the time of the event', async () => {
    const watchlistId = await newWatchlist();
    const [first, second, third] = [signal('a', 20 * dayMs), signal('b', 9 * dayMs, domains[1]), signal('c', hourMs)];
    const others = [signal('old', 40 * dayMs), signal('foreign', dayMs, 'foreign.example')];
    await makeDemoEvents(optionsOf(watchlistId, [second, third, ...others, first]));
    const events = await list();
    expect(events.map(({ id }) => id)).toEqual([first, second, third].map(({ id }) => id));
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const times = [first, second, third].map(({ confirmedAtMs }) => confirmedAtMs);
    expect(events.map(({ createdAtMs }) => createdAtMs)).toEqual(times);
    expect(JSON.parse(events[1]?.data ?? '')).toMatchObject({ external_ids: ['crm-1'], watchlist_ids: [watchlistId] });
  });

  it('the demo events are made once: neither a second run nor the fan-out of the same signals adds one', async () => {
    const watchlistId = await newWatchlist();
    const signals = [signal('a', 20 * dayMs), signal('b', 2 * dayMs, domains[1])];
    await makeDemoEvents(optionsOf(watchlistId, signals));
    await add(watchlistId);
    const made = await list();
    await makeDemoEvents(optionsOf(watchlistId, signals));
    const later = signal('c', 0, domains[1]);
    await publish(...signals, later);
    const events = await waitUntil('the later signal', async () => {
      const found = await list();
      return found.some(({ id }) => id === later.id) && found;
    });
    expect(events.slice(0, 2)).toEqual(made);
    expect(events.map(({ id }) => id)).toEqual([...signals, later].map(({ id }) => id));
  });

  it('a demo event of a later run gets no earlier time than the events of earlier runs', async () => {
    const watchlistId = await newWatchlist();
    const [past, latest] = [signal('a', 20 * dayMs), signal('b', hourMs)];
    await makeDemoEvents(optionsOf(watchlistId, [latest]));
    await makeDemoEvents(optionsOf(watchlistId, [past, latest]));
    const events = await list();
    expect(events.map(({ id }) => id)).toEqual([latest.id, past.id]);
    expect(events[1]?.createdAtMs).toBe(events[0]?.createdAtMs);
  });
});
