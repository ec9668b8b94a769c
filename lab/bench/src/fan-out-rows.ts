import { setTimeout as sleep } from 'node:timers/promises';
import { createGrpcClient } from '@shopscope/grpc';
import { createProducer } from '@shopscope/kafka';
import { EventOrder, profileUpdated, SubscriptionsServiceService, topics } from '@shopscope/proto';
import { type Db, MongoClient } from 'mongodb';
import { deleteTopics, kafkaOf, newTopicPrefix } from './consume-rows.ts';
import { createMeasuredPart } from './measured-part.ts';
import { createRandom } from './random.ts';
import { startSubscriptions } from './service-processes.ts';
import { percentile } from './statistics.ts';
import type { Bench } from './system.ts';
import {
  fillWatchlists,
  reader,
  sharedDomain,
  signalOf,
  someWorkspaces,
  storeOf,
  type Watched,
} from './watched-stores.ts';

const database = 'bench_subscriptions';
const timeoutMs = 120_000;
const pollMs = 20;
/** Signals of the reader, at an even rate. Each has its delay. */
const signalsPerSecond = 25;
const publishTimeoutMs = 30_000;

export interface FanOutResult {
  rates: { name: string; instances: number; eventsPerSecond: number; goal: number }[];
  delays: { name: string; instances: number; signals: number; p50Ms: number; p99Ms: number; goalMs: number }[];
  /** The time from the record of a signal until the last of its workspaces has the event. */
  last: { workspaces: number; instances: number; ms: number; goalMs: number }[];
}

/**
 * Measures how fast signals reach the events of workspaces, with one instance of subscriptions and with several. A delay begins before the
 * update is published, and ends when ListEvents has returned the event.
 */
export async function measureFanOut(bench: Bench): Promise<FanOutResult> {
  const mongo = await new MongoClient(bench.system.mongoUrl).connect();
  const db = mongo.db(database);
  const result: FanOutResult = { rates: [], delays: [], last: [] };
  try {
    for (const instances of [1, bench.settings.fanOutInstances]) {
      await db.dropDatabase();
      await withInstances(bench, instances, async (addresses, publish) => {
        bench.say(`Filling watchlists for instances: ${instances} …`);
        const { fanOutWorkspaces: workspaces, watchedStores: stores, fanOutSignals: signals } = bench.settings;
        await fillWatchlists(db, { workspaces, stores });
        const run: Run = { bench, db, instances, publish, address: addresses[0] as string, result };
        await measureRate(run, { name: `over ${someWorkspaces} workspaces`, signals, of: 'some', goal: 2_000 });
        await measureRate(run, { name: `in one with ${stores} watched stores`, signals, of: 'one', goal: 300 });
        await measureDelays(run, {
          name: 'signals of one watcher',
          seconds: bench.settings.seconds * 5,
          goalMs: 2_000,
        });
        await measureLast(run, workspaces);
      });
    }
  } finally {
    await db.dropDatabase();
    await mongo.close();
  }
  return result;
}

type Publish = (updates: readonly Watched[]) => Promise<void>;
interface Run {
  bench: Bench;
  db: Db;
  instances: number;
  publish: Publish;
  address: string;
  result: FanOutResult;
}

async function withInstances(
  bench: Bench,
  count: number,
  work: (addresses: string[], publish: Publish) => Promise<void>,
): Promise<void> {
  const topicPrefix = newTopicPrefix();
  const kafka = kafkaOf(bench.system, topicPrefix);
  const producer = createProducer(kafka, { sendTimeoutMs: publishTimeoutMs });
  const running: Awaited<ReturnType<typeof startSubscriptions>>[] = [];
  const origin = { requestId: 'req_bench', traceparent: '', environment: null };
  try {
    await kafka.ensureTopics(topics, { waitMs: publishTimeoutMs });
    for (let number = 0; number < count; number++)
      running.push(await startSubscriptions(bench, { database, topicPrefix, number }));
    await work(
      running.map(({ address }) => address),
      (updates) =>
        producer.publishMany(profileUpdated.live, updates.map(signalOf), origin, { timeoutMs: publishTimeoutMs }),
    );
  } finally {
    for (const { stop } of running) await stop();
    await producer.close();
    await deleteTopics(kafka);
  }
}

/** The number of events of all workspaces. */
async function eventCount(db: Db): Promise<number> {
  const [found] = await db
    .collection('sequences')
    .aggregate([{ $group: { _id: null, total: { $sum: '$last' } } }])
    .toArray();
  return Number(found?.total ?? 0);
}

async function waitForEvents(db: Db, count: number, onCount: (count: number) => void = () => {}): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  for (let found = await eventCount(db); found < count; found = await eventCount(db)) {
    onCount(found);
    if (performance.now() > endMs) throw new Error(`${found} of ${count} events after two minutes`);
    await sleep(pollMs);
  }
  onCount(count);
}

async function measureRate(
  { bench, db, instances, publish, result }: Run,
  { name, signals, of, goal }: { name: string; signals: number; of: 'some' | 'one'; goal: number },
): Promise<void> {
  bench.say(`${signals} signals ${name} …`);
  const before = await eventCount(db);
  const part = createMeasuredPart<{ atMs: number }>(signals);
  const random = createRandom(instances);
  const stores = bench.settings.watchedStores;
  const publishing = publish(
    Array.from({ length: signals }, (_, n) => ({
      domain: storeOf(of, of === 'some' ? n : random(stores)),
      id: `${of}${instances}x${n}`,
    })),
  );
  await waitForEvents(db, before + signals, (count) =>
    part.observe(count - before, () => ({ atMs: performance.now() })),
  );
  await publishing;
  const { events, ms } = part.result();
  result.rates.push({ name, instances, eventsPerSecond: (events * 1_000) / ms, goal });
}

/** Publishes signals of the reader at an even rate until `isDone`, and reads them by calls that wait. Resolves to the delays. */
async function readSignals({ address, publish }: Run, prefix: string, isDone: () => boolean): Promise<number[]> {
  const client = createGrpcClient({ definition: SubscriptionsServiceService, address });
  const origin = { requestId: 'req_bench', traceparent: '', environment: 'live' as const };
  const sentAt = new Map<string, number>();
  const delays: number[] = [];
  const page = { workspaceId: reader, types: [], watchlistId: '', limit: 200, order: EventOrder.ASCENDING };
  let isPublishing = true;
  const read = async () => {
    let afterSequence = (
      await client.listEvents(
        { ...page, limit: 1, order: EventOrder.DESCENDING, afterSequence: undefined, waitMs: 0 },
        { origin },
      )
    ).events[0]?.sequence;
    while (isPublishing || delays.length < sentAt.size) {
      const { events } = await client.listEvents(
        { ...page, afterSequence: afterSequence ?? 0, waitMs: 500 },
        { origin },
      );
      for (const { id, sequence } of events) {
        afterSequence = sequence;
        const sent = sentAt.get(id);
        if (sent !== undefined) delays.push(performance.now() - sent);
      }
    }
  };
  const send = async () => {
    const sending: Promise<void>[] = [];
    const startMs = performance.now();
    for (let n = 0; !isDone(); n++) {
      const waitMs = startMs + (n * 1_000) / signalsPerSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const id = `${prefix}x${n}`;
      sentAt.set(`evt_${id}`, performance.now());
      sending.push(publish([{ domain: storeOf('reader', n), id }]));
    }
    await Promise.all(sending);
    isPublishing = false;
  };
  try {
    await Promise.all([read(), send()]);
    return delays;
  } finally {
    client.close();
  }
}

async function measureDelays(run: Run, { name, seconds, goalMs }: { name: string; seconds: number; goalMs: number }) {
  run.bench.say(`${name}, ${signalsPerSecond} per second …`);
  const endMs = performance.now() + seconds * 1_000;
  const delays = await readSignals(run, `delay${run.instances}`, () => performance.now() > endMs);
  run.result.delays.push({ name, instances: run.instances, ...percentilesOf(delays), goalMs });
}

async function measureLast(run: Run, workspaces: number): Promise<void> {
  const { bench, db, publish, instances, result } = run;
  bench.say(
    `One signal of a store in the watchlists of ${workspaces} workspaces, beside signals of another workspace …`,
  );
  let isDone = false;
  const reading = readSignals(run, `beside${instances}`, () => isDone);
  const startMs = performance.now();
  await publish([{ domain: sharedDomain, id: `shared${instances}` }]);
  const reached = { _id: /^ws_shared/ as never, last: { $gte: 1 } };
  while ((await db.collection('sequences').countDocuments(reached)) < workspaces) {
    if (performance.now() - startMs > timeoutMs) throw new Error('a large fan-out did not end');
    await sleep(pollMs * 5);
  }
  result.last.push({ workspaces, instances, ms: performance.now() - startMs, goalMs: 10_000 });
  isDone = true;
  const name = `signals of another workspace during a fan-out to ${workspaces}`;
  result.delays.push({ name, instances, ...percentilesOf(await reading), goalMs: 5_000 });
}

const percentilesOf = (delays: number[]) => ({
  signals: delays.length,
  p50Ms: percentile(delays, 0.5),
  p99Ms: percentile(delays, 0.99),
});
