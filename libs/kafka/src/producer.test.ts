import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '@shopscope/clock';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it } from 'vitest';
import type { EventType } from './event-type.ts';
import type { Kafka } from './kafka.ts';
import { noLeader } from './produce/cluster.ts';
import type { PartitionBatch } from './produce/encode-request.ts';
import { partitionOf } from './produce/partition-of.ts';
import { createProducer, maxEventBytes, type ProducerOptions } from './producer.ts';

const note: EventType<string> = {
  name: 'note',
  version: 1,
  topic: 'notes',
  encode: (text) => Buffer.from(text),
  decode: (bytes) => Buffer.from(bytes).toString(),
  key: (text) => text,
};
const meta = { requestId: 'req_1', traceparent: 'trace', environment: 'live' as const };

interface Request {
  broker: number;
  batches: readonly PartitionBatch[];
  texts: string[];
  /** Answers with these error codes, or accepts all batches. */
  answer: (...codes: number[]) => void;
  fail: (error: Error) => void;
}

const connectionLost = new Error('connection lost');
const notLeader = 6;
const notEnoughReplicas = 19;
const notAuthorized = 29;
const messageTooLarge = 10;

/** Fake brokers. The test decides their answers. `leaders` has the broker of each partition. */
function setUp({ leaders = [1], ...options }: ProducerOptions & { leaders?: number[] } = {}) {
  const requests: Request[] = [];
  const cluster = {
    leaders,
    exists: true,
    refreshes: 0,
    producerIds: 0n,
    dropped: [] as number[],
    connect: async () => {},
    leadersOf: () => cluster.leaders,
    async load() {
      if (!cluster.exists) throw new Error('no such topic');
    },
    async refresh() {
      cluster.refreshes += 1;
    },
    async newProducerId() {
      cluster.producerIds += 1n;
      return { id: cluster.producerIds, epoch: 0 };
    },
    produce: (broker: number, batches: readonly PartitionBatch[]) =>
      new Promise<number[]>((resolve, fail) => {
        const texts = batches.flatMap(({ records }) => records.map(({ value }) => String(value)));
        const answer = (...codes: number[]) => resolve(batches.map((_, index) => codes[index] ?? 0));
        requests.push({ broker, batches, texts, answer, fail });
      }),
    drop: (broker: number) => void cluster.dropped.push(broker),
    close: async () => {},
  };
  const kafka = {
    openProduceCluster: () => cluster,
    options: silentTelemetry(),
    topicName: (topic: string) => topic,
  } as unknown as Kafka;
  const clock = new ManualClock();
  const producer = createProducer(kafka, { lingerMs: 0, clock, ...options });
  const turns = async (done: () => unknown) => {
    for (let i = 0; i < 1_000 && !done(); i++) await turn();
  };
  const request = async (index: number) => {
    await turns(() => requests[index]);
    return requests[index] as Request;
  };
  /** The next attempt follows after a pause. */
  const retried = async (index: number) => {
    for (let i = 0; i < 10; i++) await turn();
    clock.advance(500);
    return request(index);
  };
  const metrics = () => kafka.options.registry.metrics();
  const publish = (text: string, timeoutMs?: number) =>
    producer.publish(note, text, meta, timeoutMs === undefined ? {} : { timeoutMs });
  return { producer, publish, requests, request, retried, clock, metrics, cluster };
}

/** A key of the partition. */
const keyIn = (partition: number, partitions: number) =>
  Array.from({ length: 1_000 }, (_, n) => `k${n}`).find((key) => partitionOf(key, partitions) === partition) as string;

/** Fails the next three events of the partition. */
async function failThree({ publish, request, requests }: ReturnType<typeof setUp>, key: string) {
  for (let i = 0; i < 3; i++) {
    const publishing = publish(key);
    (await request(requests.length)).answer(messageTooLarge);
    await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
  }
}

describe('event producer', () => {
  it('a publish call resolves only after the broker has accepted the event', async () => {
    const { producer, request } = setUp();
    let durable = false;
    const publishing = producer.publish(note, 'a', meta).then(() => {
      durable = true;
    });
    const { answer, texts } = await request(0);
    expect(texts).toEqual(['a']);
    expect(durable).toBe(false);
    answer();
    await publishing;
  });

  it('the event producer counts the headers of a record, so that dead letters with long reasons fit into requests', async () => {
    const { producer, request } = setUp();
    const headers = { 'dlq-reason': 'r'.repeat(300_000) };
    const records = ['a', 'b', 'c'].map((text) => ({ key: text, value: Buffer.from(text), headers }));
    const publishing = producer.publishRaw('notes', records);
    const first = await request(0);
    expect(first.texts).toEqual(['a', 'b']);
    first.answer();
    const second = await request(1);
    expect(second.texts).toEqual(['c']);
    second.answer();
    await publishing;
  });

  it('a timeout of a publish means that the outcome is unknown, because the event may still arrive', async () => {
    const { producer, request, clock } = setUp();
    const publishing = producer.publish(note, 'a', meta, { timeoutMs: 500 });
    const told = expect(publishing).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringMatching(/unknown/),
    });
    const { answer, texts } = await request(0);
    clock.advance(500);
    await told;
    expect(texts).toEqual(['a']);
    answer();
    await turn();
    expect(producer.available).toBe(true);
  });

  it('an event whose time limit passes before any request carries it is withdrawn', async () => {
    const { producer, request, requests, clock } = setUp();
    const first = producer.publish(note, 'a', meta);
    const { answer } = await request(0);
    const withdrawn = expect(producer.publish(note, 'b', meta, { timeoutMs: 5 })).rejects;
    clock.advance(5);
    await withdrawn.toMatchObject({ code: 'unavailable' });
    const third = producer.publish(note, 'c', meta);
    answer();
    await first;
    (await request(1)).answer();
    await third;
    expect(requests.map(({ texts }) => texts)).toEqual([['a'], ['c']]);
  });

  it('three publish calls without an answer in time open the circuit', async () => {
    const { producer, request, clock } = setUp();
    const timedOut = ['a', 'b', 'c'].map((text) => producer.publish(note, text, meta, { timeoutMs: 500 }));
    await request(0);
    clock.advance(499);
    expect(producer.available).toBe(true);
    clock.advance(1);
    for (const { status } of await Promise.allSettled(timedOut)) expect(status).toBe('rejected');
    expect(producer.available).toBe(false);
  });

  it('an open circuit of a producer rejects at once, and a successful probe closes it', async () => {
    const system = setUp();
    const { producer, publish, request, requests, clock } = system;
    await failThree(system, 'a');
    expect(producer.available).toBe(false);
    await expect(publish('b')).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
    expect(requests).toHaveLength(3);
    clock.advance(1_000);
    const probing = publish('c');
    (await request(3)).answer();
    await probing;
    expect(producer.available).toBe(true);
  });

  it('a producer for best-effort events keeps its open circuit out of the metric that wakes people', async () => {
    for (const bestEffort of [false, true]) {
      const system = setUp({ bestEffort });
      await failThree(system, 'a');
      expect(system.producer.available).toBe(false);
      expect(/^kafka_producer_available\{?.* 0$/m.test(await system.metrics())).toBe(!bestEffort);
    }
  });

  it('a partition that refuses its events opens its own circuit only, and the events of other partitions are published', async () => {
    const system = setUp({ leaders: [1, 1] });
    const { producer, publish, request, requests, metrics } = system;
    const [refused, other] = [keyIn(0, 2), keyIn(1, 2)];
    for (let i = 0; i < 3; i++) {
      const outcomes = Promise.allSettled([publish(refused), publish(other)]);
      const { batches, answer } = await request(i);
      answer(...batches.map(({ partition }) => (partition === 0 ? notAuthorized : 0)));
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    }
    await expect(publish(refused)).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
    const publishing = publish(other);
    (await request(requests.length)).answer();
    await publishing;
    expect(producer.available).toBe(true);
    expect(await metrics()).toMatch(/^kafka_producer_available\{?.* 1$/m);
    expect(await metrics()).toMatch(/^kafka_producer_open_circuits\{topic="notes".*\} 1$/m);
  });

  it('events of other partitions are published while one partition has no leader', async () => {
    const { publish, request, retried, cluster, requests } = setUp({ leaders: [noLeader, 1] });
    const waiting = publish(keyIn(0, 2), 4_000);
    const other = publish(keyIn(1, 2));
    const first = await request(0);
    expect(first.texts).toEqual([keyIn(1, 2)]);
    first.answer();
    await other;
    expect(requests).toHaveLength(1);
    cluster.leaders = [2, 1];
    const second = await retried(1);
    expect([second.broker, second.texts]).toEqual([2, [keyIn(0, 2)]]);
    second.answer();
    await waiting;
  });

  it('a partition without a leader opens its own circuit only, and another one is published to when it gets its leader', async () => {
    const { publish, retried, clock, cluster } = setUp({ leaders: [noLeader, noLeader] });
    const [lost, waiting] = [keyIn(0, 2), keyIn(1, 2)];
    for (let i = 0; i < 3; i++) {
      const told = expect(publish(lost, 10)).rejects.toMatchObject({ code: 'unavailable' });
      for (let turns = 0; turns < 10; turns++) await turn();
      clock.advance(10);
      await told;
    }
    await expect(publish(lost)).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
    const publishing = publish(waiting, 4_000);
    cluster.leaders = [noLeader, 2];
    const { texts, answer } = await retried(0);
    expect(texts).toEqual([waiting]);
    answer();
    await publishing;
  });

  it.each([7, 20])(
    'a partition that was answered with code %i delays no event of other partitions and opens only its own circuit',
    async (tooSlow) => {
      const { publish, request, clock } = setUp({ leaders: [1, 1] });
      const [slow, healthy] = [keyIn(0, 2), keyIn(1, 2)];
      const publishing = [publish(slow, 4_000), publish(healthy)];
      const { batches, answer } = await request(0);
      answer(...batches.map(({ partition }) => (partition === 0 ? tooSlow : 0)));
      await publishing[1];
      clock.advance(50);
      const repeated = await request(1);
      expect(repeated.texts).toEqual([slow]);
      for (let i = 0; i < 3; i++) {
        const told = expect(publish(slow, 10)).rejects.toMatchObject({ code: 'unavailable' });
        clock.advance(10);
        await told;
      }
      await expect(publish(slow)).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
      const other = publish(healthy);
      repeated.answer(tooSlow);
      const third = await request(2);
      expect(third.texts).toEqual([healthy]);
      third.answer();
      await other;
      clock.advance(500);
      const fourth = await request(3);
      expect(fourth.texts).toEqual([slow]);
      fourth.answer();
      await publishing[0];
    },
  );

  it('a broker that does not answer delays no event of a partition that another broker leads', async () => {
    const { publish, request } = setUp({ leaders: [1, 2] });
    const stuck = publish(keyIn(0, 2));
    expect((await request(0)).broker).toBe(1);
    const other = publish(keyIn(1, 2));
    const { broker, answer } = await request(1);
    expect(broker).toBe(2);
    answer();
    await other;
    (await request(0)).answer();
    await stuck;
  });

  it('a batch that was refused is repeated at the new leader before the later events of its partition', async () => {
    const { publish, request, retried, cluster } = setUp({ leaders: [1] });
    const publishing = [publish('a', 4_000)];
    const first = await request(0);
    publishing.push(publish('b', 4_000));
    cluster.leaders = [2];
    first.answer(notLeader);
    const second = await retried(1);
    expect([second.broker, second.texts]).toEqual([2, ['a']]);
    second.answer();
    const third = await request(2);
    expect([third.broker, third.texts]).toEqual([2, ['b']]);
    third.answer();
    await Promise.all(publishing);
  });

  it('events that wait while their partition gets another leader are sent there when the running request ends', async () => {
    const { publish, request, cluster } = setUp({ leaders: [1, 2] });
    const key = keyIn(0, 2);
    const publishing = [publish(key, 4_000), publish(keyIn(1, 2), 4_000)];
    const [first, moved] = [await request(0), await request(1)];
    publishing.push(publish(key, 4_000));
    cluster.leaders = [3, 3];
    moved.answer(notLeader);
    const repeated = await request(2);
    expect([repeated.broker, repeated.texts]).toEqual([3, [keyIn(1, 2)]]);
    repeated.answer();
    await publishing[1];
    first.answer();
    const third = await request(3);
    expect([third.broker, third.texts]).toEqual([3, [key]]);
    third.answer();
    await Promise.all(publishing);
  });

  it('a batch without an answer is repeated under the same sequence number, so that the broker stores it once', async () => {
    const { publish, request, retried, cluster } = setUp();
    const publishing = publish('a', 4_000);
    const first = await request(0);
    first.fail(connectionLost);
    const second = await retried(1);
    expect(second.batches).toEqual(first.batches);
    expect(cluster.dropped).toEqual([1]);
    const alreadyStored = 46;
    second.answer(alreadyStored);
    await publishing;
    const next = publish('b');
    const third = await request(2);
    expect(third.batches[0]).toMatchObject({ producerId: first.batches[0]?.producerId, firstSequence: 1 });
    third.answer();
    await next;
  });

  it('a batch that was given up with an unknown outcome is followed by a new producer id', async () => {
    const { publish, request, clock } = setUp();
    const publishing = publish('a', 400);
    const told = expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
    const first = await request(0);
    clock.advance(400);
    await told;
    first.fail(connectionLost);
    for (let i = 0; i < 10; i++) await turn();
    const next = publish('b');
    const second = await request(1);
    expect([first, second].map(({ batches }) => batches[0]?.producerId.id)).toEqual([1n, 2n]);
    expect(second.batches[0]?.firstSequence).toBe(0);
    second.answer();
    await next;
  });

  it.each([
    [notLeader, 2n],
    [notEnoughReplicas, 1n],
  ])('a batch that is given up after error code %i is followed by a batch with producer id %i', async (code, id) => {
    const { publish, request, clock } = setUp();
    const told = expect(publish('a', 1_000)).rejects.toMatchObject({ code: 'unavailable' });
    // The broker may have stored the batch before its leadership moved.
    (await request(0)).answer(code);
    for (let i = 0; i < 10; i++) await turn();
    clock.advance(1_000);
    await told;
    const next = publish('b');
    const { batches, answer } = await request(1);
    expect(batches[0]).toMatchObject({ producerId: { id }, firstSequence: 0 });
    answer();
    await next;
  });

  it('a partition that has a producer id publishes while another partition of its broker waits for one', async () => {
    const { publish, request, requests, clock, cluster } = setUp({ leaders: [1, 1] });
    const [lost, healthy] = [keyIn(0, 2), keyIn(1, 2)];
    for (const key of [lost, healthy]) {
      const publishing = publish(key);
      (await request(requests.length)).answer();
      await publishing;
    }
    const told = expect(publish(lost, 400)).rejects.toMatchObject({ code: 'unavailable' });
    const { fail } = await request(2);
    clock.advance(400);
    await told;
    fail(connectionLost);
    for (let i = 0; i < 10; i++) await turn();
    const ids = [
      Promise.withResolvers<{ id: bigint; epoch: number }>(),
      Promise.resolve({ id: 9n, epoch: 0 }),
    ] as const;
    let asked = 0;
    cluster.newProducerId = async () => (asked++ === 0 ? ids[0].promise : ids[1]);
    const waiting = publish(lost, 4_000);
    for (let i = 0; i < 10; i++) await turn();
    const before = publish(healthy);
    const fourth = await request(3);
    expect(fourth.texts).toEqual([healthy]);
    fourth.answer();
    await before;
    const dropped = [...cluster.dropped];
    ids[0].reject(connectionLost);
    for (let i = 0; i < 10; i++) await turn();
    clock.advance(50);
    const fifth = await request(4);
    expect(fifth.batches[0]?.producerId.id).toBe(9n);
    fifth.answer();
    await waiting;
    expect(cluster.dropped).toEqual(dropped);
  });

  it('a batch that failed while the producer id was missing is not sent when the id arrives', async () => {
    const { publish, request, requests, clock, cluster } = setUp();
    const late = Promise.withResolvers<{ id: bigint; epoch: number }>();
    const { newProducerId } = cluster;
    cluster.newProducerId = () => late.promise;
    const told = expect(publish('a', 20_000)).rejects.toMatchObject({ code: 'unavailable' });
    for (let i = 0; i < 10; i++) await turn();
    clock.advance(5_000);
    await told;
    cluster.newProducerId = newProducerId;
    late.resolve({ id: 7n, epoch: 0 });
    for (let i = 0; i < 10; i++) await turn();
    const next = publish('b');
    (await request(0)).answer();
    await next;
    expect(requests.map(({ texts }) => texts)).toEqual([['b']]);
  });

  it('a produce request without an answer fails after five seconds, and its connection is dropped', async () => {
    const { publish, request, clock, cluster } = setUp();
    const publishing = publish('a', 20_000);
    const told = expect(publishing).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringMatching(/did not take it/),
    });
    await request(0);
    clock.advance(4_999);
    await turn();
    expect(cluster.dropped).toEqual([]);
    clock.advance(1);
    await told;
    expect(cluster.dropped).toEqual([1]);
    const next = publish('b');
    (await request(1)).answer();
    await next;
  });

  it('the circuits of all partitions of a broker close when the broker answers one of them', async () => {
    const { publish, request, clock, producer, cluster } = setUp({ leaders: [1, 1, 2] });
    for (let i = 0; i < 3; i++) {
      const publishing = publish(keyIn(0, 3), 100);
      const told = expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
      if (i === 0) await request(0);
      clock.advance(100);
      await told;
    }
    await expect(publish(keyIn(1, 3))).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
    expect([producer.available, cluster.dropped]).toEqual([true, []]);
    (await request(0)).answer();
    for (let i = 0; i < 10; i++) await turn();
    const publishing = publish(keyIn(1, 3));
    (await request(1)).answer();
    await publishing;
  });

  it('a topic that does not exist opens a circuit of its own, and is found when it was created', async () => {
    const { publish, producer, cluster, request, clock } = setUp();
    cluster.exists = false;
    for (let i = 0; i < 3; i++) await expect(publish('a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(producer.available).toBe(false);
    await expect(publish('a')).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
    cluster.exists = true;
    clock.advance(1_000);
    const publishing = publish('a');
    (await request(0)).answer();
    await publishing;
    expect(producer.available).toBe(true);
  });

  it('the failed events of a topic that cannot be loaded are counted', async () => {
    const { publish, cluster, metrics } = setUp();
    cluster.exists = false;
    await expect(publish('a')).rejects.toMatchObject({ code: 'unavailable' });
    const line = (await metrics()).split('\n').find((each) => each.startsWith('kafka_published_total{'));
    expect(line).toMatch(/outcome="failed".* 1$/);
  });

  it.each([1, 3])(
    'the circuit of a topic that is used first after %i failed calls is open when that of the others is',
    async (before) => {
      const { producer, publish, cluster } = setUp();
      cluster.exists = false;
      const others = () => producer.publish({ ...note, topic: 'others' }, 'a', meta);
      for (let i = 0; i < before; i++) await expect(publish('a')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(others()).rejects.toMatchObject({ code: 'unavailable' });
      for (let i = before; i < 2; i++) await expect(publish('a')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(others()).rejects.toMatchObject({ internal: 'the circuit is open' });
      expect(producer.available).toBe(false);
    },
  );

  /** Publishes events of a key one after the other, and returns the partition of each. The key moves when a partition is added. */
  function setUpRaise() {
    const system = setUp({ leaders: [1] });
    const partitions: (number | undefined)[] = [];
    const publishNext = async () => {
      const { publish, request, requests } = system;
      const publishing = publish(keyIn(1, 2));
      const { batches, answer } = await request(requests.length);
      partitions.push(batches[0]?.partition);
      answer();
      await publishing;
    };
    return { ...system, partitions, publishNext };
  }

  it('a publisher reads the metadata in the background when it is half a minute old, and uses an added partition', async () => {
    const { publishNext, partitions, clock, cluster } = setUpRaise();
    await publishNext();
    cluster.leaders = [1, 1];
    await publishNext();
    clock.advance(30_001);
    await publishNext();
    await publishNext();
    expect(partitions).toEqual([0, 0, 0, 1]);
  });

  it('a publisher uses an added partition from its first event after a pause on', async () => {
    const { publishNext, partitions, clock, cluster } = setUpRaise();
    await publishNext();
    cluster.leaders = [1, 1];
    clock.advance(600_000);
    await publishNext();
    await publishNext();
    expect(partitions).toEqual([0, 1, 1]);
  });

  it('a publisher that cannot read its old metadata publishes nothing, fails at once after three calls, and recovers', async () => {
    const { publish, publishNext, partitions, clock, cluster, requests, producer } = setUpRaise();
    await publishNext();
    clock.advance(600_000);
    const { refresh } = cluster;
    cluster.refresh = async () => {
      throw connectionLost;
    };
    for (let i = 0; i < 3; i++) await expect(publish('a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(publish('a')).rejects.toMatchObject({ internal: expect.stringMatching(/circuit/) });
    expect(requests).toHaveLength(1);
    cluster.refresh = refresh;
    cluster.leaders = [1, 1];
    clock.advance(1_000);
    await publishNext();
    expect(partitions).toEqual([0, 1]);
    expect(producer.available).toBe(true);
  });

  it('a full queue of the producer and an event that is too large are refused', async () => {
    const { producer, request } = setUp({ maxQueued: 2, lingerMs: 60_000 });
    const queued = [producer.publish(note, 'a', meta), producer.publish(note, 'b', meta)];
    await expect(producer.publish(note, 'c', meta)).rejects.toMatchObject({ internal: expect.stringMatching(/full/) });
    await expect(producer.publish(note, 'x'.repeat(maxEventBytes + 1), meta)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const closing = producer.close();
    (await request(0)).answer();
    await Promise.all([...queued, closing]);
  });

  it('half a million simultaneous events are refused by the queue bound, not by the call stack', async () => {
    const { producer } = setUp();
    const record = { key: 'a', value: Buffer.from('a'), headers: {} };
    const records = Array.from({ length: 500_000 }, () => record);
    await expect(producer.publishRaw('notes', records)).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringMatching(/full/),
    });
    const oversized = { ...record, value: Buffer.alloc(maxEventBytes + 1) };
    await expect(producer.publishRaw('notes', [...records, oversized])).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('the close of a producer sends the queued events, and later events are refused', async () => {
    const { producer, request } = setUp({ lingerMs: 60_000 });
    const publishing = producer.publish(note, 'a', meta);
    const closing = producer.close();
    (await request(0)).answer();
    await Promise.all([publishing, closing]);
    await expect(producer.publish(note, 'b', meta)).rejects.toMatchObject({
      internal: expect.stringMatching(/closed/),
    });
  });
});
