import { setTimeout as sleep } from 'node:timers/promises';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { createProducer } from '@shopscope/kafka';
import { profileUpdated, topics, WebhooksServiceService, WorkspaceEvent, workspaceEvent } from '@shopscope/proto';
import { type Db, MongoClient } from 'mongodb';
import { deleteTopics, kafkaOf, newTopicPrefix } from './consume-rows.ts';
import { createMeasuredPart } from './measured-part.ts';
import { startSubscriptions, startWebhooks } from './service-processes.ts';
import { percentile } from './statistics.ts';
import type { Bench } from './system.ts';
import { fillWatchlists, reader, signalOf, storeOf } from './watched-stores.ts';
import { measurePick, type PickResult, queueDeliveries } from './webhook-queues.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

const databases = { webhooks: 'bench_webhooks', subscriptions: 'bench_webhook_events' };
const timeoutMs = 120_000;
const publishTimeoutMs = 30_000;
/** A workspace has at most a quarter of the attempts of an instance, so the rate is measured over several. */
const rateWorkspaces = 50;
const signalsPerSecond = 25;
const healthyEndpoints = 99;
const neighbourEventsPerSecond = 2;
const origin = { requestId: 'req_bench', traceparent: '', environment: 'live' as const };

export interface DelayRow {
  name: string;
  deliveries: number;
  p50Ms: number;
  p99Ms: number;
}

export interface WebhooksResult {
  /** From the time of an event in the sequence until the receiver has its message. */
  start: DelayRow;
  deliveriesPerSecond: number;
  /** The delays of 99 endpoints of one workspace, first alone. */
  neighbours: [alone: DelayRow, beside: DelayRow];
  picks: PickResult[];
}

interface Run {
  bench: Bench;
  db: Db;
  receiver: Receiver;
  webhooks: GrpcClient<typeof WebhooksServiceService>;
  publishEvents(events: readonly WorkspaceEvent[]): Promise<void>;
  publishSignal(n: number): Promise<void>;
}

/** Measures deliveries of one instance of webhooks to a receiver in this process. */
export async function measureWebhooks(bench: Bench): Promise<WebhooksResult> {
  const mongo = await new MongoClient(bench.system.mongoUrl).connect();
  const receiver = await startReceiver();
  const topicPrefix = newTopicPrefix();
  const kafka = kafkaOf(bench.system, topicPrefix);
  const producer = createProducer(kafka, { sendTimeoutMs: publishTimeoutMs });
  const running: { stop(): Promise<void> }[] = [];
  const dbs = Object.values(databases).map((name) => mongo.db(name));
  try {
    for (const each of dbs) await each.dropDatabase();
    await kafka.ensureTopics(topics, { waitMs: publishTimeoutMs });
    const ofSubscriptions = { database: databases.subscriptions, topicPrefix, number: 0 };
    const subscriptions = await startSubscriptions(bench, ofSubscriptions);
    running.push(subscriptions);
    const started = await startWebhooks(bench, { database: databases.webhooks, topicPrefix, subscriptions });
    running.push(started);
    const webhooks = createGrpcClient({ definition: WebhooksServiceService, address: started.address });
    running.push({ stop: async () => webhooks.close() });
    await fillWatchlists(mongo.db(databases.subscriptions), { workspaces: 1, stores: 1 });
    const options = { timeoutMs: publishTimeoutMs };
    const run: Run = {
      bench,
      db: mongo.db(databases.webhooks),
      receiver,
      webhooks,
      publishEvents: (events) => producer.publishMany(workspaceEvent.live, events, origin, options),
      publishSignal: (n) =>
        producer.publishMany(
          profileUpdated.live,
          [signalOf({ domain: storeOf('reader', n), id: `webhook${n}` })],
          { ...origin, environment: null },
          options,
        ),
    };
    const deliveriesPerSecond = await measureRate(run);
    const start = await measureStart(run);
    const neighbours = await measureNeighbours(run);
    return { start, deliveriesPerSecond, neighbours, picks: await measurePicks(run) };
  } finally {
    for (const { stop } of running.toReversed()) await stop();
    await producer.close();
    await deleteTopics(kafka);
    await receiver.stop();
    for (const each of dbs) await each.dropDatabase();
    await mongo.close();
  }
}

async function createEndpoint({ webhooks }: Run, workspaceId: string, url: string, eventType: string): Promise<string> {
  const none = { description: '', watchlistIds: [], filters: undefined, maxPerMinute: undefined, headers: [] };
  const members = { url, eventTypes: [eventType], ...none };
  const request = { workspaceId, members, quota: healthyEndpoints + 1, requestToken: '' };
  return (await webhooks.createEndpoint(request, { origin })).endpoint?.id ?? '';
}

let events = 0;
const newEvent = (workspaceId: string, type: string): WorkspaceEvent =>
  WorkspaceEvent.fromPartial({
    workspaceId,
    id: `evt_bench${events++}`,
    sequence: events,
    type,
    createdAtMs: Date.now(),
    data: JSON.stringify({ job_id: `job_${events}`, domain: 'bench.example' }),
  });

const delayOf = (body: string): number =>
  Date.now() - Date.parse((JSON.parse(body) as { timestamp: string }).timestamp);

const rowOf = (name: string, delays: readonly number[]): DelayRow => ({
  name,
  deliveries: delays.length,
  p50Ms: percentile(delays, 0.5),
  p99Ms: percentile(delays, 0.99),
});

async function measureRate(run: Run): Promise<number> {
  const { bench, receiver, publishEvents } = run;
  const workspaces = Array.from({ length: rateWorkspaces }, (_, n) => `ws_rate${n}`);
  for (const workspaceId of workspaces) await createEndpoint(run, workspaceId, receiver.url, 'scan.completed');
  const deliver = async (count: number) => {
    const part = createMeasuredPart<{ atMs: number }>(count);
    let received = 0;
    receiver.listen(() => {
      received += 1;
      part.observe(received, () => ({ atMs: performance.now() }));
    });
    await publishEvents(
      Array.from({ length: count }, (_, n) => newEvent(workspaces[n % rateWorkspaces] ?? '', 'scan.completed')),
    );
    await waitFor(`${count} deliveries`, () => received >= count);
    return part.result();
  };
  bench.say(`${bench.settings.webhookDeliveries} deliveries to ${rateWorkspaces} endpoints …`);
  await deliver(Math.ceil(bench.settings.webhookDeliveries / 10));
  const { events: delivered, ms } = await deliver(bench.settings.webhookDeliveries);
  return (delivered * 1_000) / ms;
}

async function measureStart(run: Run): Promise<DelayRow> {
  const { bench, receiver, publishSignal } = run;
  await createEndpoint(run, reader, receiver.url, 'signal.confirmed');
  const delays: number[] = [];
  receiver.listen((body) => void delays.push(delayOf(body)));
  const count = signalsPerSecond * bench.settings.seconds * 5;
  bench.say(`${count} signals, ${signalsPerSecond} per second …`);
  await atRate(count, signalsPerSecond, publishSignal);
  await waitFor(`${count} messages`, () => delays.length >= count);
  return rowOf('an event in the sequence', delays);
}

async function measureNeighbours(run: Run): Promise<[DelayRow, DelayRow]> {
  const { bench, db, receiver, publishEvents } = run;
  const workspaceId = 'ws_neighbours';
  for (let n = 0; n < healthyEndpoints; n++) await createEndpoint(run, workspaceId, receiver.url, 'scan.completed');
  const hanging = await createEndpoint(run, workspaceId, receiver.hangingUrl, 'scan.failed');
  const count = neighbourEventsPerSecond * bench.settings.seconds * 5;
  const measure = async (name: string) => {
    const delays: number[] = [];
    receiver.listen((body) => void delays.push(delayOf(body)));
    bench.say(`${count} events, each for ${healthyEndpoints} endpoints, ${name} …`);
    await atRate(count, neighbourEventsPerSecond, () => publishEvents([newEvent(workspaceId, 'scan.completed')]));
    await waitFor('the deliveries of the neighbours', () => delays.length >= count * healthyEndpoints);
    return rowOf(name, delays);
  };
  await measure('before the measurement');
  const alone = await measure('alone');
  await queueDeliveries(db, { workspaceId, endpointId: hanging }, bench.settings.hangingDeliveries, bench.say);
  await waitFor('an attempt of the endpoint that hangs', () => receiver.hanging() > 0);
  return [alone, await measure(`beside one that hangs with ${bench.settings.hangingDeliveries} queued`)];
}

async function measurePicks({ bench, db }: Run): Promise<PickResult[]> {
  const results: PickResult[] = [];
  for (const queued of [bench.settings.fewDeliveries, bench.settings.manyDeliveries]) {
    // No queue has this endpoint, so that no attempt changes what is queued.
    const queue = { workspaceId: 'ws_picks', endpointId: `whk_picks${queued}` };
    await queueDeliveries(db, queue, queued, bench.say);
    results.push(await measurePick(db, queue, queued));
  }
  return results;
}

async function atRate(count: number, perSecond: number, publish: (n: number) => Promise<void>): Promise<void> {
  const publishing: Promise<void>[] = [];
  const startMs = performance.now();
  for (let n = 0; n < count; n++) {
    const waitMs = startMs + (n * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    publishing.push(publish(n));
  }
  await Promise.all(publishing);
}

async function waitFor(what: string, isDone: () => boolean): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!isDone()) {
    if (performance.now() > endMs) throw new Error(`no ${what} within ${timeoutMs / 1_000} s`);
    await sleep(20);
  }
}
