import { hourMs, ManualClock } from '@shopscope/clock';
import { type EventProducer, type EventType, maxEventBytes, type RawRecord } from '@shopscope/kafka';
import { connectMongo, ensureCollections, type Mongo, withTransaction } from '@shopscope/mongo';
import { createOutbox, type Outbox, type OutboxRelay, outboxCollections, startOutboxRelay } from '@shopscope/outbox';
import { mongoOptions, silentTelemetry, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const note: EventType<string> = {
  name: 'note',
  version: 1,
  topic: 'notes',
  encode: (text) => Buffer.from(text),
  decode: (bytes) => Buffer.from(bytes).toString(),
  key: (text) => text.split(':')[0] as string,
};
const meta = { requestId: 'req_1', traceparent: 'trace', environment: 'live' as const };

/** A fake broker that stores events; `gate` runs before each request and may delay or fail it. It refuses events of `refusedKeys`. */
function broker(gate: () => Promise<void> | void = () => {}, refusedKeys = new Set<string>()) {
  const texts: string[] = [];
  const environments: unknown[] = [];
  const producer = {
    available: true,
    async publishEach(_topic: string, records: RawRecord[]) {
      await gate();
      const isRefused = ({ key }: RawRecord) => refusedKeys.has(String(key));
      const accepted = records.filter((record) => !isRefused(record));
      texts.push(...accepted.map(({ value }) => String(value && Buffer.from(value))));
      environments.push(...accepted.map(({ headers }) => headers.environment));
      return records.map((record) => (isRefused(record) ? new Error('no leader') : undefined));
    },
  } as unknown as EventProducer;
  return { producer, texts, environments };
}

describe('an outbox', () => {
  const namespace = testNamespace('outbox');
  let mongo: Mongo;
  let outbox: Outbox;
  let clock: ManualClock;
  let databases = 0;
  const relays: OutboxRelay[] = [];

  const connect = async () => connectMongo(mongoOptions(namespace, String(databases)));
  const start = (producer: EventProducer, of: Outbox = outbox, maxBatchSize = 500, telemetry = silentTelemetry()) => {
    const relay = startOutboxRelay({
      db: mongo.db,
      outbox: of,
      producer,
      ...telemetry,
      instanceId: 'relay',
      clock,
      pollMs: 20,
      leaseMs: 10_000,
      maxBatchSize,
    });
    relays.push(relay);
    return relay;
  };
  const decide = (...texts: string[]) =>
    withTransaction(mongo, async ({ session }) => {
      await mongo.db.collection('state').insertOne({ texts }, { session });
      for (const text of texts) await outbox.append(session, note, text, meta);
    });
  const drained = () => waitUntil('an empty outbox', async () => (await outbox.pending()) === 0);

  beforeEach(async () => {
    databases += 1;
    clock = new ManualClock();
    mongo = await connect();
    await ensureCollections(mongo.db, { state: { indexes: [], unsharded: 'test' }, ...outboxCollections });
    outbox = createOutbox(mongo.db);
  });
  afterEach(async () => {
    for (const relay of relays.splice(0)) await relay.stop();
    await mongo.close();
  });
  afterAll(() => namespace.cleanup());

  it('an outbox publishes all rows after a crash between the commit and the publishing', async () => {
    await decide('a:1', 'a:2');
    await decide('a:3');
    expect(await outbox.pending()).toBe(3);
    const { producer, texts } = broker();
    start(producer);
    await drained();
    expect(texts).toEqual(['a:1', 'a:2', 'a:3']);
  });

  it('an outbox publishes each event with the environment of its caller', async () => {
    await decide('a:1');
    const system = { event: 'a:2', meta: { ...meta, environment: null } };
    await withTransaction(mongo, ({ session }) => outbox.appendMany(session, note, [system]));
    const { producer, environments } = broker();
    start(producer);
    await drained();
    expect(environments).toEqual(['live', undefined]);
  });

  it('an outbox publishes no event of an aborted transaction', async () => {
    const failing = withTransaction(mongo, async ({ session }) => {
      await outbox.append(session, note, 'a:1', meta);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await outbox.pending()).toBe(0);
  });

  it('an outbox keeps the order of insertion across processes whose clocks differ, and across batches', async () => {
    const others = [mongo, await connect(), await connect()];
    const expected: string[] = [];
    const nowMs = Date.now();
    for (let i = 0; i < 30; i++) {
      const other = others[i % 3] as Mongo;
      const texts = [`a:${i}`, `b:${i}`];
      const wallTime = vi.spyOn(Date, 'now').mockReturnValue(nowMs - (i % 3) * hourMs);
      await withTransaction(other, ({ session }) =>
        createOutbox(other.db).appendMany(
          session,
          note,
          texts.map((event) => ({ event, meta })),
        ),
      );
      wallTime.mockRestore();
      expected.push(...texts);
    }
    const { producer, texts } = broker();
    start(producer, outbox, 7);
    await drained();
    expect(texts).toEqual(expected);
    for (const other of others.slice(1)) await other.close();
  });

  it('an outbox keeps its rows while Kafka is unavailable, and publishes them afterwards', async () => {
    let unavailable = true;
    let tries = 0;
    const { producer, texts } = broker(() => {
      tries += 1;
      if (unavailable) throw new Error('kafka is unavailable');
    });
    start(producer);
    await decide('a:1');
    await waitUntil('a second try', () => tries > 1);
    expect(await outbox.pending()).toBe(1);
    unavailable = false;
    await drained();
    expect(texts).toEqual(['a:1']);
  });

  it('an outbox publishes the rows of other keys while Kafka refuses those of one key, and then that key in order', async () => {
    const refused = new Set(['a']);
    const { producer, texts } = broker(undefined, refused);
    await decide('a:1', 'b:1', 'a:2', 'a:3', 'a:4', 'c:1', 'b:2');
    start(producer, outbox, 2);
    await waitUntil('the other keys to be published', () => texts.length === 3);
    expect(texts).toEqual(['b:1', 'c:1', 'b:2']);
    await waitUntil('only the refused rows to remain', async () => (await outbox.pending()) === 4);
    refused.clear();
    await drained();
    expect(texts.slice(3)).toEqual(['a:1', 'a:2', 'a:3', 'a:4']);
  });

  it('an outbox publishes a row again when the row could not be deleted', async () => {
    await decide('a:1');
    let failures = 1;
    const failing: Outbox = {
      ...outbox,
      collection: Object.create(outbox.collection, {
        deleteMany: {
          value: async (filter: object) => {
            if (failures-- > 0) throw new Error('the database is unavailable');
            return outbox.collection.deleteMany(filter);
          },
        },
      }),
    };
    const { producer, texts } = broker();
    start(producer, failing);
    await drained();
    expect(texts).toEqual(['a:1', 'a:1']);
  });

  it('an outbox never has two relays that publish at the same time', async () => {
    let inside = 0;
    let most = 0;
    const gate = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
    };
    const [first, second] = [broker(gate), broker(gate)];
    const running = [start(first.producer, outbox, 3), start(second.producer, outbox, 3)];
    for (let i = 0; i < 20; i++) {
      await decide(`a:${i}`);
      for (const relay of running) relay.nudge();
    }
    await drained();
    expect([...first.texts, ...second.texts]).toEqual(Array.from({ length: 20 }, (_, i) => `a:${i}`));
    expect(most).toBe(1);
    expect(Math.min(first.texts.length, second.texts.length)).toBe(0);
  });

  it('an outbox gets another relay when its relay stops, and when the lease of a dead relay expires', async () => {
    const one = broker();
    const stopping = start(one.producer);
    await decide('a:1');
    await drained();
    await stopping.stop();

    const died = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const dead = broker(() => {
      died.resolve();
      return end.promise;
    });
    start(dead.producer);
    await decide('a:2');
    await died.promise;

    const successor = broker();
    start(successor.producer);
    clock.advance(10_000);
    await drained().finally(end.resolve);
    expect(successor.texts).toEqual(['a:2']);
  });

  it('an outbox keeps the order of a key when a relay gets its lease back after another relay could not publish rows of that key', async () => {
    const session = mongo.client.startSession();
    session.startTransaction();
    await outbox.append(session, note, 'b:1', meta);
    await decide('a:1', 'a:2');
    const publishing = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = broker(
      () => {
        publishing.resolve();
        return end.promise;
      },
      new Set(['a']),
    );
    const telemetry = silentTelemetry();
    start(first.producer, outbox, 2, telemetry);
    await publishing.promise;

    clock.advance(10_000);
    let tries = 0;
    const second = broker(() => void tries++, new Set(['a', 'b']));
    const successor = start(second.producer, outbox, 2);
    await waitUntil('the second relay to publish', () => tries > 0);
    end.resolve();
    const depth = async () => (await telemetry.registry.getSingleMetric('outbox_depth')?.get())?.values[0]?.value;
    await waitUntil('the first relay to notice the lost lease', async () => (await depth()) === 0);
    await session.commitTransaction();
    await session.endSession();
    await decide('b:2');
    await successor.stop();
    await waitUntil('the rows of b', async () => (await outbox.pending()) === 2);
    expect(first.texts).toEqual(['b:1', 'b:2']);
  });

  it('an outbox is reported by the active relay only, and not by a relay that has lost its lease', async () => {
    const telemetry = silentTelemetry();
    const reported = async () => {
      const metrics = await Promise.all(
        ['outbox_depth', 'outbox_oldest_seconds'].map((name) => telemetry.registry.getSingleMetric(name)?.get()),
      );
      return metrics.map((metric) => metric?.values[0]?.value);
    };
    const publishing = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const slow = broker(() => {
      publishing.resolve();
      return end.promise;
    });
    await decide('a:1');
    clock.setWall(Date.now() + 60_000);
    start(slow.producer, outbox, 500, telemetry);
    await publishing.promise;
    expect(await reported()).toEqual([1, expect.closeTo(60, 0)]);

    clock.advance(10_000);
    start(broker().producer);
    await drained();
    end.reject(new Error('kafka is unavailable'));
    await vi.waitFor(async () => expect(await reported()).toEqual([0, 0]), { timeout: 60_000 });
  });

  it('an outbox is published to the end of the current batch when the relay stops', async () => {
    await decide('a:1');
    const publishing = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const { producer } = broker(async () => {
      publishing.resolve();
      await finish.promise;
    });
    const relay = start(producer);
    await publishing.promise;
    const stopping = relay.stop();
    finish.resolve();
    await stopping;
    expect(await outbox.pending()).toBe(0);
    expect(await mongo.db.collection('outbox_lease').countDocuments({})).toBe(0);
  });

  it('an outbox refuses an event that is too large for Kafka, so that the event never blocks others', async () => {
    await expect(decide('a:1', 'x'.repeat(maxEventBytes + 1))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await outbox.pending()).toBe(0);
  });
});
